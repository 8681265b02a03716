/** Near-duplicates: how similar their texts are. */
import { between } from '../../../lib/value-kinds.ts'
import { valueOrNo } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

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

export const duplicateOptions: OptionSet = {
  heading: 'Duplicate URLs and pages:',
  rows,
}
