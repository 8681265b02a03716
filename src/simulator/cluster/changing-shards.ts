/** A stored web that changes, as the shards of a simulated cluster see it: which version a fetch copies, and what a look finds. */
import type { Engine } from '../../engine/engine.ts'
import type { RecrawlOptions } from '../../engine/recrawl-options.ts'
import type { WorldListener } from '../../engine/world.ts'
import { daySeconds, type LinksOverTime, type LookWatch, type PageChanges } from '../worlds/changing-pages.ts'
import type { VirtualNames } from './virtual-names.ts'

interface ChangingShardsOptions {
  readonly nodes: number
  readonly changes: PageChanges
  readonly links: LinksOverTime
  /** Fetches per day, of all shards. */
  readonly perDay: number
  /** Of each new engine. */
  readonly recrawl: () => RecrawlOptions
  readonly onLook: LookWatch
}

interface ShardLook {
  readonly page: number
  readonly names: VirtualNames
  readonly engine: Engine
  /** By the clock of the shard, and by that of the web. */
  readonly seconds: { readonly here: number; readonly true: number }
}

export class ChangingShards {
  readonly #options: ChangingShardsOptions
  /** When the last copy of each node was made, and when it stops being current, in days. */
  readonly #copied: Float64Array
  readonly #stale: Float64Array

  constructor(options: ChangingShardsOptions) {
    this.#options = options
    this.#copied = new Float64Array(options.nodes).fill(NaN)
    this.#stale = new Float64Array(options.nodes).fill(NaN)
  }

  get perDay(): number {
    return this.#options.perDay
  }

  recrawl(): RecrawlOptions {
    return this.#options.recrawl()
  }

  /** A page was fetched. What the shard holds may be older than the last copy, if the owner before was killed. */
  look({ page, names, engine, seconds }: ShardLook, listener: WorldListener): void {
    const { changes, links, onLook } = this.#options
    const node = names.nodeOf(page)
    const day = seconds.true / daySeconds
    const isFirst = !engine.pages.isCrawled(page)
    const verdict = isFirst ? 'first' : this.#isSame(engine, page, node, day) ? 'same' : 'changed'
    this.#copied[node] = seconds.here / daySeconds
    this.#stale[node] = changes.nextChange(node, day)
    onLook(node, day, verdict, this.#stale[node])
    if (verdict === 'same') return listener.looked!(page, seconds.here, verdict)
    links.seek(node, day)
    const knownBefore = names.known
    const targets = Uint32Array.from({ length: links.count }, (_, i) => names.pageOf(links.targets[i]))
    const newSites = Uint32Array.from({ length: names.known - knownBefore }, (_, i) =>
      names.siteOf(knownBefore + i),
    )
    if (isFirst) {
      listener.fetched(page, targets, targets.length, newSites)
      listener.looked!(page, seconds.here, verdict)
    } else listener.looked!(page, seconds.here, verdict, targets, targets.length, newSites)
  }

  #isSame(engine: Engine, page: number, node: number, day: number): boolean {
    const held = engine.recrawl!.policy.lastLookDay(page)
    // Times of facts are milliseconds.
    const isLast = Math.abs(held - this.#copied[node]) < 0.002 / daySeconds
    return isLast && day < this.#stale[node]
  }
}
