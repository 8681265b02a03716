/** Trap detection: kinds of pages that link to ever more pages of the same kind are put last, and then refused. */
import { off } from '../../options/option-row.ts'
import type { CliOf, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import type { Part } from '../part.ts'

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

export const traps: Part = {
  name: 'traps',
  options: {
    heading: 'What to crawl:',
    rows,
  },
  isUsed: ({ traps: wanted }) => wanted,
  work: () => import('./crawl-traps.ts'),
}
