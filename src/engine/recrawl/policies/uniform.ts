/** Uniform: new pages first, by the strategy; then the page with the oldest look. */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { DueKeys } from '../due-keys.ts'

export function uniform(): RecrawlPolicy {
  const keys = new DueKeys()
  return {
    name: 'uniform',
    start: (services: RecrawlServices) => keys.start(services),
    newKey: () => Infinity,
    looked: (page, day) => keys.set(page, day),
    enter: (page) => keys.enter(page),
    lastLookDay: (page) => keys.dueOf(page),
    view: (page, day) => keys.view(page, day, keys.dueOf(page)),
    transfer(state) {
      state.section('uniform', 1)
      keys.transfer(state)
    },
    get byteLength() {
      return keys.byteLength
    },
  }
}
