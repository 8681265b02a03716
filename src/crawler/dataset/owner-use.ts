/** What owners say about the use of archived pages. */
import { RankwardError } from '../../lib/errors.ts'
import { decodeHtml } from '../../web/charset/html-text.ts'
import { miningMetas, robotsMetas } from '../../web/html/marked-page.ts'
import { HtmlScanner } from '../../web/html/scanner.ts'
import { isHtml, isXhtml } from '../../web/http/html-type.ts'
import { usePurposes, type UsePurpose } from '../../web/preferences/known-signals.ts'
import { Reservations } from '../../web/preferences/reservations.ts'
import { parseRobotsPreferences, type RobotsPreferences } from '../../web/preferences/robots-preferences.ts'
import { headerStatements, metaStatements } from '../../web/preferences/statement.ts'
import { useVerdict } from '../../web/preferences/verdict.ts'
import type { RowColumn } from '../read/export/table.ts'
import type { ArchivedPage } from './sources.ts'

const scanner = new HtmlScanner()

/** The files of sites that an archive has among its pages: robots.txt and tdmrep.json. The last of a site counts. */
export class SiteStatements {
  readonly #robots = new Map<string, RobotsPreferences>()
  readonly #reservations = new Map<string, Reservations>()

  /** Takes a response if it is such a file. */
  add({ url, status, body }: ArchivedPage): void {
    if (!/\/(?:robots\.txt|tdmrep\.json)$/.test(url) || status < 200 || status >= 300) return
    const { origin, path } = placeOf(url)
    if (path === '/robots.txt') this.#robots.set(origin, parseRobotsPreferences(body, 'Rankward'))
    else if (path === '/.well-known/tdmrep.json')
      this.#reservations.set(origin, new Reservations(Buffer.from(body).toString()))
  }

  of(url: string): readonly string[] {
    if (this.#robots.size + this.#reservations.size === 0) return []
    const { origin, path } = placeOf(url)
    return [
      ...(this.#robots.get(origin)?.statementsOf(path) ?? []),
      ...(this.#reservations.get(origin)?.statementsOf(path) ?? []),
    ]
  }
}

/** Archives of other programs have URLs of any kind, also without a path. */
function placeOf(url: string): { readonly origin: string; readonly path: string } {
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/?#]*)([^#]*)/i.exec(url) ?? []
  return { origin: origin.toLowerCase(), path: path.startsWith('/') ? path : `/${path}` }
}

/** Those that the crawl recorded; of a page in a WARC file, those in its headers, its meta elements and the files of its site. */
export function statementsOf(page: ArchivedPage, sites: SiteStatements): readonly string[] {
  const { recorded, headers, contentType, body, isCoded, url } = page
  if (recorded !== undefined) return recorded
  const stated = [...headerStatements(headers), ...sites.of(url)]
  if (!isHtml(contentType, body, isCoded)) return stated
  const source = decodeHtml(body, contentType)
  const marks = scanner.scan(source.bytes, isXhtml(contentType))
  return [...stated, ...metaStatements(robotsMetas(source, marks) ?? [], miningMetas(source, marks))]
}

interface UseOptions {
  readonly purpose?: UsePurpose | undefined
  readonly includeOptedOut?: boolean | undefined
}

/** The purpose of a data set: that of its crawl unless one is given. Undefined if no page is left out. */
export function purposeOf(
  { purpose, includeOptedOut }: UseOptions,
  ofCrawl: UsePurpose | undefined,
): UsePurpose | undefined {
  if (includeOptedOut !== true) return purpose ?? ofCrawl
  if (purpose === undefined) return undefined
  throw new RankwardError(
    'USAGE',
    'purpose (--purpose) and includeOptedOut (--include-opted-out) contradict each other: leave one of them out.',
  )
}

export const useColumns: readonly RowColumn<{ readonly statements: readonly string[] }>[] = [
  { name: 'preferences', type: 'list', separator: '\n', of: ({ statements }) => statements },
  ...usePurposes.map((purpose) => ({
    name: `use_${purpose.replace('-', '_')}`,
    type: 'name' as const,
    of: ({ statements }: { readonly statements: readonly string[] }) => {
      const { answer } = useVerdict(purpose, statements)
      return answer === 'unknown' ? undefined : answer
    },
  })),
]
