/**
 * The interface of every ordering strategy. A strategy defines what travels along a link: when a page is
 * crawled, each of its links carries the same *share* to its target, and the score of the target follows from
 * the shares it has received.
 *
 * The results of a strategy depend only on its inputs and its seed. The engine, not the strategy, tracks
 * which pages wait and which of them is best.
 */
import type { StateCodec } from '../lib/state.ts'
import type { KnownLinks } from './known-links.ts'
import type { Reading } from './reading.ts'
import type { Sharding } from './sharding.ts'

/** Replaces the parent of a seed. */
export const noParent = -1

export interface Strategy {
  readonly name: string

  /**
   * A page was found, through a link of `parent` (after `visited(parent)`) or as a seed (`noParent`). Pages
   * are numbered in discovery order; called once per page. Returns its initial score, before it receives any
   * share.
   */
  discovered(page: number, parent: number): number

  /**
   * A page was crawled and has this many links. Returns the share that each of them carries. If the share is
   * 0, `linked` is not called.
   */
  visited(page: number, linkCount: number): number

  /**
   * The reading of the page that is visited next, if the crawl has a topic. If absent, the strategy does not
   * use words, and none are kept. If the links carry a share, `linked` is then called for them in this order.
   */
  read?(page: number, reading: Reading): void

  /** A link carries `share` to this page, crawled or waiting. Returns its new score. */
  linked(page: number, share: number): number

  /**
   * The current score of a page. The engine rounds it (S8) for comparison; the strategy keeps the exact
   * value.
   */
  score(page: number): number

  /** The value that `--scores` prints for a page that is taken. If absent: its score. */
  shown?(page: number): number

  /**
   * Called once before anything else. A strategy that changes scores by itself, outside `linked`, keeps `services`.
   */
  start?(services: StrategyServices): void

  /**
   * Called before a page is chosen, with the best waiting page. Returns true if some score changed; the
   * engine then calls it again with the best waiting page at that point. (RankMass expands a crawled page
   * here instead of downloading.)
   */
  advance?(best: number): boolean

  /**
   * Recompute whenever the number of crawled pages is a multiple of this, including 0. All waiting pages are
   * then rescored. In a crawl that fetches pages again, versions of pages count (S60).
   */
  readonly every?: number
  /** Choose this many pages at a time: recompute, choose, crawl all of them in that order, and repeat. */
  batchSize?(waiting: number): number
  /** Called at each recomputation. */
  rescore?(): void

  /** Orders sites instead of pages: the site with the most waiting pages first, its pages first in first out. */
  readonly ranksSites?: boolean

  /**
   * A page is not fetched. `services.lossOf` has the reason. Importance that rests on the page or reaches it
   * later may be unobtainable (coverage.ts). Not called for the page that stands for the outside.
   */
  failed?(page: number): void

  /**
   * The guaranteed share of the obtainable RankMass held by the pages crawled so far (coverage.ts). Absent if
   * the strategy guarantees nothing.
   */
  coverage?(): number
  /**
   * The highest coverage that is possible given the pages excluded by the user's limits. Absent if unknown.
   */
  reach?(): number
  /** A page that had failed or left waits again. Called before its state changes. */
  retried?(page: number): void
  /**
   * Called once, after `start`, if the crawl fetches pages again. Returns a function that estimates the
   * importance of any known page, crawled or waiting, in one unit. From then on the strategy keeps whatever
   * this needs. If absent, all pages are equally important.
   */
  masses?(): (page: number) => number
  /** The links of a refetched page are about to be replaced; `services.links` still has the old ones. */
  relinking?(page: number): void
  /**
   * A refetched page has `linkCount` links, of which it did not have `newCount` before. Returns the share that each of the new
   * ones carries. If absent, links carry nothing.
   */
  relinked?(page: number, linkCount: number, newCount: number): number
  /** The links of a refetched page were replaced, and all their targets are known. For strategies that call back what flowed along removed links. */
  rerouted?(page: number): void
  /**
   * A crawled page is gone or forbidden (`services.lossOf`): its copy and its links do not count any more; `services.links` still has them.
   * `retried` is called before it waits again, and `failed` if that fetch fails too.
   */
  left?(page: number): void
  /** A page that had left was fetched again: its copy and its current links count. */
  rejoined?(page: number): void
  /** Called after each look at a page: bounded work that changes of links have left over. */
  repair?(): void
  /** A sitemap or feed of `parent` lists this new page, which no link leads to. If absent, it gets the share of a link (`relinked`). */
  hinted?(page: number, parent: number): void
  /**
   * The crawl is over and was not interrupted. Work deferred until the next choice is done now, so that
   * `coverage` is complete.
   */
  ended?(): void
  /** The seeds in order, once all are known; for strategies that use them as trusted pages. */
  seeded?(seeds: readonly number[]): void

  /** Lets the crawl run on several shards. If absent, it runs on one. */
  readonly sharding?: Sharding

  /**
   * Writes everything that the strategy remembers between two facts, or reads it back after `start`: equal
   * facts give equal bytes. If absent, a crawl is resumed by replaying its whole log instead of from a
   * snapshot.
   */
  transfer?(state: StateCodec): void
}

/** The services that the engine offers a strategy. */
export interface StrategyServices {
  /** The links of all crawled pages. Reading this property makes the engine store them: 4 bytes per link. */
  readonly links: KnownLinks
  /** Number of known pages, numbered 0 to known() - 1. */
  known(): number
  /** True if the engine is one of several shards. */
  readonly isShard: boolean
  /** How many of them another shard owns. */
  awayCount(): number
  crawledCount(): number
  isCrawled(page: number): boolean
  /** True if the page is crawled and was not found gone or forbidden since. */
  isHeld(page: number): boolean
  isWaiting(page: number): boolean
  /** Whether the importance of this page is `obtainable`, `unobtainable`, `excluded` or `elsewhere` (page-states.ts). */
  lossOf(page: number): number
  /** The site of a known page; `noSite` for the page that stands for the outside. */
  siteOf(page: number): number
  /** The URL of a known page; empty if the web has none. */
  urlOf(page: number): string
  /** The host of a known page, with its port unless it is the scheme's default; empty if the web has no URLs. */
  siteNameOf(page: number): string
  /**
   * The anchor text of the link that led to the discovery of a page; empty for seeds, and in simulations. A crawl records
   * anchors if its strategy is a user's.
   */
  anchorOf(page: number): string
  /**
   * The score of a waiting page changed outside `linked`, or the mass of a crawled page if `masses` was called. No effect on
   * other pages.
   */
  rescored(page: number): void
}
