/**
 * The log of a timed crawl: every completion in order (16 bytes per page, in chunks that are never copied),
 * the number of active robots, the bandwidth in use, and the busy time of each robot.
 *
 * A robot is active while its connection is open, in latency or transferring; not while it holds a resting
 * site.
 */
import { StepSeries } from './step-series.ts'

const chunkLog2 = 16
const chunkLength = 1 << chunkLog2

interface Chunk {
  readonly pages: Uint32Array
  readonly bytes: Uint32Array
  readonly times: Float64Array
}

export class TimeLog {
  /** Number of pages fetched. */
  pages = 0
  failed = 0
  /** All bytes transferred, including robots.txt files. */
  bytes = 0
  robotsTxtFiles = 0
  robotsTxtBytes = 0
  connections = 0
  /** When the last connection ended. */
  end = 0
  readonly activeConnections = new StepSeries()
  /** Bytes per second in use. */
  readonly bandwidthUsed = new StepSeries()
  /** How long each robot was active. */
  readonly busySeconds: Float64Array
  readonly #openedAt: Float64Array
  #active = 0
  readonly #chunks: Chunk[] = []

  constructor(robots: number) {
    this.busySeconds = new Float64Array(robots)
    this.#openedAt = new Float64Array(robots)
  }

  opened(robot: number, now: number): void {
    this.#openedAt[robot] = now
    this.connections++
    this.activeConnections.set(now, ++this.#active)
  }

  closed(robot: number, now: number): void {
    this.busySeconds[robot] += now - this.#openedAt[robot]
    this.end = now
    this.activeConnections.set(now, --this.#active)
  }

  completed(page: number, bytes: number, now: number): void {
    const at = this.pages++ & (chunkLength - 1)
    if (at === 0) this.#chunks.push(newChunk())
    const chunk = this.#chunks[this.#chunks.length - 1]
    chunk.pages[at] = page
    chunk.bytes[at] = bytes
    chunk.times[at] = now
    this.bytes += bytes
  }

  robotsTxtCompleted(bytes: number): void {
    this.robotsTxtFiles++
    this.robotsTxtBytes += bytes
    this.bytes += bytes
  }

  /** The i-th fetched page, by its number in the crawl. */
  pageAt(i: number): number {
    return this.#chunks[i >>> chunkLog2].pages[i & (chunkLength - 1)]
  }

  bytesAt(i: number): number {
    return this.#chunks[i >>> chunkLog2].bytes[i & (chunkLength - 1)]
  }

  /** When it was fetched, in seconds. */
  secondsAt(i: number): number {
    return this.#chunks[i >>> chunkLog2].times[i & (chunkLength - 1)]
  }
}

function newChunk(): Chunk {
  return {
    pages: new Uint32Array(chunkLength),
    bytes: new Uint32Array(chunkLength),
    times: new Float64Array(chunkLength),
  }
}
