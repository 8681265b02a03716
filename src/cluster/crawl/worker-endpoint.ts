/**
 * A worker for Prometheus and for what restarts services: `/metrics` and `/healthz` over HTTP. It shows figures only: no URL, no host and no
 * setting, so it needs no token.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { RankwardError } from '../../lib/errors.ts'
import { metricsText, type MetricRow } from '../../crawler/metric-table.ts'
import type { MemberAbout } from '../jetstream/jetstream-members.ts'
import type { WorkerLook } from '../worker/ports.ts'

/** A worker reads the heads of all shards every two seconds. Elections last up to nine, restarts of servers some more. */
const silentSecondsMax = 60

export const workerFigures: readonly MetricRow<WorkerEndpoint>[] = [
  {
    name: 'rankward_worker_shards',
    type: 'gauge',
    help: 'Shards that this worker owns.',
    read: ({ look }) => look?.owned,
  },
  {
    name: 'rankward_worker_look_age_seconds',
    type: 'gauge',
    help: 'Time since this worker last read the state of all shards from the NATS servers.',
    read: (worker) => worker.silentSeconds,
  },
  {
    name: 'rankward_worker_crawl_pages',
    type: 'gauge',
    help: 'Pages fetched by all workers, as this worker last read.',
    read: ({ look }) => look?.fetched,
  },
  {
    name: 'rankward_worker_crawl_claimed_shards',
    type: 'gauge',
    help: 'Shards that any worker has claimed, as this worker last read.',
    read: ({ look }) => look?.claimed,
  },
  {
    name: 'rankward_worker_clock_ahead_seconds',
    type: 'gauge',
    help: 'How far the clock of this worker is ahead of that of the NATS servers; negative if it is behind.',
    read: ({ state }) => {
      const aheadMs = state?.().aheadMs
      return aheadMs === undefined ? undefined : aheadMs / 1000
    },
  },
  {
    name: 'rankward_worker_free_bytes',
    type: 'gauge',
    help: "Free space of the disk with this worker's folder.",
    read: ({ state }) => state?.().roomBytes,
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of this worker.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of this worker.',
    read: () => process.memoryUsage.rss(),
  },
]

export class WorkerEndpoint {
  readonly #worker: string
  readonly #server: Server
  look: WorkerLook | undefined
  /** Its disk and its clock; undefined before it runs. */
  state: (() => Pick<MemberAbout, 'roomBytes' | 'aheadMs'>) | undefined
  /** By the monotonic clock. */
  #lookedMs = performance.now()

  private constructor(worker: string) {
    this.#worker = worker
    this.#server = createServer((request, response) => {
      void this.#response(request.url ?? '', request.headers.accept).then(({ status, type, text }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
      )
    })
    this.#server.requestTimeout = 15_000
    this.#server.maxConnections = 64
  }

  /** `worker`: its name, a label of every figure. Throws if the address cannot be used. */
  static async open(worker: string, host: string, port: number): Promise<WorkerEndpoint> {
    const endpoint = new WorkerEndpoint(worker)
    try {
      await once(endpoint.#server.listen(port, host), 'listening')
    } catch (error) {
      throw new RankwardError(
        'NO_DASHBOARD',
        `Cannot serve the metrics of the worker on ${host}, port ${port}: ${(error as Error).message}.`,
        { cause: error },
      )
    }
    // The worker decides when the process ends.
    endpoint.#server.unref()
    return endpoint
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`
  }

  get silentSeconds(): number {
    return (performance.now() - this.#lookedMs) / 1000
  }

  looked(look: WorkerLook): void {
    this.look = look
    this.#lookedMs = performance.now()
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #response(path: string, accept?: string): Promise<{ status: number; type: string; text: string }> {
    const type = 'text/plain; charset=utf-8'
    if (path === '/metrics')
      return { status: 200, ...(await metricsText(workerFigures, this, accept, { worker: this.#worker })) }
    if (path !== '/healthz') return { status: 404, type, text: 'There are /metrics and /healthz.\n' }
    const isSilent = this.silentSeconds > silentSecondsMax
    return isSilent
      ? { status: 503, type, text: `The NATS servers have not responded for ${silentSecondsMax} seconds.\n` }
      : { status: 200, type, text: 'ok\n' }
  }
}
