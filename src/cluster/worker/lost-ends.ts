/**
 * Finds streams that have lost their end, as in a power failure of a majority of the servers. Going on would count mass twice, fetch
 * more pages than the budget, or ignore a command: the worker ends instead.
 *
 * | lost | found by |
 * | --- | --- |
 * | a cut of a journal | another shard has applied its message |
 * | pages that a shard gave back | a later grant states how many it counted as given back |
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

  /** Called at each beat: `heads` were read before `state`, and both after those of the last call. */
  check(heads: Heads, state: ControlState): void {
    const lost = lostCut(this.#heads, heads)
    if (lost !== undefined) throw lostJournal(lost)
    for (const [shard, head] of heads.entries()) {
      const counted = this.#returned[shard] ?? 0
      if ((head?.returned ?? 0) < counted)
        throw lostEnd(
          `The journal of shard ${shard} has lost its end: a grant counts ${counted} pages as given back, the journal has ${head?.returned ?? 0}.`,
        )
      if ((head?.control ?? 0) > state.number)
        throw lostEnd(
          `The control stream of the crawl ${state.crawl} has lost its end: shard ${shard} has obeyed message ${head?.control}, the stream has ${state.number}.`,
        )
    }
    this.#heads = heads
    this.#returned = state.returned.slice()
  }
}

export function lostJournal({ source, target, applied, cut }: LostCut): RankwardError {
  return lostEnd(
    `The journal of shard ${source} has lost its end: shard ${target} has applied its message ${applied}, the journal has ${cut}.`,
  )
}

function lostEnd(what: string): RankwardError {
  return new RankwardError('BAD_STREAM', `${what} ${powerFailure}`)
}
