/** What the pages of a crawl are for. */
import { RankwardError } from '../../../lib/errors.ts'
import { oneOf } from '../../../lib/value-kinds.ts'
import { usePurposes, type UsePurpose } from '../../../web/preferences/known-signals.ts'
import type { CrawlSettings } from '../../options/crawl-options.ts'
import { on, value } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** The error of pages whose owners do not allow the purpose. */
export const optedOut = 'opted-out'

const rows = {
  /** What the pages are for: those whose owners do not allow it are not fetched. */
  purpose: value(
    'use',
    oneOf(usePurposes),
    `${usePurposes.join(', ')}: do not fetch pages whose owners do not allow this use`,
    { example: 'train-ai' },
  ),
  /** Fetch such pages too; default false. */
  includeOptedOut: on('with --purpose: fetch pages whose owners do not allow that use, too', {
    default: undefined,
    becomes: (given: boolean) => (given ? true : undefined),
  }),
} satisfies Rows

export const preferenceOptions: OptionSet = {
  heading: 'How politely:',
  rows,
  agree: ({ purpose, includeOptedOut, robotsTxt }: Partial<CrawlSettings>): void => {
    if (purpose === undefined && includeOptedOut === true)
      throw new RankwardError(
        'USAGE',
        'includeOptedOut (--include-opted-out) needs purpose (--purpose): without it, no page is left out.',
      )
    if (purpose !== undefined && robotsTxt === false)
      throw new RankwardError(
        'USAGE',
        'purpose (--purpose) needs robots.txt, which has most statements of owners: leave out --no-robots-txt.',
      )
  },
}

/** The purpose by which pages are left out; undefined if none are. */
export function refusedPurpose({
  purpose,
  includeOptedOut,
}: Pick<CrawlSettings, 'purpose' | 'includeOptedOut'>): UsePurpose | undefined {
  return includeOptedOut === true ? undefined : purpose
}
