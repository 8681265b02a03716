/**
 * Shards of a crawl whose links change, at the level of the protocol: negative amounts travel like others, no mass is made or lost, and
 * what the heads of all shards prove is at most the truth for the links as last fetched, also while messages are on their way (S70).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageOf, fitTogether } from '../src/cluster/protocol/heads.ts'
import type { ShardHead } from '../src/cluster/protocol/shard-group.ts'
import { placedSeeds } from '../src/cluster/protocol/placement.ts'
import { Shard } from '../src/cluster/protocol/shard.ts'
import { Engine } from '../src/engine/engine.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import { seededRandom, type Random } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { VirtualNames } from '../src/simulator/cluster/virtual-names.ts'
import { seeded } from './arbitrary-graph.ts'

const damping = 0.85
const pages = 18
const shards = 3
const hour = 3600
const trust = [1, 2]
/** One site a page, spread over the shards. */
const web = {
  seeds: [0, 1],
  siteOf: Uint32Array.from({ length: pages }, (_, page) => page),
  shardOfSite: Uint32Array.from({ length: pages }, (_, page) => page % shards),
}

function shardOf(name: string, number: number): { shard: Shard; names: VirtualNames } {
  const names = new VirtualNames(web, number)
  const seeds = placedSeeds(
    number,
    web.seeds.map((seed) => seed % shards),
    trust,
  )
  const shard = new Shard({
    number,
    shards,
    names,
    seeds,
    makeEngine: (parts) =>
      new Engine({
        ...parts,
        strategy: strategyOf(name, { damping, webPages: pages, seed: 1, trust: (i) => seeds.weights[i] }),
        frontier: new TwoLevelFrontier(),
        recrawl: { policy: recrawlPolicyOf('uniform'), frontier: new TwoLevelFrontier(), restSeconds: 0 },
      }),
  })
  return { shard, names }
}

/** The truth for the links as last fetched, of the whole crawl. */
function exact(links: ReadonlyMap<number, readonly number[]>): number {
  let now = Float64Array.from({ length: pages }, (_, page) => (page < trust.length ? trust[page] / 3 : 0))
  let held = 0
  for (let moved = 1; moved > 1e-13;) {
    const next = new Float64Array(pages)
    moved = 0
    now.forEach((mass, page) => {
      const list = links.get(page)
      if (list === undefined) return
      held += (1 - damping) * mass
      moved += mass
      if (list.length === 0) trust.forEach((weight, seed) => (next[seed] += (damping * mass * weight) / 3))
      for (const to of list) next[to] += (damping * mass) / list.length
    })
    now = next
  }
  return held
}

class Crawl {
  readonly all: ReturnType<typeof shardOf>[]
  readonly links = new Map<number, number[]>()
  readonly #draw: Random
  #now = 0
  /** The messages that each shard has not received yet, by source. */
  readonly #sent = new Uint32Array(shards)

  constructor(name: string, seed: number) {
    this.#draw = seededRandom(seed)
    this.all = Array.from({ length: shards }, (_, number) => shardOf(name, number))
    for (const { shard } of this.all) shard.seed()
  }

  /** A random shard looks at a page, whose links have changed. */
  look(): void {
    const draw = this.#draw
    const { shard, names } = this.all[draw.below(shards)]
    const taken: number[] = []
    this.#now += hour
    shard.engine.dispatch({
      now: () => this.#now,
      fetch: (_site, list) => void taken.push(list[0]),
      deliver: () => {},
      wait: () => undefined,
    })
    for (const page of taken) {
      const node = names.nodeOf(page)
      const nodes = [...new Set(Array.from({ length: draw.below(5) }, () => draw.below(pages)))]
      const before = names.known
      const targets = Uint32Array.from(nodes, (to) => names.pageOf(to))
      const sites = Uint32Array.from({ length: names.known - before }, (_, i) => names.siteOf(before + i))
      const isFirst = !shard.engine.pages.isCrawled(page)
      if (isFirst) shard.engine.fetched(page, targets, targets.length, sites)
      if (isFirst) shard.engine.looked(page, this.#now, 'first')
      else shard.engine.looked(page, this.#now, 'changed', targets, targets.length, sites)
      this.links.set(node, nodes)
      shard.engine.closed(shard.engine.pages.siteOf(page), this.#now)
      shard.touched()
    }
  }

  cut(): void {
    const { shard } = this.all[this.#draw.below(shards)]
    shard.makeCut(this.#draw.fraction() < 0.5 ? 0 : 1e-3, true)
  }

  /** One message of a random shard arrives everywhere. Returns false if there is none. */
  deliver(source = this.#draw.below(shards)): boolean {
    const { shard } = this.all[source]
    const bytes = shard.message(this.#sent[source] + 1)
    if (bytes === undefined) return false
    const number = ++this.#sent[source]
    for (const other of this.all) if (other.shard !== shard) other.shard.receive(bytes)
    shard.settle(number)
    return true
  }

  /** Exchanges until nothing of any size moves. */
  settle(): void {
    for (let round = 0; round < 200; round++) {
      for (const { shard } of this.all) shard.makeCut(1e-9, true)
      let isMoved = false
      for (let source = 0; source < shards; source++) while (this.deliver(source)) isMoved = true
      if (!isMoved) return
    }
  }

  get guaranteed(): number {
    return coverageOf(
      this.all.map(({ shard }) => shard.head('work', 'a.1', 1)),
      damping,
    )
  }

  /** The mass of all shards, and what they owe. */
  get mass(): { sum: number; owed: number } {
    let sum = 0
    let owed = 0
    for (const { shard } of this.all) {
      const { account } = shard.head('work', 'a.1', 1)
      const { certain, crumbs, waiting, away, excluded, unobtainable } = account
      sum += certain + (crumbs + waiting + away + excluded + unobtainable) / (1 - damping)
      owed += account.owed
    }
    return { sum, owed }
  }
}

describe.each(['rankmass', 'exact-rankmass'])('shards of %s whose links change', (name) => {
  it('never prove more than is true, whatever is on its way, and conserve mass', () => {
    let owing = 0
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const crawl = new Crawl(name, seed)
        const draw = seededRandom(seed, 1)
        for (let step = 0; step < 120; step++) {
          const kind = draw.below(5)
          if (kind < 3) crawl.look()
          else if (kind === 3) crawl.cut()
          else crawl.deliver()
          expect(crawl.guaranteed).toBeLessThanOrEqual(exact(crawl.links) + 1e-9)
          if (crawl.mass.owed > 1e-6) owing++
        }
        crawl.settle()
        expect(crawl.mass.sum).toBeCloseTo(1, 9)
        const truth = exact(crawl.links)
        expect(crawl.guaranteed).toBeLessThanOrEqual(truth + 1e-9)
        expect(crawl.guaranteed).toBeGreaterThan(truth - 0.02)
      }),
      seeded(25),
    )
    // Negative amounts did travel.
    expect(owing).toBeGreaterThan(100)
  })

  it('prove no more than is true by heads of different moments, if these fit together', () => {
    let fitting = 0
    let tooMuch = 0
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const crawl = new Crawl(name, seed)
        const draw = seededRandom(seed, 2)
        const moments: { heads: ShardHead[]; links: Map<number, number[]> }[] = []
        for (let step = 0; step < 80; step++) {
          const kind = draw.below(4)
          if (kind < 2) crawl.look()
          else if (kind === 2) crawl.cut()
          else crawl.deliver()
          const heads = crawl.all.map(({ shard }) => shard.head('work', 'a.1', 1))
          moments.push({ heads, links: new Map(crawl.links) })
          const at = Array.from({ length: shards }, () => Math.max(0, step - draw.below(6)))
          const mixed = at.map((moment, shard) => moments[moment].heads[shard])
          const links = new Map<number, number[]>()
          for (const [shard, moment] of at.entries())
            for (const [node, list] of moments[moment].links)
              if (node % shards === shard) links.set(node, list)
          const isTooMuch = coverageOf(mixed, damping) > exact(links) + 1e-9
          if (fitTogether(mixed)) {
            fitting++
            expect(isTooMuch).toBe(false)
          } else if (isTooMuch) tooMuch++
        }
      }),
      seeded(25),
    )
    expect(fitting).toBeGreaterThan(500)
    // Others do not prove anything.
    expect(tooMuch).toBeGreaterThan(0)
  })

  it('have the same state when it is restored, with what their messages owe', () => {
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const crawl = new Crawl(name, seed)
        for (let step = 0; step < 60; step++) {
          crawl.look()
          if (step % 7 === 0) crawl.cut()
        }
        for (const { shard } of crawl.all) {
          const bytes = Buffer.concat(savedState([shard]))
          const { shard: restored } = shardOf(name, shard.number)
          restoreState([restored], [bytes])
          expect(Buffer.concat(savedState([restored])).equals(bytes)).toBe(true)
          expect(restored.head('work', 'a.1', 1).account).toEqual(shard.head('work', 'a.1', 1).account)
        }
      }),
      seeded(10),
    )
  })
})
