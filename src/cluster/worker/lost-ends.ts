/**
 * Finds streams that have lost their end, as in a power failure of a majority of the servers. Going on would count mass twice, fetch
 * more pages than the budget, or ignore a command: the worker ends instead.
 *
 * | lost | found by |
 * | --- | --- |
 * | a cut of a journal | another shard has applied its message |
 * | pages, or shares of the rate, that a shard gave back | a later grant states how many it counted as given back |
 * | a command | a shard has obeyed a higher number |
 */
import { RankwardError } from '../../lib/errors.ts'
import type { ControlState } from '../protocol/control.ts'
import { lostCut, type LostCut } from '../protocol/heads.ts'
import type { Heads } from './ports.ts'

const powerFailure =
  'The servers must have lost stored messages, as in a power failure. The crawl cannot continue.'

export class LostEnds {
  #heads: Heads = []
  /** By shard: the pages given back that the grants so far have counted. */
  #returned = new Float64Array(0)
  #shares = new Float64Array(0)

  /**
   * Called at each look: `heads` were read before `state`, and both after those of the last call. Unless all `areRead`, those of own shards are
   * what this worker has stored itself. Another one may have taken a shard without this one knowing: then false is returned, and all must be read.
   */
  check(heads: Heads, state: ControlState, areRead = true): boolean {
    try {
      this.#check(heads, state)
      return true
    } catch (error) {
      if (areRead) throw error
      return false
    }
  }

  #check(heads: Heads, state: ControlState): void {
    const lost = lostCut(this.#heads, heads)
    if (lost !== undefined) throw lostJournal(lost)
    for (const [shard, head] of heads.entries()) {
      checkReturned(shard, 'pages', this.#returned[shard], head?.returned)
      checkReturned(shard, 'shares of the rate', this.#shares[shard], head?.sharesReturned)
      if ((head?.control ?? 0) > state.number)
        throw lostEnd(
          `The control stream of the crawl ${state.crawl} has lost its end: shard ${shard} has obeyed message ${head?.control}, the stream has ${state.number}.`,
        )
    }
    this.#heads = heads
    this.#returned = state.returned.slice()
    this.#shares = state.sharesReturned.slice()
  }
}

function checkReturned(shard: number, what: string, counted = 0, has = 0): void {
  if (has < counted)
    throw lostEnd(
      `The journal of shard ${shard} has lost its end: a grant counts ${counted} ${what} as given back, the journal has ${has}.`,
    )
}

export function lostJournal({ source, target, applied, cut }: LostCut): RankwardError {
  return lostEnd(
    `The journal of shard ${source} has lost its end: shard ${target} has applied its message ${applied}, the journal has ${cut}.`,
  )
}

function lostEnd(what: string): RankwardError {
  return new RankwardError('BAD_STREAM', `${what} ${powerFailure}`)
}
