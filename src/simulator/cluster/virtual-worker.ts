/** A worker of a simulated cluster: beats, claims and releases shards, cuts, publishes and receives. */
import { ShardOwner, type OwnerPorts } from '../../cluster/protocol/shard-owner.ts'
import { Members } from '../../cluster/protocol/members.ts'
import { lostCutOf, settledOf } from '../../cluster/protocol/heads.ts'
import { messageName } from '../../cluster/protocol/message.ts'
import { memberOf, type ShardHead } from '../../cluster/protocol/shard-group.ts'
import { CrawlClock } from '../../engine/crawl-clock.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import { WorkerControl } from './worker-control.ts'
import { WorkerFetches } from './worker-fetches.ts'

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
  /** Messages were applied since the last exchange. */
  hasArrivals = false
  readonly #cluster: VirtualCluster
  readonly #members: Members
  /** Claims that are not decided. */
  readonly #claiming = new Set<number>()
  /** Shards that are to be released: no page of theirs is requested any more. */
  readonly #leaving = new Set<number>()
  /** When the claim of each owned shard was acknowledged. */
  readonly #claimedAt = new Map<number, number>()
  readonly #fetches: WorkerFetches
  readonly #control: WorkerControl
  /** How far the clock of this machine is ahead. */
  readonly #aheadSeconds: number
  #claims = 0
  #earlier: { heads: readonly (ShardHead | undefined)[]; answeredAt: number } = { heads: [], answeredAt: 0 }
  #beatAt = -Infinity
  /** The time of the last event in this process. */
  #awakeAt = 0
  /** Nothing is requested until a beat that was sent after this time is acknowledged. */
  #pausedAt = 0
  #isPaused = true
  #cutAt = 0
  #isReading = false
  /** What is done after the next reading; undefined if none is wanted. */
  #readAgain: (() => void)[] | undefined
  #isNotified = false
  /** What each shard had applied at the last look, where the links log had nothing more. */
  readonly #missing = new Map<string, number>()

  constructor(cluster: VirtualCluster, name: string) {
    this.#cluster = cluster
    this.name = name
    const { clockSkew = 0 } = cluster.options.faults ?? {}
    this.#aheadSeconds = clockSkew === 0 ? 0 : clockSkew * cluster.random.fraction()
    this.#members = new Members(name)
    this.#fetches = new WorkerFetches(this, cluster)
    this.#control = new WorkerControl(this, cluster)
    this.#awakeAt = this.#pausedAt = this.#now
    this.after(0, () => this.#beat())
    this.after(0, () => this.#tick())
  }

  get #now(): number {
    return this.#cluster.queue.now
  }

  after(seconds: number, run: () => void): void {
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
        this.#fetches.fill()
      },
    )
    this.after(beatSeconds, () => this.#beat())
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
    this.releaseIfDone(owner)
  }

  releaseIfDone(owner: ShardOwner): void {
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
      ports: this.#ports(number, () => owner, heads.length > 0),
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
   * Pages that the owner before had requested are requeued. Its last requests may not be in the journal, and its clock may have been behind
   * this one, so every site rests first.
   */
  #begin(owner: ShardOwner, rests: boolean): void {
    const { shard } = owner
    const { engine } = shard
    const { gapSeconds } = this.#cluster.timing
    const clock = new CrawlClock(() => this.#now + this.#aheadSeconds)
    clock.continueFrom(engine.time)
    shard.now = clock.now
    this.#control.obey(owner)
    this.#fetches.claimed(shard.number, this.#now + (rests ? gapSeconds : 0))
    if (!shard.isSeeded) shard.seed()
    for (const page of engine.pages.underWay()) engine.postponed(page)
    for (const site of engine.busySites) engine.closed(site, clock.now() + gapSeconds)
    shard.touched()
    this.#fetches.fill()
  }

  #tick(): void {
    const { flushSeconds, cutSeconds } = this.#cluster.timing
    // Mass that has arrived may have to travel on before any page is worth its price.
    const isCutDue = this.#now >= this.#cutAt || (this.#cluster.goal.order === 'strict' && this.hasArrivals)
    if (isCutDue) this.hasArrivals = false
    if (isCutDue) this.#cutAt = this.#now + cutSeconds
    const best = isCutDue ? this.#fetches.bestScore() : 0
    for (const owner of this.owners.values()) if (owner.isOwning) this.#cut(owner, isCutDue, best)
    this.#flush()
    this.read(() => {})
    this.#fetches.fill()
    this.after(flushSeconds, () => this.#tick())
  }

  #flush(): void {
    for (const owner of this.owners.values()) {
      owner.flush()
      owner.publishNext()
    }
  }

  /** Cuts all shards that have pages to fetch. Returns the last message of each. */
  cutAll(): Map<ShardOwner, number> {
    const best = this.#fetches.bestScore()
    const cuts = new Map<ShardOwner, number>()
    for (const owner of this.owners.values()) {
      if (!owner.isOwning) continue
      this.#cut(owner, true, best)
      cuts.set(owner, owner.shard.cut)
    }
    this.#flush()
    return cuts
  }

  #cut({ shard }: ShardOwner, isDue: boolean, best: number): void {
    const { engine } = shard
    const { sharding } = engine.strategy
    const isIdle = engine.waitingCount === 0 && engine.pages.inFlightCount === 0
    if (isIdle && shard.isUnsettled && shard.isSeeded) shard.makeCut(sharding!.limit(0), true)
    else if (!isIdle && isDue && this.#cluster.options.shards > 1) {
      const limit = sharding!.limit(best)
      if (shard.hasToSend(limit)) shard.makeCut(limit, false)
    }
  }

  /** The links log has a new message. */
  notified(): void {
    if (this.#isNotified) return
    this.#isNotified = true
    this.read(() => {})
  }

  /** Reads the links log, the control log and the last groups of all shards; `done` is called afterwards. */
  read(done: () => void): void {
    if (this.#isReading) {
      ;(this.#readAgain ??= []).push(done)
      return
    }
    this.#isReading = true
    this.#isNotified = false
    const { store } = this.#cluster
    const { links, control } = store
    const positions = [...this.owners.values()].map(({ shard }) => shard.position)
    const first = this.#control.number + 1
    this.#cluster.request(
      this,
      () => {
        const last = links.length
        // A position past the end: the log has lost messages. They are read again from the start.
        const from = Math.min(last, ...positions.map((position) => (position > last ? 0 : position)))
        const messages = links.slice(from)
        return { from, messages, last, commands: control.groups.slice(first - 1), heads: store.heads() }
      },
      (answer) => {
        this.#isReading = false
        if (answer !== undefined) {
          for (const owner of this.owners.values()) this.#receive(owner, answer)
          this.#control.looked(first, answer.commands, answer.heads)
          this.#fetches.looked(answer.heads)
        }
        done()
        const again = this.#readAgain
        this.#readAgain = undefined
        if (again !== undefined) this.read(() => again.forEach((each) => each()))
        else this.#fetches.fill()
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
      if (verdict === 'apply') this.hasArrivals = true
      if (verdict === 'drop') counts.dropped++
      if (verdict === 'gap') {
        counts.gaps++
        const { source } = messageName(message)
        this.#ask(source, shard.applied[source] + 1)
      }
    }
    shard.position = last
  }

  /** Whether this worker may request pages at all. */
  get mayRequest(): boolean {
    return !this.#isPaused && this.#now - this.#beatAt <= beatMaxSeconds && this.#control.isRunning
  }

  /** True if the shard is to be released. */
  isLeaving(shard: number): boolean {
    return this.#leaving.has(shard)
  }
}
