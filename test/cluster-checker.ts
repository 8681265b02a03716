/**
 * Holds the invariants of a cluster against everything that its store accepts. Every journal is replayed group by group, as it
 * grows, in shards of its own; all sums are taken over those.
 */
import { readFacts } from '../src/engine/fact-reader.ts'
import { coverageOf } from '../src/cluster/protocol/heads.ts'
import { messageName, sectionFor } from '../src/cluster/protocol/message.ts'
import { readShardGroup, type ShardHead } from '../src/cluster/protocol/shard-group.ts'
import type { Shard } from '../src/cluster/protocol/shard.ts'
import { savedState } from '../src/lib/state.ts'
import type { ClusterWatch, VirtualCluster } from '../src/simulator/cluster/virtual-cluster.ts'
import type { VirtualNames } from '../src/simulator/cluster/virtual-names.ts'

export class Violation extends Error {}

export interface CheckerOptions {
  readonly damping: number
  /** The trust in the seeds of each shard. */
  readonly trustOfShard: readonly number[]
  /** True RankMass of each node, where pages that fail keep everything that reaches them. */
  readonly truth: readonly number[]
  readonly fails: (node: number) => boolean
  /** False: messages that were not journaled are only found by their effects. */
  readonly checksMessages?: boolean
}

/** Sums of these are exact. */
const isExact = (value: number): boolean => Number.isInteger(value * 2 ** 52)

export class ClusterChecker {
  readonly #options: CheckerOptions
  readonly #mirrors: Shard[] = []
  readonly #heads: ShardHead[][] = []
  /** Messages in the journals, by source and number. */
  readonly #messages: Uint8Array[][] = []
  readonly #fetched = new Set<number>()
  readonly #failed = new Set<number>()
  #covered = 0
  #cluster: VirtualCluster | undefined
  /** How often mass was conserved to the last bit. */
  exactChecks = 0
  checks = 0
  /** How many shards were compared with their replay. */
  states = 0
  #wasExact = true

  constructor(options: CheckerOptions) {
    this.#options = options
  }

  watches(cluster: VirtualCluster): void {
    this.#cluster = cluster
    for (let shard = 0; shard < cluster.options.shards; shard++) {
      this.#mirrors.push(cluster.emptyShard(shard))
      this.#heads.push([])
      this.#messages.push([])
    }
  }

  readonly watch: ClusterWatch = {
    stored: (shard, bytes) => this.#stored(shard, bytes),
    published: (bytes) => this.#published(bytes),
    stopped: () => this.#expectSameStates(),
  }

  #stored(number: number, bytes: Uint8Array): void {
    const shard = this.#mirrors[number]
    const cutBefore = shard.cut
    const head = shard.replay(bytes)
    this.#keepPages(shard, bytes)
    const again = shard.head(head.kind, head.writer, head.group)
    require(JSON.stringify(again.account) === JSON.stringify(head.account), 'a replay has another account')
    require(again.fetched === head.fetched && again.waiting === head.waiting, 'a replay has other pages')
    require(JSON.stringify(again.applied) ===
      JSON.stringify(head.applied), 'a replay has applied other messages')
    for (let cut = cutBefore + 1; cut <= shard.cut; cut++) this.#messages[number][cut] = shard.message(cut)!
    this.#checkHead(number, head)
    this.#checkBalance()
    this.#checkCoverage()
  }

  /** Each page is journaled as fetched once, by one shard. */
  #keepPages(shard: Shard, bytes: Uint8Array): void {
    const names = shard.names as VirtualNames
    readFacts(readShardGroup(bytes).facts, {
      fetched: (page) => {
        const node = names.nodeOf(page)
        require(!this.#fetched.has(node), `page ${node} is journaled twice`)
        this.#fetched.add(node)
      },
      failed: (page) => this.#failed.add(names.nodeOf(page)),
    })
  }

  #checkHead(number: number, head: ShardHead): void {
    const before = this.#heads[number].at(-1)
    this.#heads[number].push(head)
    if (before === undefined) return
    const slack = this.#wasExact ? 0 : 1e-15
    const held = (each: ShardHead): number => each.account.certain + each.account.crumbs
    require(held(head) >= held(before) - slack, 'the certain mass of a shard has shrunk')
    require(head.account.unobtainable >=
      before.account.unobtainable, 'the unobtainable mass of a shard has shrunk')
  }

  /** The mass of the newest groups and of the messages between them is 1. */
  #checkBalance(): void {
    const { damping } = this.#options
    let certain = 0
    let resting = 0
    for (const shard of this.#mirrors) {
      const account = shard.engine.strategy.sharding!.account!()
      const walked = this.#walked(shard)
      certain += account.certain
      resting += walked + this.#inTransitTo(shard)
      if (account.certain === 0 && walked === 0 && shard.cut === 0)
        certain += this.#options.trustOfShard[shard.number]
      if (!isExact(account.certain) || !isExact(resting)) this.#wasExact = false
    }
    const sum = certain + resting / (1 - damping)
    require(Math.abs(sum - 1) <= (this.#wasExact ? 0 : 1e-12), `the mass of all shards is ${sum}`)
    this.checks++
    if (this.#wasExact) this.exactChecks++
  }

  /** All mass that rests in a shard, page by page. */
  #walked(shard: Shard): number {
    const { strategy, pages } = shard.engine
    let crumbs = 0
    let others = 0
    for (let page = 0; page < pages.known; page++) {
      const amount = strategy.sharding!.amount(page)
      if (!isExact(amount)) this.#wasExact = false
      if (pages.isCrawled(page)) crumbs += amount
      else others += amount
    }
    // Mass that is being gathered for the seeds of the shard counts as crumbs and rests on no page.
    const account = strategy.sharding!.account!()
    require(account.crumbs >= crumbs - 1e-15, 'the crumbs of a shard are more than its account says')
    return others + account.crumbs
  }

  #inTransitTo(target: Shard): number {
    let sum = 0
    for (const source of this.#mirrors) {
      if (source === target) continue
      const applied = target.applied[source.number]
      require(applied <= source.cut, `a shard has applied a message that shard ${source.number} never cut`)
      for (let number = applied + 1; number <= source.cut; number++)
        sum += amountFor(this.#messages[source.number][number], target.number)
    }
    return sum
  }

  #checkCoverage(): void {
    const { damping } = this.#options
    const newest = coverageOf(
      this.#heads.map((heads) => heads.at(-1)),
      damping,
    )
    require(newest >= this.#covered - 1e-15, 'the coverage has shrunk')
    this.#covered = newest
    require(newest <= this.#trueCoverage() + 1e-12, `a coverage of ${newest} is more than the truth`)
    // Read at any moments.
    const { random } = this.#cluster!
    const mixture = this.#heads.map((heads) => heads[random.below(heads.length + 1) - 1])
    require(coverageOf(mixture, damping) <=
      newest + 1e-15, 'an older mixture of groups has a larger coverage')
  }

  #trueCoverage(): number {
    const { truth, fails } = this.#options
    const lost = truth.reduce((sum, rank, node) => sum + (fails(node) ? rank : 0), 0)
    return [...this.#fetched].reduce((sum, node) => sum + truth[node], 0) / (1 - lost)
  }

  #published(bytes: Uint8Array): void {
    if (this.#options.checksMessages === false) return
    const { source, number } = messageName(bytes)
    const journaled = this.#messages[source][number]
    require(journaled !== undefined, 'a message was published before its cut was journaled')
    require(Buffer.compare(journaled, bytes) === 0, 'a message was published with two contents')
  }

  /** When a crawl is stopped: every shard in the memory of its owner equals its replay, byte for byte. */
  #expectSameStates(): void {
    for (const machine of this.#cluster!.machines) {
      if (machine.isDead) continue
      for (const { shard, isOwning, isAppending, writer } of machine.owners) {
        if (!isOwning || isAppending || shard.hasFacts || this.#heads[shard.number].at(-1)?.writer !== writer)
          continue
        const mirror = this.#mirrors[shard.number]
        // These follow the log and are written with the next group.
        mirror.position = shard.position
        mirror.published = shard.published
        mirror.control = shard.control
        mirror.settle(shard.settled)
        const [live, replayed] = [shard, mirror].map((each) => Buffer.concat(savedState([each])))
        require(live.equals(replayed), 'a replay has another state')
        this.states++
      }
    }
  }

  get fetched(): ReadonlySet<number> {
    return this.#fetched
  }

  get covered(): number {
    return this.#covered
  }
}

function amountFor(message: Uint8Array, target: number): number {
  const section = sectionFor(message, target)
  if (section === undefined) return 0
  let sum = section.home
  while (!section.entries.isAtEnd) {
    section.entries.varint()
    sum += section.entries.double()
    section.entries.varint()
  }
  return sum
}

function require(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(what)
}
