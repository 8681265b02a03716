/** Sitemaps as sources of pages. */
import { on } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

const rows = {
  /** Add the pages in the sitemaps of the seeds' sites as seeds, without trust. */
  sitemap: on("also start from the pages in the sites' sitemaps", {
    level: 'common',
    default: false,
    isLocal: true,
  }),
} satisfies Rows

export const sourceOptions: OptionSet = {
  heading: 'What to crawl:',
  rows,
}
