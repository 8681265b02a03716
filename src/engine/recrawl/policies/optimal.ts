/**
 * The oracle: every page at its optimal rate (Cho and Garcia-Molina, 2003), from true change rates. Pages are first due
 * at a random time within their first interval, so that they do not become due together. Pages that are not worth a
 * refresh are not fetched again.
 */
import type { RecrawlPolicy } from '../../recrawl-policy.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { DueKeys } from '../due-keys.ts'
import type { RecrawlSetting } from './setting.ts'

export function optimal({ fetchesOf, firstDueOf }: RecrawlSetting): RecrawlPolicy {
  if (fetchesOf === undefined || firstDueOf === undefined)
    throw new RankwardError(
      'USAGE',
      'The recrawl policy optimal needs true change rates: only a simulation has them.',
    )
  const keys = new DueKeys()
  const lastLookDay = (page: number): number => keys.dueOf(page) - 1 / fetchesOf(page)
  return {
    name: 'optimal',
    start: (services) => keys.start(services),
    newKey: (page) => -firstDueOf(page),
    looked: (page, day) => keys.set(page, day + 1 / fetchesOf(page)),
    enter: (page) => keys.enter(page),
    lastLookDay,
    view: (page, day) => keys.view(page, day, lastLookDay(page)),
    transfer(state) {
      state.section('optimal', 1)
      keys.transfer(state)
    },
    get byteLength() {
      return keys.byteLength
    },
  }
}
