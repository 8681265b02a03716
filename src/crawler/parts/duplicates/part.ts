/** Duplicates: pages with the body or the text of an earlier page, and those with nearly the same text. */
import { workerEntry } from '../../../lib/worker-entry.ts'
import { between } from '../../../lib/value-kinds.ts'
import { valueOrNo } from '../../options/option-row.ts'
import type { CliOf, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import type { Part } from '../part.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

const rows = {
  /** How similar the texts of near-duplicates are; default 0.9. False disables their detection. */
  nearDuplicates: valueOrNo(
    'x',
    between(0.5, 1),
    'similarity of the texts of near-duplicates',
    'disable the detection of near-duplicates',
    {
      level: 'config',
      default: 0.9,
      becomes: (given: number | false) => (given === false ? undefined : given),
    },
  ),
} satisfies Rows

export const duplicates: Part = {
  name: 'duplicates',
  options: {
    heading: 'Duplicate URLs and pages:',
    rows,
  },
  reader: workerEntry(import.meta.url, './sketch-reader'),
  thread: ({ nearDuplicates }) => nearDuplicates,
  work: () => import('./crawl-duplicates.ts'),
}
