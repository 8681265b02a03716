/**
 * OPIC, on-line page importance computation: every page owns some cash and distributes it equally along its
 * links when it is crawled. The score of a waiting page is the cash it has received.
 *
 * Abiteboul, Preda and Cobena, "Adaptive On-Line Page Importance Computation", 2003; as a crawl order in
 * Castillo's thesis. Every page owns 1 from the start, which is not part of its score (S15); with `initial:
 * 'seeds'` only the seeds own anything, 1 between them, and it counts as received. Cash that reaches a
 * crawled page is lost, and so is the cash of a page without links.
 */
import { noParent, type Strategy, type StrategyServices } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'

export function opic(options: { initial?: 'pages' | 'seeds' } = {}): Strategy {
  const received = new GrowingFloat64()
  /** The same for crawled pages, which the score does not count: kept if `masses` was called. */
  let lost: GrowingFloat64 | undefined
  const own = options.initial === 'seeds' ? 0 : 1
  let services: StrategyServices | undefined
  const linked = (page: number, share: number): number => {
    if (services?.isCrawled(page) === true) {
      if (lost !== undefined) lost.array[page] += share
      return 0
    }
    return (received.array[page] += share)
  }
  const take = (page: number): void => {
    received.array[page] = 0
  }
  return {
    name: 'opic',
    start: (given) => {
      services = given
    },
    seeded(seeds) {
      if (own === 0) for (const seed of seeds) received.array[seed] += 1 / seeds.length
    },
    discovered(page, parent) {
      received.ensure(page)
      lost?.ensure(page)
      return parent === noParent ? received.array[page] : 0
    },
    visited: (page, linkCount) => (linkCount === 0 ? 0 : (own + received.array[page]) / linkCount),
    linked,
    score: (page) => received.array[page],
    ...(own === 0
      ? {}
      : { sharding: { amount: (page) => received.array[page], take, arrived: linked, limit: () => 0 } }),
    masses() {
      const late = (lost = new GrowingFloat64())
      return (page) => own + received.array[page] + late.array[page]
    },
    relinked: (page, linkCount) =>
      linkCount === 0 ? 0 : (own + received.array[page] + (lost?.array[page] ?? 0)) / linkCount,
    transfer(state) {
      state.section('opic', 1)
      state.growing(received)
      if (lost !== undefined) state.growing(lost)
    },
  }
}
