/** Trap detection: kinds of pages that link to ever more pages of the same kind are put last, and refused as a last resort. */
import { RankwardError } from '../../../lib/errors.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import { off } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import type { Part } from '../part.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {
    /** A resume turned detection off. Its state is still part of the crawl's snapshots. */
    readonly trapsEnded?: true
  }
  interface CrawlCliOptions extends CliOf<PartRows> {}
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
}
type PartRows = typeof rows

const rows = {
  /** Detect traps: kinds of pages that link to ever more pages of the same kind; default true. */
  traps: off('disable trap detection: kinds of pages that link to ever more pages of the same kind', {
    default: true,
    later: 'both',
  }),
} satisfies Rows

export const traps: Part = {
  name: 'traps',
  options: {
    heading: 'What to crawl:',
    rows,
    resumed(before, { traps: wanted }) {
      const isWatched = before.traps || before.trapsEnded === true
      if (wanted === true && !isWatched)
        throw new RankwardError(
          'USAGE',
          'Trap detection cannot begin in a crawl that was started without it.',
        )
      return isWatched && wanted === false ? { trapsEnded: true } : {}
    },
  },
  isUsed: ({ traps: wanted, trapsEnded }) => wanted || trapsEnded === true,
  isReadmitted: ({ traps: wanted }, error) => !wanted && error.startsWith('trap-'),
  shows: {
    hasMore: ({ totals, settings }) => !settings.traps && totals.refusedAsTraps > 0,
  },
  reader: workerEntry(import.meta.url, './pair-reader'),
  thread: ({ traps: wanted }) => (wanted ? true : undefined),
  work: () => import('./crawl-traps.ts'),
}
