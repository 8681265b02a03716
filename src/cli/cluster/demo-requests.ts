/** What the web server of a demo has seen: pages that were requested, and requests to a host that came too soon after another. */
import type { Access } from '../../webgraph/served/access.ts'

/** The server's clock starts when it reads a request. */
const toleranceMs = 3

export class DemoRequests {
  readonly #gapMs: number
  readonly #counts = new Map<string, number>()
  /** By host: when the last response ended. */
  readonly #ends = new Map<number, number>()
  #withinGap = 0

  /** The gap of a host, in seconds. */
  constructor(gap: number) {
    this.#gapMs = 1000 * gap
  }

  add({ site, path, status, startMs, endMs }: Access): void {
    const lastMs = this.#ends.get(site)
    if (lastMs !== undefined && startMs - lastMs < this.#gapMs - toleranceMs) this.#withinGap++
    this.#ends.set(site, Math.max(endMs, lastMs ?? 0))
    if (status !== 200 || path === '/robots.txt') return
    const page = `${site}${path}`
    this.#counts.set(page, (this.#counts.get(page) ?? 0) + 1)
  }

  /** Pages that were requested. */
  get pages(): number {
    return this.#counts.size
  }

  /** Pages that were requested more than once. */
  get twice(): number {
    let twice = 0
    for (const count of this.#counts.values()) if (count > 1) twice++
    return twice
  }

  get withinGap(): number {
    return this.#withinGap
  }
}
