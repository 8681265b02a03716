/**
 * A machine of a simulated cluster and its worker, which is that of `rankward cluster worker` over other ports: a clock that may be ahead, a
 * process that can be killed and frozen, a network that delays, loses and repeats requests to the store, and shards of a stored web.
 */
import { appendTo, type AppendRecord } from '../../cluster/protocol/append.ts'
import { ControlLog, type ControlJournal } from '../../cluster/protocol/control-log.ts'
import type { ShardHead } from '../../cluster/protocol/shard-group.ts'
import type { ShardOwner } from '../../cluster/protocol/shard-owner.ts'
import { sleep } from '../../cluster/worker/alarm.ts'
import type {
  ShardHost,
  TurnMessages,
  WorkerClock,
  WorkerCrawl,
  WorkerOptions,
  WorkerShards,
  WorkerStreams,
} from '../../cluster/worker/ports.ts'
import { ClusterWorker } from '../../cluster/worker/worker.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import { VirtualShard } from './virtual-shard.ts'
import type { VirtualLog } from './virtual-store.ts'

/** Without a response for so long, a request has failed. */
const responseSeconds = 2
/** Pause before a request without a response is repeated. */
const retrySeconds = 0.1

/** A stored web has no addresses that sites share. */
const noTurns: TurnMessages = { listen: () => {}, request: () => {}, close: () => {} }

export class VirtualMachine {
  readonly name: string
  readonly worker: ClusterWorker
  isDead = false
  frozenUntil = 0
  /** The worker has ended. */
  hasEnded = false
  readonly #cluster: VirtualCluster
  /** How far the clock of this machine is ahead. */
  readonly #aheadSeconds: number
  #onHead: ((shard: number, head: ShardHead) => void) | undefined
  #onAskedAgain: ((source: number, from: number) => void) | undefined
  #beatMs = 0
  #commands = 0

  constructor(cluster: VirtualCluster, name: string, crawl: WorkerCrawl) {
    const { clockSkew = 0 } = cluster.options.faults ?? {}
    const { flushSeconds, cutSeconds } = cluster.timing
    this.#cluster = cluster
    this.name = name
    this.#aheadSeconds = clockSkew === 0 ? 0 : clockSkew * cluster.random.fraction()
    this.worker = new ClusterWorker({
      crawl,
      name,
      clock: this.clock,
      streams: this.#streams(),
      members: this.#members(),
      control: new ControlLog(
        'virtual',
        this.#journal(cluster.store.control),
        () => `${name}.c${++this.#commands}`,
      ),
      turns: noTurns,
      shards: (host) => this.#shards(host),
      timing: { groupSeconds: flushSeconds, cutSeconds },
    })
  }

  readonly clock: WorkerClock = {
    now: () => this.#cluster.queue.now + this.#aheadSeconds,
    wallMs: () => 1000 * this.clock.now(),
    after: (seconds, run) => this.after(seconds, run),
  }

  get owners(): ShardOwner[] {
    return Array.from(this.worker.shards(), ({ owner }) => owner)
  }

  /** An event in the process of the worker: it is void once the process is dead, and happens later while it is frozen. */
  after(seconds: number, run: () => void): () => void {
    const { queue } = this.#cluster
    const event = (): void => {
      if (this.isDead) return
      if (this.frozenUntil > queue.now) cancel = queue.at(this.frozenUntil, event)
      else {
        this.#cluster.resumed()
        run()
      }
    }
    let cancel = queue.at(queue.now + seconds, event)
    return () => cancel()
  }

  /** Sends a request to the store. Rejects if no response came in time. */
  request<T>(run: () => T): Promise<T> {
    const { queue, counts, options, random } = this.#cluster
    const { loss = 0, duplicates = 0 } = options.faults ?? {}
    const isLost = (): boolean => {
      const isIt = loss > 0 && random.fraction() < loss
      if (isIt) counts.lost++
      return isIt
    }
    const latency = (): number => this.#cluster.latency()
    counts.requests++
    return new Promise((resolve, reject) => {
      const timeout =
        loss > 0
          ? this.after(responseSeconds + latency(), () => reject(new Error('no response from the store')))
          : () => {}
      const reply = (result: T): void => {
        timeout()
        resolve(result)
      }
      const arrive = (): void => {
        const result = run()
        if (!isLost()) this.after(latency(), () => reply(result))
      }
      if (!isLost()) queue.at(queue.now + latency(), arrive)
      if (duplicates > 0 && random.fraction() < duplicates) {
        counts.duplicates++
        queue.at(queue.now + latency() + random.fraction() * 30, arrive)
      }
    })
  }

  /** Repeats a request until it is answered. */
  async #answered<T>(run: () => T): Promise<T> {
    for (;;) {
      const answer = await this.request(() => ({ result: run() })).catch(() => undefined)
      if (answer !== undefined) return answer.result
    }
  }

  /** Appends to a log of the store, however long it takes. */
  append(log: VirtualLog, record: AppendRecord): Promise<number | undefined> {
    return appendTo(
      {
        send: (each) => this.request(() => log.append(each)).catch(() => ({ kind: 'unknown' })),
        last: () =>
          this.request(() => ({ last: log.last() })).then(
            ({ last }) => last,
            () => 'unknown',
          ),
      },
      record,
      () => sleep(this.clock, retrySeconds),
    )
  }

  /** Another worker has announced a group, or asks for messages. */
  heard(shard: number, head: ShardHead): void {
    this.#onHead?.(shard, head)
  }

  asked(source: number, from: number): void {
    this.#onAskedAgain?.(source, from)
  }

  #streams(): WorkerStreams {
    const cluster = this.#cluster
    const { store } = cluster
    return {
      links: {
        publish: (message) =>
          this.request(() => store.links.publish(message)).then(
            () => true,
            () => false,
          ),
        read: (after, messagesMax) => this.request(() => store.links.read(after, messagesMax)),
        purge: (position) => this.request(() => store.links.purge(position)),
      },
      // From the leader of each journal, so at different moments.
      heads: (known) =>
        Promise.all(
          store.journals.map(
            async (journal, shard) => known?.(shard) ?? (await this.#answered(() => journal.head)),
          ),
        ),
      counts: () => Promise.reject(new Error('a simulated crawl has no limits of bytes and failures')),
      askAgain: (source, from) => cluster.broadcast((machine) => machine.asked(source, from)),
      onAskedAgain: (publish) => {
        this.#onAskedAgain = publish
      },
      announceHead: (shard, head) => cluster.broadcast((machine) => machine.heard(shard, head)),
      onHead: (heard) => {
        this.#onHead = heard
      },
      close: () => {
        this.#onHead = this.#onAskedAgain = undefined
      },
    }
  }

  #members(): WorkerOptions['members'] {
    const { store, queue } = this.#cluster
    const beatMs = (): number => this.#beatMs
    return {
      beat: async () => {
        const { keys, seconds } = await this.request(() => ({
          keys: store.beat(this.name),
          seconds: queue.now,
        }))
        this.#beatMs = 1000 * seconds
        return keys
      },
      get beatMs() {
        return beatMs()
      },
      leave: async () => {
        await this.request(() => store.members.delete(this.name))
      },
    }
  }

  #journal(log: VirtualLog): ControlJournal {
    const read = (after: number): Promise<readonly Required<AppendRecord>[]> =>
      this.request(() => log.records.slice(after))
    return {
      append: (record) => this.append(log, record),
      async *read(after) {
        let sequence = after
        for (const { writer, bytes } of await read(after)) yield { sequence: ++sequence, writer, bytes }
      },
    }
  }

  #shards(host: ShardHost): WorkerShards {
    const cluster = this.#cluster
    return {
      open: async (number) => {
        const journal = cluster.store.journals[number]
        const records = await this.request(() => journal.records.slice())
        const shard = cluster.emptyShard(number)
        for (const { bytes } of records) shard.replay(bytes)
        cluster.counts.claims++
        return new VirtualShard({ cluster, machine: this, host, shard, sequence: records.length })
      },
      flush: () => {},
      close: () => Promise.resolve(),
      kill: () => Promise.resolve(),
    }
  }
}
