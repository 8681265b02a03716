/** Trap detection. */
import { off } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

const rows = {
  /** Detect traps: kinds of pages that link to ever more pages of the same kind; default true. */
  traps: off('disable trap detection: kinds of pages that link to ever more pages of the same kind', {
    default: true,
  }),
} satisfies Rows

export const trapOptions: OptionSet = {
  heading: 'What to crawl:',
  rows,
  contradictions: [
    {
      one: 'traps',
      other: 'patience',
      why: 'contradict each other: patience avoids traps that are detected',
    },
  ],
}
