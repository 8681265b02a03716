/**
 * Random: a waiting page uniformly at random.
 *
 * Each page gets an alarm that rings after an exponentially distributed time, counted from the last ring; the
 * next alarm to ring is the next page. The exponential distribution is memoryless, so old and new pages are
 * equally likely. The result is exactly uniform, with one draw per page and the ordinary queue.
 */
import { namesOnly } from '../sharding.ts'
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { seededRandom } from '../../lib/random.ts'

export function random(options: { seed: number }): Strategy {
  const alarms = new GrowingFloat64()
  const draw = seededRandom(options.seed)
  let clock = 0
  return {
    name: 'random',
    discovered(page) {
      alarms.ensure(page)
      alarms.array[page] = clock - Math.log(1 - draw.fraction())
      return -alarms.array[page]
    },
    visited(page) {
      // Pages delayed by politeness may ring late; the clock never goes back for them.
      clock = Math.max(clock, alarms.array[page])
      return 0
    },
    linked: () => 0,
    score: (page) => -alarms.array[page],
    sharding: namesOnly((page) => -alarms.array[page]),
    transfer(state) {
      state.section('random', 1)
      state.appended(alarms)
      draw.transfer(state)
      clock = state.number(clock)
    },
  }
}
