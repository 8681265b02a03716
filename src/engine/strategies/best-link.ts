/** Orders whose score of a waiting page is that of the best link to it seen so far. On shards, the best score of a page travels to it. */
import { emptyReading, type Reading } from '../reading.ts'
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'

/** `worthOf`: of a link, by its position on the page that was read. */
export function bestLink(name: string, worthOf: (reading: Reading, link: number) => number): Strategy {
  const best = new GrowingFloat64()
  const raise = (page: number, worth: number): number =>
    (best.array[page] = Math.max(best.array[page], worth))
  let reading: Reading = emptyReading
  let link = 0
  return {
    name,
    discovered(page) {
      best.ensure(page)
      return 0
    },
    read(_page, read) {
      reading = read
      link = 0
    },
    visited: () => 1,
    linked: (page) => raise(page, worthOf(reading, link++)),
    score: (page) => best.array[page],
    sharding: {
      amount: (page) => best.array[page],
      take: (page) => {
        best.array[page] = 0
      },
      arrived: raise,
      limit: () => 0,
    },
    // Words of refetched pages are not known.
    relinked() {
      reading = emptyReading
      return 0
    },
    transfer(state) {
      state.section(name, 1)
      state.growing(best)
    },
  }
}
