/** Requisites: whether they are fetched, and their budget. */
import { RankwardError } from '../../../lib/errors.ts'
import { sizeValue, whole } from '../../../lib/value-kinds.ts'
import type { CrawlOptions, CrawlSettings, ResumeOptions } from '../../options/crawl-options.ts'
import { on, value } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings {
    /** Absent if only pages are fetched. */
    readonly requisites?: RequisiteSettings | undefined
  }
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** The budget of requisites. */
export interface RequisiteBudget {
  /** Requisites that are requested. */
  readonly files: number
  readonly bytes: number
}

/** The files that pages need to look as they do, and how many of them are fetched. */
export interface RequisiteSettings {
  /** Default: 100,000. */
  readonly files?: number | undefined
  /** Default: 10 GB. */
  readonly bytes?: number | undefined
}

const rows = {
  /** Also fetch the style sheets, images, scripts, fonts and media that pages use, within a budget of their own; default false. */
  requisites: on('also fetch the style sheets, images, scripts, fonts and media that pages use', {
    level: 'common',
    isSetting: false,
  }),
  /** Requisites to request; default 100,000. */
  requisiteFiles: value('n', whole(1), 'at most this many requisites', {
    level: 'config',
    later: 'both',
    isSetting: false,
    usual: 100_000,
  }),
  /** Bytes of requisites; default 10 GB. */
  requisiteBytes: value('b', sizeValue, 'at most this many bytes of requisites', {
    level: 'config',
    later: 'both',
    isSetting: false,
    usual: '10GB',
  }),
} satisfies Rows

export const requisiteOptions: OptionSet = {
  heading: 'Requisites of pages:',
  rows,
  settings: (options: CrawlOptions) => ({
    requisites:
      options.requisites === true
        ? { files: options.requisiteFiles, bytes: options.requisiteBytes }
        : undefined,
  }),
  resumed: ({ requisites: before }: CrawlSettings, options: ResumeOptions) => {
    const { requisiteFiles: files, requisiteBytes: bytes } = options
    if (before !== undefined)
      return { requisites: { files: files ?? before.files, bytes: bytes ?? before.bytes } }
    if (files === undefined && bytes === undefined) return {}
    throw new RankwardError(
      'USAGE',
      'This crawl fetches no requisites. Whether it does is fixed when it begins: crawl … --requisites.',
    )
  },
  /** Requisites are fetched for the archive. */
  check: ({ requisites, requisiteFiles, requisiteBytes, ...options }: CrawlOptions): void => {
    if (requisites !== true) {
      if (requisiteFiles === undefined && requisiteBytes === undefined) return
      throw new RankwardError(
        'USAGE',
        'Options requisiteFiles and requisiteBytes of crawl need requisites: true.',
      )
    }
    if (isToBeArchived(options)) return
    throw new RankwardError(
      'USAGE',
      'Option requisites of crawl needs an archive: give a folder (out), and do not turn warc off.',
    )
  },
  typed: ({ cli, before, shown }) => {
    if (cli.requisites === true && (cli as { readonly warc?: boolean }).warc === false)
      throw new RankwardError(
        'USAGE',
        '--requisites and --no-warc contradict each other: requisites are fetched for the archive.',
      )
    if (cli.requisites === true || before !== undefined) return
    const given = (['requisiteFiles', 'requisiteBytes'] as const).find((name) => cli[name] !== undefined)
    if (given !== undefined) throw new RankwardError('USAGE', `${shown(given)} needs --requisites.`)
  },
}

/** Without the part that archives, nothing is. */
function isToBeArchived(options: Partial<CrawlOptions>): boolean {
  const { warc, out } = options as { readonly warc?: boolean; readonly out?: string }
  return warc ?? out !== undefined
}

/** The budget of requisites with its defaults; of nothing if only pages are fetched. */
export function requisiteBudget({ requisites }: Pick<CrawlSettings, 'requisites'>): RequisiteBudget {
  if (requisites === undefined) return { files: 0, bytes: 0 }
  return { files: requisites.files ?? 100_000, bytes: requisites.bytes ?? 10_000_000_000 }
}

/** Connections for pages: requisites have a quarter of all for themselves, and those that pages leave. */
export function pageConnections({
  connections,
  requisites,
}: Pick<CrawlSettings, 'connections' | 'requisites'>): number {
  return requisites === undefined ? connections : Math.max(1, connections - Math.max(1, connections >> 2))
}
