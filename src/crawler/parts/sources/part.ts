/**
 * Sources: sitemaps and feeds. A crawl that fetches every page once reads sitemaps before it begins (`sitemap`); a continuous one reads
 * both again and again, for new pages and signals of change.
 */
import { grouped, plural } from '../../../lib/amounts.ts'
import { on } from '../../options/option-row.ts'
import type { CliOf, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import type { Part } from '../part.ts'
import type { SourceCounts } from './source-readings.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
  interface CrawlProgress {
    /** What sitemaps and feeds have contributed so far; undefined if they are not read again. */
    readonly sources?: Readonly<SourceCounts> | undefined
  }
  interface CrawlTotals {
    /** Sitemaps that were read before the crawl began, but not as a whole, or that could not be read. Undefined: none. */
    readonly sitemapsMissed?: number | undefined
  }
}

type PartRows = typeof rows

const rows = {
  /** Add the pages in the sitemaps of the seeds' sites as seeds, without trust. */
  sitemap: on("also start from the pages in the sites' sitemaps", {
    level: 'common',
    default: false,
  }),
} satisfies Rows

export const sources: Part = {
  name: 'sources',
  options: {
    heading: 'What to crawl:',
    rows,
  },
  isUsed: ({ recrawl, sitemap }) => recrawl?.isContinuous === true || sitemap,
  work: () => import('./crawl-sources.ts'),

  shows: {
    row: ({ sources: counts }) => (counts === undefined ? undefined : ['sources', countsText(counts)]),
    async verify() {
      const { decodeSources } = await import('./source-record.ts')
      return {
        read(group) {
          for (const _ of decodeSources(group.section('sources')));
        },
      }
    },
  },
}

/** What sitemaps and feeds have contributed. */
function countsText({ readings, cut, listed, signals }: SourceCounts): string {
  const incomplete = cut === 0 ? '' : ` (${grouped(cut)} cut at a limit)`
  const found = `${plural(listed, 'new page')}, ${plural(signals, 'signal')} of a change`
  return `${plural(readings, 'reading')} of sitemaps and feeds${incomplete}, ${found}`
}
