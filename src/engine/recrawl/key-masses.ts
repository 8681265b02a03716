/** The masses that keys count: the strategy's importance, with a floor for strategies that see it only near the seeds. */
import type { PageCosts } from '../page-costs.ts'
import type { RecrawlParts } from '../recrawl-options.ts'
import type { Setbacks } from '../setbacks.ts'

/** The default of `RecrawlOptions.jump` in continuous crawls: what PageRank has. */
export const jumpShare = 0.15

interface KeyMassParts extends Pick<RecrawlParts, 'options'> {
  /** Pages that the crawl knows. */
  readonly known: () => number
  readonly setbacks: Setbacks
  /** If fetches cost bytes. */
  readonly costs: PageCosts | undefined
  readonly jump: number
}

/**
 * RankMass and its variants count what flows from the seeds, a total of 1. A page far from the seeds has almost nothing of it, and would never be
 * worth a fetch. So their masses include a jump to all known pages, as PageRank has it. The masses of other strategies have a floor already.
 */
export function keyMasses(
  importanceOf: (page: number) => number,
  { options, known, setbacks, costs, jump: given }: KeyMassParts,
): (page: number) => number {
  const { strategy } = options
  const jump = strategy.masses === undefined || strategy.coverage === undefined ? 0 : given
  return (page) => {
    const importance = importanceOf(page)
    const mass = jump === 0 ? importance : (1 - jump) * importance + jump / known()
    const left = mass * 2 ** -setbacks.misses(page)
    return costs === undefined ? left : left / costs.of(page)
  }
}
