/**
 * Patience: politeness makes a crawl take what is free instead of what is best. With patience θ, a page is taken only if its key is at
 * least θ times that of the best page that waits for politeness alone; otherwise the connection stays free until a better page
 * may be requested (S73). θ = 0 takes whatever is free; θ = 1 is the order without politeness.
 *
 *   best page of the free sites ▷ key ≥ θ · best key of the sites that hold others up? ▷ yes: take it; no: wait
 *
 * A site *holds others up* while it is busy or rests, if its last request was answered: such a site rests for politeness alone. A
 * site that has not answered yet, is slow, failed, or asked for a later retry does not. So every wait ends: the page that is waited for is
 * at a site that becomes free by itself, and then that page is the best.
 *
 * One byte per site.
 */
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { atLeast, ValueError, type ValueKind } from '../lib/value-kinds.ts'
import { batchSizes } from './batch.ts'
import { ConnectionTime } from './connection-time.ts'
import type { Connections } from './connections.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import { none } from './page-forest.ts'
import type { PageStates } from './page-states.ts'
import type { Recrawl } from './recrawl.ts'
import type { Verdict } from './recrawl-policy.ts'
import type { FailureCause } from './world.ts'

const daySeconds = 86_400

/**
 * `--patience last`: only pages put last wait (S69), since their key is below this share of any other. On several machines, workers keep the
 * order between them. It is a share like any other, so that the engine has one rule.
 */
export const lastOnly = 1e-6

const share = atLeast(0, 1)

export const patienceValue: ValueKind<number> = {
  read: (text) => {
    if (text.trim() === 'last') return lastOnly
    try {
      return share.read(text)
    } catch {
      throw new ValueError('a number from 0 to 1, or last')
    }
  },
  json: ['number', 'string'],
  range: { min: 0, max: 1 },
  known: ['last'],
}

/** `0.03`, or `last`. */
export function patienceText(patience: number): string {
  return patience === lastOnly ? 'last' : String(patience)
}

/** The strategy of a run, and its patience if several are compared. */
export function runName(run: { readonly strategy: string; readonly patience?: number | undefined }): string {
  return run.patience === undefined ? run.strategy : `${run.strategy}, patience ${patienceText(run.patience)}`
}

/** Whether a request was answered that ended so. Pages that were not requested say nothing about their site. */
const answers: Readonly<Partial<Record<FailureCause, boolean>>> = {
  failed: true,
  temporary: false,
  unreachable: false,
}

/**
 * Undefined if whatever is free is taken. All pages of a batch are taken before others are chosen, so with batches there is nothing to
 * wait for.
 */
export function patienceOf(options: EngineOptions, parts: PatienceParts): Patience | undefined {
  const { patience = 0, frontier } = options
  if (patience === 0 || frontier.holdUp === undefined || batchSizes(options) !== undefined) return undefined
  return new Patience(patience, parts, options.isShard === true)
}

export interface PatienceParts {
  readonly pages: PageStates
  /** Of new pages, and of held ones if there are any. */
  readonly frontiers: readonly Frontier[]
  readonly connections: Connections
  /** Number of pages that may still be taken. */
  readonly pagesLeft: () => number
}

export class Patience {
  readonly #patience: number
  readonly #parts: PatienceParts
  readonly #pages: PageStates
  readonly #frontiers: readonly Frontier[]
  /** 1 for a site whose last request was answered. */
  readonly #answered = new GrowingUint8(64)
  /**
   * Undefined if it is not measured. The worker of a shard limits its connections page by page; in a crawl that fetches pages again a site may be
   * free for a new and for a held page; and a frontier of a user may not count its free sites.
   */
  readonly time: ConnectionTime | undefined

  constructor(patience: number, parts: PatienceParts, isShard: boolean) {
    this.#patience = patience
    this.#parts = parts
    this.#pages = parts.pages
    this.#frontiers = parts.frontiers
    const isMeasured = !isShard && parts.frontiers.length === 1 && parts.frontiers[0].freeSites !== undefined
    this.time = isMeasured ? new ConnectionTime() : undefined
  }

  /** All pages that are due have been requested. */
  dispatched(now: number): void {
    if (this.time === undefined) return
    this.time.changed(now, this.#parts.connections.max, this.time.isWaiting ? this.keptFree(now) : 0)
    this.time.isWaiting = false
  }

  /** The number of connections that stay free now although each could request a page. In a crawl with held pages: 0. */
  keptFree(now: number): number {
    const { connections, pagesLeft } = this.#parts
    if (connections.isFull) return 0
    const [frontier] = this.#frontiers
    const best = frontier.best(now, connections.provenOnly)
    if (best === none || !this.isTooEarly(best, now)) return 0
    const unproven = Math.min(frontier.freeSites!(false), connections.unprovenFree)
    return Math.min(connections.free, frontier.freeSites!(true) + unproven, pagesLeft())
  }

  /** The best new page could be taken now. Returns true if the connection stays free instead. With held pages, `isEarlyAmong` tells. */
  isTooEarly(page: number, now: number): boolean {
    if (this.#frontiers.length > 1) return false
    const awaited = this.#frontiers[0].heldUpFor!(now)
    const isTooEarly = awaited !== none && this.#isBelow(this.#rankOf(page), this.#rankOf(awaited))
    if (this.time !== undefined) this.time.isWaiting = isTooEarly
    return isTooEarly
  }

  /**
   * The same in a crawl that fetches pages again, where the keys of new and held pages are compared. `takesNew`: false if no new page may
   * be taken, so that none is worth waiting for.
   */
  isEarlyAmong(
    { price, policy }: Pick<Recrawl, 'price' | 'policy'>,
    now: number,
    takesNew: boolean,
  ): boolean {
    const [page, held] = this.#frontiers.map((frontier) => frontier.heldUpFor!(now))
    const newKey = page === none || !takesNew ? 0 : policy.newKey(page, now / daySeconds)
    return this.#isBelow(price.taken, Math.max(newKey, held === none ? 0 : this.#frontiers[1].keyOf!(held)))
  }

  /** The best key at the sites that hold others up; 0 if there is none. */
  awaitedKey(now: number): number {
    const awaited = this.#frontiers[0].heldUpFor!(now)
    return awaited === none ? 0 : this.#rankOf(awaited)
  }

  /** Whether a key is too small beside the best one. Of keys below 0, such as those of breadth-first, 1/θ times the best is enough. */
  #isBelow(key: number, best: number): boolean {
    return key < (best < 0 ? best / this.#patience : best * this.#patience)
  }

  #rankOf(page: number): number {
    return this.#frontiers[0].rankOf!(page, this.#pages.siteOf(page))
  }

  answered(site: number, isAnswered: boolean): void {
    this.#answered.ensure(site)
    if (this.#answered.array[site] === Number(isAnswered)) return
    this.#answered.array[site] = Number(isAnswered)
    for (const frontier of this.#frontiers) frontier.holdUp!(site, isAnswered)
  }

  /** A look at a held page. */
  looked(page: number, verdict: Verdict): void {
    if (verdict !== 'forbidden') this.answered(this.#pages.siteOf(page), verdict !== 'failed')
  }

  failed(site: number, cause: FailureCause): void {
    const isAnswered = answers[cause]
    if (isAnswered !== undefined) this.answered(site, isAnswered)
  }

  transfer(state: StateCodec): void {
    state.section('patience', 2)
    state.growing(this.#answered)
    if (!state.isReading) return
    for (let site = 0; site < this.#answered.length; site++) {
      if (this.#answered.array[site] === 1)
        for (const frontier of this.#frontiers) frontier.holdUp!(site, true)
    }
  }
}
