/** The archived pages of a data set: of a crawl, with what its record knows of them, or of WARC files. */
import { basename } from 'node:path'
import { statSync } from 'node:fs'
import { certainMass } from '../../engine/mass/mass-walk.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { PageBody } from '../../web/html/page-text.ts'
import type { UsePurpose } from '../../web/preferences/known-signals.ts'
import { readWarc } from '../../web/warc/reader.ts'
import { pageRank } from '../../webgraph/pagerank/pagerank.ts'
import { isArchived, pageUse, partValues } from '../parts/all-parts.ts'
import { bodyPlace } from '../read/body-place.ts'
import { graphOfCrawl } from '../read/export/crawl-web.ts'
import { pageColumns, pageRows } from '../read/export/page-rows.ts'
import type { Column, Value } from '../read/export/table.ts'
import { decodedResponse, PageArchive, type ArchivedResponse } from '../read/page-archive.ts'
import { WholeCrawl } from '../read/whole-crawl.ts'
import { warcNaming } from '../record/warc-name.ts'

/** Columns of the record that documents of a crawl have too. Documents of WARC files do not have them. */
const carriedNames = ['depth', 'score', 'relevance', 'rank_mass', 'page_rank'] as const

const carried = pageColumns.filter(({ name }) => (carriedNames as readonly string[]).includes(name))
export const carriedColumns: readonly Column[] = carried.map(({ name, type }) => ({ name, type }))

export interface ArchivedPage extends PageBody {
  readonly url: string
  readonly status: number
  readonly fetchedMs: number | undefined
  readonly warcFile: string
  readonly warcOffset: number
  readonly id: string
  readonly digest: string | undefined
  readonly headers: ArchivedResponse['headers']
  /** What its owner says about its use, as the crawl recorded it; undefined in WARC files. */
  readonly recorded: readonly string[] | undefined
  /** Values of `carriedColumns`. */
  readonly carried: readonly Value[]
}

export interface PageSource {
  /** What the crawl is for; undefined if it left out no pages because of it. */
  readonly purpose?: UsePurpose | undefined
  /** All responses of the archive. Can be read several times. */
  pages(): Iterable<ArchivedPage>
  close(): void
}

const bodyBytesMax = 64 << 20

/** The folder of a crawl, or of copies of its shards; or WARC files. */
export async function sourceOf(inputs: readonly string[]): Promise<PageSource> {
  const [first, ...others] = inputs
  if (first === undefined) throw new RankwardError('USAGE', 'Give the folder of a crawl, or WARC files.')
  if (statSync(first, { throwIfNoEntry: false })?.isDirectory() !== true) return filesSource(inputs)
  if (others.length > 0)
    throw new RankwardError('USAGE', `${first} is a folder: give one folder of a crawl, or WARC files.`)
  return crawlPages(first)
}

const noValues: readonly Value[] = carriedColumns.map(() => undefined)

function filesSource(paths: readonly string[]): PageSource {
  return {
    *pages() {
      for (const path of paths) {
        for (const record of readWarc(path)) {
          if (record.type !== 'response') continue
          const response = decodedResponse(record, bodyBytesMax)
          yield { ...pageOf(response, basename(path)), recorded: undefined, carried: noValues }
        }
      }
    },
    close() {},
  }
}

async function crawlPages(path: string): Promise<PageSource> {
  const whole = WholeCrawl.open(path)
  const { options } = whole.folder.file
  if (!isArchived(options))
    throw new RankwardError(
      'NO_ARCHIVE',
      `The crawl in ${path} has no archived pages (warc is off). Crawl again with WARC files.`,
    )
  const read = await whole.read()
  const { crawl, parts, trust } = await read.source()
  const { damping, weights } = trust
  const rows = {
    crawl,
    rankMass: certainMass(crawl.pages, crawl.links, { damping, weights }),
    pageRank: (await pageRank(graphOfCrawl(crawl).graph, { damping })).scores,
    spam: new Float64Array(crawl.count),
    naming: warcNaming(options),
  }
  const values = await Promise.all(parts.map(({ record }) => partValues({ record, settings: options })))
  const stated = pageColumns.find(({ name }) => name === 'preferences')
  const archive = new PageArchive(whole.folder)
  return {
    purpose: pageUse?.purposeOf(options),
    *pages() {
      for (const [i, part] of parts.entries()) {
        for (const row of pageRows({ ...rows, part, valuesOf: values[i] })) {
          const { outcome, found } = row
          const place = outcome && bodyPlace(part.record, outcome)
          if (place === undefined) continue
          const page = pageOf(archive.at(place), archive.nameOf(place))
          yield {
            ...page,
            // A copy has an id and a time of its own. A compacted record has no ids.
            id: outcome!.warc!.id || page.id,
            fetchedMs: outcome!.startMs,
            url: found.url,
            recorded: stated && ((stated.of(row) as readonly string[] | undefined) ?? []),
            carried: carried.map((column) => column.of(row)),
          }
        }
      }
    },
    close: () => read.close(),
  }
}

function pageOf(
  { record, statusLine, headers, contentType, body, isCoded }: ArchivedResponse,
  warcFile: string,
): Omit<ArchivedPage, 'carried' | 'recorded'> {
  const date = Date.parse(record.field('WARC-Date') ?? '')
  return {
    url: record.targetUri ?? '',
    status: record.type === 'response' ? Number(/^HTTP\/\S+ (\d{3})/.exec(statusLine)?.[1] ?? 0) : 304,
    fetchedMs: Number.isNaN(date) ? undefined : date,
    warcFile,
    warcOffset: record.offset,
    id: record.id,
    digest: record.field('WARC-Payload-Digest'),
    contentType,
    body,
    isCoded,
    headers,
  }
}
