/** The steps of a crawl, inferred from its order: levels and windows. */
import { type SimulatedWeb, graphOfSimulated } from '../simulator/simulated-web.ts'

/** Follows the links of the downloaded pages, and counts the known pages. */
class KnownPages {
  count = 0
  readonly #seen: Uint8Array
  readonly #cursor

  constructor(web: SimulatedWeb) {
    this.#seen = new Uint8Array(web.pages)
    this.#cursor = graphOfSimulated(web).cursor()
    for (const seed of web.seeds) this.#find(seed)
  }

  download(page: number): void {
    this.#cursor.seek(page)
    for (let i = this.#cursor.start; i < this.#cursor.end; i++) this.#find(this.#cursor.targets[i])
  }

  #find(page: number): void {
    if (this.#seen[page] !== 0) return
    this.#seen[page] = 1
    this.count++
  }
}

/** The number of downloads when each level from the seeds was complete. The order must be level by level. */
export function levelEnds(web: SimulatedWeb, order: Uint32Array): number[] {
  const known = new KnownPages(web)
  const ends: number[] = []
  let end = known.count
  for (let i = 0; i < order.length; i++) {
    known.download(order[i])
    if (i + 1 < end) continue
    ends.push(i + 1)
    end = known.count
  }
  return ends
}

/** The number of windows, of this percentage of the waiting pages, in which the order was downloaded. */
export function windowCount(web: SimulatedWeb, order: Uint32Array, percent: number): number {
  const known = new KnownPages(web)
  let count = 0
  for (let done = 0; done < order.length; count++) {
    const size = Math.max(1, Math.ceil((percent / 100) * (known.count - done)))
    const end = Math.min(order.length, done + size)
    while (done < end) known.download(order[done++])
  }
  return count
}
