/**
 * A worker for Prometheus and for what restarts services: `/metrics` and `/healthz` over HTTP. It shows figures only: no URL, no host and no
 * setting, so it needs no token.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { RankwardError } from '../../lib/errors.ts'
import type { WorkerLook } from '../worker/ports.ts'

/** A worker reads the heads of all shards every two seconds. Elections last up to nine, restarts of servers some more. */
const silentSecondsMax = 60

interface Figure {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  /** Undefined: it is not known yet. */
  readonly value: (worker: WorkerEndpoint) => number | undefined
}

export const workerFigures: readonly Figure[] = [
  {
    name: 'rankward_worker_shards',
    type: 'gauge',
    help: 'Shards that this worker owns.',
    value: ({ look }) => look?.owned,
  },
  {
    name: 'rankward_worker_look_age_seconds',
    type: 'gauge',
    help: 'Time since this worker last read the state of all shards from the NATS servers.',
    value: (worker) => worker.silentSeconds,
  },
  {
    name: 'rankward_worker_crawl_pages',
    type: 'gauge',
    help: 'Pages fetched by all workers, as this worker last read.',
    value: ({ look }) => look?.fetched,
  },
  {
    name: 'rankward_worker_crawl_claimed_shards',
    type: 'gauge',
    help: 'Shards that any worker has claimed, as this worker last read.',
    value: ({ look }) => look?.claimed,
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of this worker.',
    value: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of this worker.',
    value: () => process.memoryUsage.rss(),
  },
]

export class WorkerEndpoint {
  readonly #worker: string
  readonly #server: Server
  look: WorkerLook | undefined
  /** By the monotonic clock. */
  #lookedMs = performance.now()

  private constructor(worker: string) {
    this.#worker = worker
    this.#server = createServer((request, response) => {
      const { status, type, text } = this.#response(request.url ?? '')
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
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

  #response(path: string): { readonly status: number; readonly type: string; readonly text: string } {
    const type = 'text/plain; charset=utf-8'
    if (path === '/metrics') return { status: 200, type: `${type}; version=0.0.4`, text: this.#metrics() }
    if (path !== '/healthz') return { status: 404, type, text: 'There are /metrics and /healthz.\n' }
    const isSilent = this.silentSeconds > silentSecondsMax
    return isSilent
      ? { status: 503, type, text: `The NATS servers have not responded for ${silentSecondsMax} seconds.\n` }
      : { status: 200, type, text: 'ok\n' }
  }

  #metrics(): string {
    let text = ''
    for (const { name, type, help, value } of workerFigures) {
      const figure = value(this)
      if (figure !== undefined)
        text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}{worker="${this.#worker}"} ${figure}\n`
    }
    return text
  }
}
