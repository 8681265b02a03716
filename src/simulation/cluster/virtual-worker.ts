/** A worker of a simulated cluster: beats, claims and releases shards, fetches pages, cuts, publishes and receives. */
import { ShardOwner, type OwnerPorts } from '../../cluster/shard-owner.ts'
import { Members } from '../../cluster/members.ts'
import { lostCutOf, settledOf } from '../../cluster/heads.ts'
import { messageName } from '../../cluster/message.ts'
import { memberOf, type ShardHead } from '../../cluster/shard-group.ts'
import { none } from '../../engine/page-forest.ts'
import { shownScore } from '../../engine/strategy-services.ts'
import type { World } from '../../engine/world.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import type { VirtualNames } from './virtual-names.ts'

const beatSeconds = 2
/** Without an acknowledged beat for this long, nothing is requested. */
const beatMaxSeconds = 10
/** After a pause of this length, nothing is requested before the next acknowledged beat. */
const pauseMaxSeconds = 5
const releasesMax = 2

export class VirtualWorker {
  readonly name: string
  isDead = false
  frozenUntil = 0
  readonly owners = new Map<number, ShardOwner>()
  readonly #cluster: VirtualCluster
  readonly #members: Members
  /** Claims that are not decided. */
  readonly #claiming = new Set<number>()
  /** Shards that are to be released: no page of theirs is requested any more. */
  readonly #leaving = new Set<number>()
  /** When the claim of each owned shard was acknowledged. */
  readonly #claimedAt = new Map<number, number>()
  /** When pages of each owned shard may first be requested. */
  readonly #fetchFrom = new Map<number, number>()
  #claims = 0
  #earlier: { heads: readonly (ShardHead | undefined)[]; answeredAt: number } = { heads: [], answeredAt: 0 }
  #beatAt = -Infinity
  /** The time of the last event in this process. */
  #awakeAt = 0
  /** Nothing is requested until a beat that was sent after this time is acknowledged. */
  #pausedAt = 0
  #isPaused = true
  #cutAt = 0
  #isFetching = false
  #isReading = false
  /** Shards in order of their last fetch, to break ties. */
  readonly #lastFetch = new Map<number, number>()
  #fetches = 0
  /** What each shard had applied at the last look, where the links log had nothing more. */
  readonly #missing = new Map<string, number>()

  constructor(cluster: VirtualCluster, name: string) {
    this.#cluster = cluster
    this.name = name
    this.#members = new Members(name)
    this.#awakeAt = this.#pausedAt = this.#now
    this.#after(0, () => this.#beat())
    this.#after(0, () => this.#tick())
  }

  get #now(): number {
    return this.#cluster.queue.now
  }

  #after(seconds: number, run: () => void): void {
    this.#cluster.workerEvent(this, this.#now + seconds, run)
  }

  /** An event begins in this process. After a long pause, other workers may own its shards. */
  woke(): void {
    if (this.#now - this.#awakeAt > pauseMaxSeconds) {
      this.#isPaused = true
      this.#pausedAt = this.#now
    }
    this.#awakeAt = this.#now
  }

  #beat(): void {
    const { store } = this.#cluster
    const sentAt = this.#now
    this.#cluster.request(
      this,
      () => ({ revisions: store.beat(this.name), heads: store.heads() }),
      (answer) => {
        if (answer === undefined) return
        this.#beatAt = this.#now
        if (sentAt >= this.#pausedAt) this.#isPaused = false
        this.#members.beat(answer.revisions)
        // Answers may overtake each other: only a reading that began after another ended is later.
        if (sentAt >= this.#earlier.answeredAt) {
          this.#cluster.looked(this.#earlier.heads, answer.heads)
          this.#earlier = { heads: answer.heads, answeredAt: this.#now }
        }
        this.#look(answer.heads, sentAt)
        this.#fill()
      },
    )
    this.#after(beatSeconds, () => this.#beat())
  }

  /** Claims shards that are this worker's and free; releases those that are another's. */
  #look(heads: readonly (ShardHead | undefined)[], sentAt: number): void {
    for (const [shard, head] of heads.entries()) {
      const owner = this.owners.get(shard)
      const isMine = this.#members.ownerOf(shard) === this.name
      const isTaken = owner !== undefined && head?.writer !== owner.writer
      if (owner === undefined) {
        if (isMine && this.#isFree(head)) this.#claim(shard, heads)
      } else if (!isTaken) this.#settle(owner, heads, isMine)
      else if (this.#claimedAt.get(shard)! <= sentAt) owner.taken()
    }
  }

  #isFree(head: ShardHead | undefined): boolean {
    return head === undefined || head.kind === 'released' || !this.#members.isLive(memberOf(head.writer))
  }

  #settle(owner: ShardOwner, heads: readonly (ShardHead | undefined)[], isMine: boolean): void {
    const { shard } = owner
    if (!owner.isOwning) return
    shard.settle(Math.min(settledOf(heads, shard.number), shard.published))
    this.#askForMissing(owner, heads)
    if (isMine) this.#leaving.delete(shard.number)
    else if (this.#leaving.size < releasesMax) this.#leaving.add(shard.number)
    this.#releaseIfDone(owner)
  }

  #releaseIfDone(owner: ShardOwner): void {
    const { number, engine } = owner.shard
    if (this.#leaving.has(number) && engine.pages.inFlightCount === 0) owner.release()
  }

  /** A message is in no log although its source has published it: the source publishes it again. */
  #askForMissing({ shard }: ShardOwner, heads: readonly (ShardHead | undefined)[]): void {
    for (const [source, head] of heads.entries()) {
      const applied = shard.applied[source]
      const key = `${shard.number} ${source}`
      if (head === undefined || source === shard.number || head.published <= applied)
        this.#missing.delete(key)
      else if (this.#missing.get(key) === applied) this.#ask(source, applied + 1)
      else this.#missing.set(key, applied)
    }
  }

  #ask(source: number, from: number): void {
    for (const worker of this.#cluster.workers) {
      this.#cluster.workerEvent(worker, this.#now + 0.01, () => worker.owners.get(source)?.publishAgain(from))
    }
  }

  #claim(number: number, last: readonly (ShardHead | undefined)[]): void {
    if (this.#claiming.has(number)) return
    const { store, counts } = this.#cluster
    const { groups, heads } = store.journals[number]
    // Another worker may have claimed it since the look.
    if (!this.#isFree(heads.at(-1))) return
    const shard = this.#cluster.emptyShard(number)
    for (const group of groups) shard.replay(group)
    const lost = lostCutOf(last, number, shard.cut)
    if (lost !== undefined) return this.#cluster.stop(lost)
    counts.claims++
    this.#claiming.add(number)
    const writer = `${this.name}.${this.#claims++}`
    const owner: ShardOwner = new ShardOwner({
      shard,
      writer,
      sequence: groups.length,
      ports: this.#ports(number, () => owner, heads.length > 0 && heads.at(-1)!.kind !== 'released'),
      rules: this.#cluster.options.rules,
    })
    owner.claim()
  }

  #ports(number: number, owner: () => ShardOwner, rests: boolean): OwnerPorts {
    const cluster = this.#cluster
    const { store, counts } = cluster
    return {
      append: (record) =>
        cluster.request(
          this,
          () => store.append(number, record),
          (answer) => owner().appendAnswered(answer ?? { kind: 'unknown' }),
        ),
      readLast: () =>
        cluster.request(
          this,
          () => ({ last: store.last(number) }),
          (answer) => owner().lastRead(answer === undefined ? 'unknown' : answer.last),
        ),
      publish: (message, bytes) =>
        cluster.request(
          this,
          () => {
            store.publish(bytes)
            return true
          },
          (answer) => owner().publishAnswered(message, answer === true),
        ),
      claimed: () => {
        this.#claiming.delete(number)
        this.owners.set(number, owner())
        this.#claimedAt.set(number, this.#now)
        this.#begin(owner(), rests)
      },
      ended: (state) => {
        counts[state]++
        this.#claiming.delete(number)
        this.#leaving.delete(number)
        if (this.owners.get(number) === owner()) this.owners.delete(number)
      },
    }
  }

  /**
   * Pages that the owner before had requested are requeued. Unless it has released the shard, its last requests are not in
   * the journal, so every site rests first.
   */
  #begin({ shard }: ShardOwner, rests: boolean): void {
    const { engine } = shard
    const { gapSeconds } = this.#cluster.timing
    this.#fetchFrom.set(shard.number, this.#now + (rests ? gapSeconds : 0))
    if (!shard.isSeeded) shard.seed()
    for (const page of engine.pages.underWay()) engine.postponed(page)
    for (const site of engine.busySites) engine.closed(site, this.#now + gapSeconds)
    shard.touched()
    this.#fill()
  }

  #tick(): void {
    const { flushSeconds, cutSeconds } = this.#cluster.timing
    const isCutDue = this.#now >= this.#cutAt
    if (isCutDue) this.#cutAt = this.#now + cutSeconds
    const best = isCutDue ? this.#bestScore() : 0
    for (const owner of this.owners.values()) if (owner.isOwning) this.#cut(owner, isCutDue, best)
    for (const owner of this.owners.values()) {
      owner.flush()
      owner.publishNext()
    }
    this.#readLinks()
    this.#fill()
    this.#after(flushSeconds, () => this.#tick())
  }

  #cut({ shard }: ShardOwner, isDue: boolean, best: number): void {
    const { engine } = shard
    const { sharding } = engine.strategy
    const isIdle = engine.waitingCount === 0 && engine.pages.inFlightCount === 0
    if (isIdle && shard.isUnsettled && shard.isSeeded) shard.makeCut(sharding!.limit(0), true)
    else if (!isIdle && isDue && this.#cluster.options.shards > 1) shard.makeCut(sharding!.limit(best), false)
  }

  #bestScore(): number {
    let best = 0
    for (const { shard } of this.owners.values()) {
      const page = shard.engine.frontier.best(this.#now, false)
      if (page !== none) best = Math.max(best, shard.engine.strategy.score(page))
    }
    return best
  }

  #readLinks(): void {
    if (this.#isReading || this.owners.size === 0 || this.#cluster.options.shards === 1) return
    this.#isReading = true
    const { links } = this.#cluster.store
    const positions = [...this.owners.values()].map(({ shard }) => shard.position)
    this.#cluster.request(
      this,
      () => {
        const last = links.length
        // A position past the end: the log has lost messages. They are read again from the start.
        const from = Math.min(...positions.map((position) => (position > last ? 0 : position)))
        return { from, messages: links.slice(from), last }
      },
      (answer) => {
        this.#isReading = false
        if (answer !== undefined) for (const owner of this.owners.values()) this.#receive(owner, answer)
      },
    )
  }

  #receive(
    { shard, isOwning }: ShardOwner,
    { from, messages, last }: { from: number; messages: readonly Uint8Array[]; last: number },
  ): void {
    if (!isOwning) return
    const { counts } = this.#cluster
    const start = shard.position > last ? 0 : shard.position
    if (start < from) return
    for (let at = start; at < last; at++) {
      const message = messages[at - from]
      const verdict = shard.receive(message)
      if (verdict === 'drop') counts.dropped++
      if (verdict === 'gap') {
        counts.gaps++
        const { source } = messageName(message)
        this.#ask(source, shard.applied[source] + 1)
      }
    }
    shard.position = last
  }

  get #mayFetch(): boolean {
    return !this.#isPaused && this.#now - this.#beatAt <= beatMaxSeconds && !this.#isFetching
  }

  /** Requests the best page of all shards of this worker. */
  #fill(): void {
    if (!this.#mayFetch) return
    const owner = this.#bestOwner()
    if (owner === undefined) return
    this.#lastFetch.set(owner.shard.number, this.#fetches++)
    owner.shard.engine.dispatch(this.#world(owner))
  }

  #mayFetchFrom({ shard, isOwning }: ShardOwner): boolean {
    if (!isOwning || this.#leaving.has(shard.number) || shard.engine.waitingCount === 0) return false
    return this.#fetchFrom.get(shard.number)! <= this.#now
  }

  #bestOwner(): ShardOwner | undefined {
    let found: ShardOwner | undefined
    let best = -Infinity
    for (const owner of this.owners.values()) {
      const { shard } = owner
      if (!this.#mayFetchFrom(owner)) continue
      const page = shard.engine.frontier.best(this.#now, false)
      if (page === none) continue
      const score = shard.engine.strategy.score(page)
      const isEarlier =
        (this.#lastFetch.get(shard.number) ?? -1) < (this.#lastFetch.get(found?.shard.number ?? -1) ?? -1)
      if (score > best || (score === best && isEarlier)) {
        found = owner
        best = score
      }
    }
    return found
  }

  #world(owner: ShardOwner): World {
    return {
      now: () => this.#now,
      fetch: (site, pages) => this.#fetch(owner, site, pages[0]),
      deliver: () => {},
      wait: () => undefined,
    }
  }

  #fetch(owner: ShardOwner, site: number, page: number): void {
    const { options, counts, timing } = this.#cluster
    const { engine } = owner.shard
    const names = owner.shard.names as VirtualNames
    const node = names.nodeOf(page)
    this.#isFetching = true
    counts.fetches++
    const score = shownScore(engine.strategy, engine.frontier, page)
    options.watch?.requested?.(node, score, this.name, this.#now)
    this.#after(1 / timing.speed, () => {
      this.#isFetching = false
      if (this.owners.get(owner.shard.number) === owner) {
        this.#report(owner, page, node)
        engine.closed(site, this.#now + timing.gapSeconds)
        owner.shard.touched()
        this.#releaseIfDone(owner)
      }
      this.#fill()
    })
  }

  #report({ shard }: ShardOwner, page: number, node: number): void {
    const { graph, failureOf } = this.#cluster.options
    const cause = failureOf?.(node)
    if (cause !== undefined) return shard.engine.failed(page, cause)
    const names = shard.names as VirtualNames
    const cursor = graph.cursor()
    cursor.seek(node)
    const { targets, start, end } = cursor
    const knownBefore = names.known
    const links = new Uint32Array(end - start)
    for (let i = start; i < end; i++) links[i - start] = names.pageOf(targets[i])
    const newSites = Uint32Array.from({ length: names.known - knownBefore }, (_, i) =>
      names.siteOf(knownBefore + i),
    )
    shard.engine.fetched(page, links, links.length, newSites)
  }
}
