/** How a worker of a simulated cluster obeys the control log, grants pages, and stops the crawl at its goal. */
import {
  afterAnswer,
  afterLastRecord,
  type AppendRecord,
  type AppendStep,
} from '../../cluster/protocol/append.ts'
import {
  ControlState,
  encodeControl,
  readControl,
  type ControlCommand,
} from '../../cluster/protocol/control.ts'
import { divisionOf, excessOf, grantsOf } from '../../cluster/protocol/page-grants.ts'
import type { ShardHead } from '../../cluster/protocol/shard-group.ts'
import type { ShardOwner } from '../../cluster/protocol/shard-owner.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import type { VirtualWorker } from './virtual-worker.ts'

type Heads = readonly (ShardHead | undefined)[]

export class WorkerControl {
  readonly #worker: VirtualWorker
  readonly #cluster: VirtualCluster
  #state: ControlState | undefined
  /** The command that is being appended. */
  #append: AppendRecord | undefined
  #appends = 0

  constructor(worker: VirtualWorker, cluster: VirtualCluster) {
    this.#worker = worker
    this.#cluster = cluster
  }

  /** The number of the last message that this worker has read. */
  get number(): number {
    return this.#state?.number ?? 0
  }

  /** False before the control log was read, and while the crawl is paused or stopped. */
  get isRunning(): boolean {
    return this.#state !== undefined && !this.#state.isPaused && this.#state.stopped === undefined
  }

  /** Messages from `first` on were read, and then the last groups of all shards. */
  looked(first: number, messages: readonly Uint8Array[], heads: Heads): void {
    for (const [i, bytes] of messages.entries()) {
      const number = first + i
      // Answers may overtake each other.
      if (number <= this.number) continue
      const message = readControl(bytes, 'virtual', number)
      if (this.#state === undefined) this.#state = new ControlState('virtual', number, message)
      else this.#state.apply(number, message)
    }
    for (const owner of this.#worker.owners.values()) if (owner.isOwning) this.obey(owner)
    this.#decide(heads)
  }

  obey({ shard }: ShardOwner): void {
    if (this.#state === undefined || shard.control >= this.#state.number) return
    shard.grant(this.#state.granted[shard.number])
    shard.control = this.#state.number
  }

  #decide(heads: Heads): void {
    const state = this.#state
    if (state === undefined || state.stopped !== undefined) return
    const { coverage, pages } = this.#cluster.goal
    if (coverage !== undefined && this.#cluster.coverageOf(heads) >= coverage)
      return this.#command({ kind: 'stop', reason: 'coverage' })
    if (pages === undefined) return
    const division = divisionOf(pages, state.granted, heads)
    if (division.left <= 0) return this.#command({ kind: 'stop', reason: 'pages' })
    for (const { shard, isOwning } of this.#worker.owners.values()) {
      if (isOwning) shard.giveBack(excessOf(division, shard.number))
    }
    const grants = grantsOf(division)
    // Any worker may grant. To avoid needless conflicts, one does whose own shards are among them.
    if (grants.some(([shard]) => this.#worker.owners.has(shard)))
      this.#command({ kind: 'grant', pages: grants })
  }

  #command(command: ControlCommand): void {
    if (this.#append !== undefined) return
    this.#append = {
      writer: this.#worker.name,
      group: ++this.#appends,
      after: this.number,
      bytes: encodeControl(command),
    }
    this.#send(this.#append)
  }

  #send(record: AppendRecord): void {
    const { store } = this.#cluster
    this.#cluster.request(
      this.#worker,
      () => store.control.append(record),
      (answer) => this.#proceed(record, afterAnswer(answer ?? { kind: 'unknown' })),
    )
  }

  #proceed(record: AppendRecord, step: AppendStep): void {
    if (step.kind === 'send') return this.#send(record)
    if (step.kind === 'read-last') return this.#readLast(record)
    // Stored, or another command was first: the next read of the log shows it.
    this.#append = undefined
  }

  #readLast(record: AppendRecord): void {
    const { store } = this.#cluster
    this.#cluster.request(
      this.#worker,
      () => ({ last: store.control.last() }),
      (answer) =>
        this.#proceed(record, afterLastRecord(record, answer === undefined ? 'unknown' : answer.last)),
    )
  }
}
