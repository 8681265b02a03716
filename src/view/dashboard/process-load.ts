/** Processor time, memory and event loop delay of this process, since the last call. */
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { Now } from './api/index.ts'

export class ProcessLoad {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 50 })
  #cpu = process.cpuUsage()
  #atMs = performance.now()

  constructor() {
    this.#delay.enable()
  }

  read(): NonNullable<Now['process']> {
    const { user, system } = process.cpuUsage(this.#cpu)
    const nowMs = performance.now()
    const seconds = Math.max(0.001, (nowMs - this.#atMs) / 1000)
    this.#cpu = process.cpuUsage()
    this.#atMs = nowMs
    const { rss, heapUsed } = process.memoryUsage()
    const delayMs = this.#delay.percentile(99) / 1e6
    this.#delay.reset()
    return {
      cpu: (user + system) / 1e6 / seconds,
      rssBytes: rss,
      heapBytes: heapUsed,
      eventLoopDelayMs: delayMs,
    }
  }

  close(): void {
    this.#delay.disable()
  }
}
