/**
 * Handling pages, as the crawl calls it: in threads of their own (a module) or in the calling thread (a function). Pages
 * wait in a queue; its length is bounded by the connections of the crawl, because a page in it is still in flight, and by
 * the bytes of their bodies.
 */
import type { CanonicalRules } from '../../../web/url/canonical-rules.ts'
import type { LinkDecision } from '../../world/page-links.ts'
import type { HandlerInput } from './handled-page.ts'

/** What a handler gave for a page. */
export interface PageDecision extends LinkDecision {
  /** Items as JSON lines; empty if there are none. */
  readonly items: string
  readonly itemCount: number
  /** Why the handler failed. Such a page has no items, and all of its links count. */
  readonly error?: string | undefined
}

export interface HandlingOptions {
  /** Time limit per page. */
  readonly secondsMax: number
  readonly rules: CanonicalRules
  /** Bytes of waiting pages from which on the crawl pauses; default 64 MiB. */
  readonly waitingBytesMax?: number | undefined
}

export interface PageHandling {
  /** Never rejects. A handler that throws or takes too long gives a decision with an error. */
  handle(input: HandlerInput): Promise<PageDecision | 'aborted'>
  /** Resolves when the queue is short enough again; undefined if it is now. */
  full(): Promise<void> | undefined
  /** All pages that are not handled yet are aborted, now and from now on. */
  abort(): void
  close(): Promise<void>
}

/** The decision about a page whose handler failed: no items, all links. */
export function failedDecision(error: string): PageDecision {
  return { items: '', itemCount: 0, added: [], error }
}

export interface WaitingInput {
  readonly input: HandlerInput
  readonly resolve: (decision: PageDecision | 'aborted') => void
}

/** Pages that wait for a handler, in order. */
export class HandlerQueue {
  #waiting: WaitingInput[] = []
  #bytes = 0
  readonly #bytesMax: number
  /** Called once there is room again. Shards of a worker share one queue. */
  #forRoom: (() => void)[] = []
  isAborted = false

  constructor(bytesMax = 64 << 20) {
    this.#bytesMax = bytesMax
  }

  get length(): number {
    return this.#waiting.length
  }

  add(input: HandlerInput): Promise<PageDecision | 'aborted'> {
    if (this.isAborted) return Promise.resolve('aborted')
    return new Promise((resolve) => {
      this.#waiting.push({ input, resolve })
      this.#bytes += bytesOf(input)
    })
  }

  take(): WaitingInput | undefined {
    const next = this.#waiting.shift()
    if (next !== undefined) this.#bytes -= bytesOf(next.input)
    if (this.#bytes <= this.#bytesMax / 2) this.#free()
    return next
  }

  full(): Promise<void> | undefined {
    if (this.isAborted || this.#bytes <= this.#bytesMax) return undefined
    return new Promise((resolve) => {
      this.#forRoom.push(resolve)
    })
  }

  abort(): void {
    this.isAborted = true
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    for (const { resolve } of waiting) resolve('aborted')
    this.#free()
  }

  #free(): void {
    for (const resolve of this.#forRoom.splice(0)) resolve()
  }
}

function bytesOf({ result: { body } }: HandlerInput): number {
  return body?.length ?? 0
}
