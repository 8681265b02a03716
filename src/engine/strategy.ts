/**
 * What every ordering strategy offers. A strategy is written as what travels along a link: when a page is crawled, each of
 * its links carries the same *share* to its target, and the target's score follows from the shares it has received.
 *
 * A strategy's answers depend only on what it was told and on its seed. It keeps no books for the frontier: which pages
 * wait, and which of them is best, is the engine's business.
 */
import type { StateCodec } from '../lib/state.ts'
import type { KnownLinks } from './known-links.ts'
import type { Reading } from './reading.ts'

/** In place of a parent: the page is a seed. */
export const noParent = -1

export interface Strategy {
  readonly name: string

  /**
   * A page was found, by a link of `parent` (after `visited(parent)`) or as a seed (`noParent`). Pages are numbered in
   * the order they are found, and each is told once. Answers its first score, before any share has reached it.
   */
  discovered(page: number, parent: number): number

  /**
   * A page was crawled and has this many links. Answers the share that each of them carries; 0 means that links carry
   * nothing, and `linked` is not called for them.
   */
  visited(page: number, linkCount: number): number

  /**
   * What the page that is visited next says, where the crawl has a topic. Absent: the strategy does not ask for words, and none are
   * kept. Its links are then told to `linked` in this order, if they carry a share.
   */
  read?(page: number, reading: Reading): void

  /** A link carries `share` to this page, crawled or waiting. Answers its score now. */
  linked(page: number, share: number): number

  /** The score of a page now. The engine rounds it (S8) to compare; the strategy goes on with the exact one. */
  score(page: number): number

  /** What `--scores` shows for a page that is taken; its score where this is absent. */
  shown?(page: number): number

  /**
   * Called once before anything else. A strategy that changes scores by itself, outside `linked`, keeps `services`.
   */
  start?(services: StrategyServices): void

  /**
   * Called before a page is chosen, with the best waiting page. True: some score changed, ask again with the best
   * waiting page as it is now. (RankMass expands a crawled page here instead of downloading.)
   */
  advance?(best: number): boolean

  /** Recompute whenever the number of crawled pages is a multiple of this, 0 included; all waiting pages are then scored anew. */
  readonly every?: number
  /** Pages are chosen this many at a time: recompute, choose, crawl all of them in that order, and again. */
  batchSize?(waiting: number): number
  /** Called at those moments. */
  rescore?(): void

  /** Orders sites instead of pages: the site with the most waiting pages first, its pages first in first out. */
  readonly ranksSites?: boolean

  /**
   * A page does not come. Why is in `services.lossOf`; importance that rests on it, or comes to it later, may not be obtainable
   * (coverage.ts). Not called for the page that stands for the outside.
   */
  failed?(page: number): void

  /**
   * The share of the obtainable RankMass that the pages crawled so far certainly hold (coverage.ts). Absent where the strategy
   * guarantees nothing.
   */
  coverage?(): number
  /** The largest coverage that the pages which the user's limits exclude leave possible. Absent: not known. */
  reach?(): number
  /** A page that had failed, and whose importance counted as `excluded` or obtainable, waits again. Called before its state changes. */
  retried?(page: number): void
  /**
   * The crawl is over, and was not interrupted: what was put off until the next choice is done now, so that `coverage`
   * tells all that is certain.
   */
  ended?(): void
  /** The seeds in order, once all are known; for strategies that trust them. */
  seeded?(seeds: readonly number[]): void

  /**
   * Writes everything that the strategy remembers between two facts, or reads it back, after `start`: the same facts give the same
   * bytes. Absent: a crawl is resumed by replaying its whole log instead of from a snapshot.
   */
  transfer?(state: StateCodec): void
}

/** What the engine offers a strategy. */
export interface StrategyServices {
  /** The links of all crawled pages. Asking for it makes the engine keep them: 4 bytes a link. */
  readonly links: KnownLinks
  /** Pages known: numbers 0 to known() - 1. */
  known(): number
  crawledCount(): number
  isCrawled(page: number): boolean
  isWaiting(page: number): boolean
  /** Is the importance that rests on this page `obtainable`, `unobtainable` or `excluded` (page-states.ts)? */
  lossOf(page: number): number
  /** The site of a known page; `noSite` of the one that stands for the outside. */
  siteOf(page: number): number
  /** The score of a waiting page changed outside `linked`. Does nothing for a page that does not wait. */
  rescored(page: number): void
}
