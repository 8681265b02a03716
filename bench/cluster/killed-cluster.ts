/** Workers and servers of a cluster on this machine that are killed, frozen and cut off at random moments, and what takes their place. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/lib/random.ts'
import type { NatsServers } from '../../test/support/nats-server.ts'
import { tell } from '../webs.ts'
import { CommandProcess } from './cluster-processes.ts'

export interface WorkersOptions {
  /** The name of the crawl. */
  readonly name: string
  readonly folder: string
  readonly servers: NatsServers
  readonly count: number
}

/** The workers of the crawl. One that ends with an error is started again, as a service would be. */
export class Workers {
  readonly #options: WorkersOptions
  readonly #running: CommandProcess[] = []
  readonly #folders: string[] = []
  #made = 0
  #failures = 0
  #isOver = false

  constructor(options: WorkersOptions) {
    this.#options = options
    for (let worker = 0; worker < options.count; worker++) this.start(worker, true)
  }

  get count(): number {
    return this.#running.length
  }

  get failures(): number {
    return this.#failures
  }

  /** The archives of all workers so far. */
  get archives(): string[] {
    return Array.from({ length: this.#made }, (_, made) =>
      join(this.#options.folder, `worker-${made}`, 'warc'),
    )
  }

  get text(): string {
    return `${this.#running.filter((worker) => worker.isRunning).length} workers`
  }

  start(worker: number, isNew: boolean): void {
    const { name, folder, servers } = this.#options
    if (isNew) this.#folders[worker] = join(folder, `worker-${this.#made++}`)
    const cluster = servers.addresses.flatMap((address) => ['--cluster', `nats://${address}`])
    const args = [
      'cluster',
      'worker',
      ...cluster,
      '--name',
      name,
      '--out',
      this.#folders[worker],
      '--no-progress',
    ]
    const process = new CommandProcess(args)
    this.#running[worker] = process
    void process.ended.then((code) => {
      if (code === 0 || code === null || this.#isOver) return
      this.#failures++
      tell(`worker ${worker} ended with code ${code}: ${process.output}`)
      this.start(worker, false)
    })
  }

  async killOne(worker: number): Promise<void> {
    await this.#running[worker].kill()
  }

  /** Deletes the folder of a worker that does not run. */
  deleteFolder(worker: number): void {
    rmSync(this.#folders[worker], { recursive: true, force: true })
  }

  /** SIGSTOP, or SIGCONT. */
  freeze(worker: number, isFrozen: boolean): void {
    this.#running[worker].child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  isRunning(worker: number): boolean {
    return this.#running[worker].isRunning
  }

  /** Resolves when all have ended by themselves. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.map((worker) => worker.ended))
  }

  async kill(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running.map((worker) => worker.kill()))
  }
}

export class Kills {
  readonly #servers: NatsServers
  readonly #workers: Workers
  readonly #revivals = new Set<Promise<void>>()
  readonly #down = new Set<number>()
  workers = 0
  servers = 0
  freezes = 0
  partitions = 0
  deletions = 0

  constructor(servers: NatsServers, workers: Workers) {
    this.#servers = servers
    this.#workers = workers
  }

  async kill(random: Random): Promise<void> {
    const isServer = random.below(5) < 2
    const seconds = random.fraction()
    const kind = random.below(3)
    if (isServer) await this.#killServer(random.below(this.#servers.count), 15 * seconds)
    else await this.#killWorker(random.below(this.#workers.count), kind === 0 ? 0 : 30 * seconds, kind === 2)
  }

  /** A kill, or with the same chance a freeze of a worker, a server that is cut off, or a worker whose folder is deleted. */
  async fault(random: Random): Promise<void> {
    const kind = random.below(8)
    const seconds = random.fraction()
    if (kind === 0) await this.#freeze(random.below(this.#workers.count), 40 * seconds)
    else if (kind === 1) await this.#cutOff(random.below(this.#servers.count), 20 * seconds)
    else if (kind === 2) await this.#loseFolder(random.below(this.#workers.count), 30 * seconds)
    else await this.kill(random)
  }

  async #freeze(worker: number, seconds: number): Promise<void> {
    while (!this.#workers.isRunning(worker)) await sleep(100)
    this.freezes++
    tell(`worker ${worker} is frozen for ${seconds.toFixed(1)} s`)
    this.#workers.freeze(worker, true)
    this.#later(seconds, () => this.#workers.freeze(worker, false))
  }

  async #cutOff(server: number, seconds: number): Promise<void> {
    while (this.#down.has(server)) await sleep(100)
    this.partitions++
    this.#down.add(server)
    tell(`server ${server} is cut off for ${seconds.toFixed(1)} s`)
    this.#servers.cutOff(server)
    this.#later(seconds, () => {
      this.#servers.mend(server)
      this.#down.delete(server)
    })
  }

  async #loseFolder(worker: number, seconds: number): Promise<void> {
    while (!this.#workers.isRunning(worker)) await sleep(100)
    this.deletions++
    tell(`kill -9 of worker ${worker}, whose folder is deleted, back after ${seconds.toFixed(1)} s`)
    await this.#workers.killOne(worker)
    this.#workers.deleteFolder(worker)
    this.#later(seconds, () => this.#workers.start(worker, false))
  }

  async revived(): Promise<void> {
    await Promise.all(this.#revivals)
  }

  async #killServer(server: number, seconds: number): Promise<void> {
    while (this.#down.has(server)) await sleep(100)
    this.servers++
    this.#down.add(server)
    tell(`kill -9 of server ${server}, back after ${seconds.toFixed(1)} s`)
    await this.#servers.kill(server)
    this.#later(seconds, () => {
      this.#servers.startServer(server)
      this.#down.delete(server)
    })
  }

  async #killWorker(worker: number, seconds: number, isReplaced: boolean): Promise<void> {
    while (!this.#workers.isRunning(worker)) await sleep(100)
    this.workers++
    tell(
      `kill -9 of worker ${worker}, ${isReplaced ? 'replaced by another' : 'back'} after ${seconds.toFixed(1)} s`,
    )
    await this.#workers.killOne(worker)
    this.#later(seconds, () => this.#workers.start(worker, isReplaced))
  }

  #later(seconds: number, run: () => void): void {
    const revival = sleep(1000 * seconds).then(run)
    this.#revivals.add(revival)
    void revival.then(() => this.#revivals.delete(revival))
  }
}
