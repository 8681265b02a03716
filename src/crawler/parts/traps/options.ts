/** Trap detection. */
import { defaultPatience } from '../../../engine/patience.ts'
import { atLeast } from '../../../lib/value-kinds.ts'
import { off, value } from '../../options/option-row.ts'
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
  /**
   * How much longer the crawl may take so that better pages are fetched than those that trap detection has put last: 0.5
   * is half as long again. Default: 0.5 with `pages` and without `seconds`, otherwise 0.
   */
  patience: value(
    'x',
    atLeast(0),
    'how much longer the crawl may take to avoid traps: 0.5 is half as long again (default: 0.5 with --pages and no --time, otherwise 0)',
    { level: 'config', default: defaultPatience, example: 0.5 },
  ),
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
