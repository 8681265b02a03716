/**
 * L-Neighbor: level by level from the seeds. When all pages at most L links away are crawled, they hold at least
 * 1 - d^(L+1) of the RankMass, whatever the rest of the web looks like.
 *
 * Cho and Schonfeld, "RankMass Crawler", 2007, theorem 1. One level a page and one counter a level. Politeness may let a
 * farther page be crawled before a nearer one; a page found by such a detour takes the shorter way's level once that is
 * known, and passes it on if it is crawled itself, or the guarantee would count it as farther away than it is.
 */
import { noParent, type Strategy, type StrategyServices } from '../engine/strategy.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import { transferList } from '../lib/state-collections.ts'
import { Uint32Stack } from '../lib/stack.ts'

export function lNeighbor(options: { damping: number }): Strategy {
  /** The shortest way from a seed over crawled pages. */
  const levels = new GrowingUint32()
  /** Pages of each level that are not crawled yet. */
  const open: number[] = []
  /** The lowest level that was open when `coverage` was last asked. It never falls: new ways begin at open pages. */
  let lowest = 0
  let services: StrategyServices | undefined
  /** Crawled pages that have a lower level, of which their links do not know yet. */
  const lowered = new Uint32Stack()

  const lower = (page: number, level: number): void => {
    const before = levels.array[page]
    levels.array[page] = level
    if (services!.isCrawled(page)) lowered.push(page)
    else {
      open[before]--
      open[level] = (open[level] ?? 0) + 1
      services!.rescored(page)
    }
  }

  const passOn = (): void => {
    const { links } = services!
    while (lowered.length > 0) {
      const page = lowered.pop()
      const level = levels.array[page] + 1
      links.seek(page)
      const { targets, start, end } = links
      for (let i = start; i < end; i++) if (level < levels.array[targets[i]]) lower(targets[i], level)
    }
  }

  return {
    name: 'l-neighbor',
    start(given) {
      services = given
      void given.links
    },
    discovered(page, parent) {
      const level = parent === noParent ? 0 : levels.array[parent] + 1
      levels.ensure(page)
      levels.array[page] = level
      open[level] = (open[level] ?? 0) + 1
      return -level
    },
    visited(page) {
      open[levels.array[page]]--
      return levels.array[page] + 1
    },
    linked(page, share) {
      if (share < levels.array[page]) {
        lower(page, share)
        passOn()
      }
      return -levels.array[page]
    },
    score: (page) => -levels.array[page],
    shown: (page) => levels.array[page],
    coverage() {
      // A level that is empty while a lower one is open may still get pages; below the lowest open one nothing changes.
      while (lowest < open.length && open[lowest] === 0) lowest++
      return lowest >= open.length && open.length > 0 ? 1 : 1 - options.damping ** lowest
    },
    // `lowest` depends on when it was asked for, and is found again.
    transfer(state) {
      state.section('l-neighbor', 1)
      state.growing(levels)
      transferList(state, open)
    },
  }
}
