/**
 * The requests in flight of a process, and who waits for each of them. A request has a number, which is unique in the
 * process and never used again, and an owner: an object that receives its result and its place in the archive.
 *
 *   owner ──▶ line ──▶ fetch thread ──▶ result ──▶ owner ──▶ verdict ──▶ archived ──▶ owner
 *
 * Each crawl has a *line*; all shards of a worker share the fetch threads, and each has a line of its own. Closing a
 * line aborts its requests: nothing of them is archived or reported.
 */
import type { FetchResult } from '../world/fetch-result.ts'
import type { FetchConnection, Kept, MadeDocument, Verdict } from '../world/messages.ts'
import type { FetchThreads, ThreadsListener } from './fetch-threads.ts'

/** Who sent a request. `subject` is the owner's own number for it, such as a page. */
export interface Owner {
  received(subject: number, result: FetchResult, thread: number): void
  /** The request has become slow. */
  slow?(subject: number, id: number, thread: number): void
  /** The response was archived, or not. */
  kept?(subject: number, kept: Kept, thread: number): void
}

interface WireOptions {
  /** Whether each response waits for a verdict: is it archived? */
  readonly isArchived: boolean
  /** There are new results. */
  readonly wake: () => void
  /** A thread has failed: the crawl must stop. */
  readonly broken: (error: Error) => void
}

/** The part of the fetch threads that requests use. */
type Threads = Pick<FetchThreads, 'count' | 'fetch' | 'keep' | 'read' | 'cut' | 'flush' | 'abortRequests'>

interface Sent {
  readonly line: Line
  readonly owner: Owner
  readonly subject: number
}

export class Wire implements ThreadsListener {
  readonly #options: WireOptions
  readonly #sent = new Map<number, Sent>()
  #threads: Threads | undefined
  #lines = 0
  #nextId = 1

  constructor(options: WireOptions) {
    this.#options = options
  }

  /** Must be called before a line is opened. */
  use(threads: Threads): void {
    this.#threads = threads
  }

  /** `onResult` sees each result of the line first, and may replace it. */
  line(onResult: (result: FetchResult) => FetchResult = (result) => result): Line {
    return new Line(this, this.#threads!, this.#lines++, onResult)
  }

  open(sent: Sent): number {
    const id = this.#nextId++
    this.#sent.set(id, sent)
    return id
  }

  settle(id: number): void {
    this.#sent.delete(id)
  }

  received(result: FetchResult, thread: number): void {
    const { isArchived } = this.#options
    const waits = isArchived && result.failure === undefined
    const sent = this.#sent.get(result.id)
    if (sent === undefined) {
      // Its line is closed.
      if (waits) this.#threads!.keep(thread, { id: result.id, drop: true })
      return
    }
    if (!waits) this.#sent.delete(result.id)
    sent.line.received(sent.owner, sent.subject, result, thread, waits)
  }

  slow(id: number, thread: number): void {
    const sent = this.#sent.get(id)
    sent?.owner.slow?.(sent.subject, id, thread)
  }

  kept(kept: Kept, thread: number): void {
    const sent = this.#sent.get(kept.id)
    if (sent === undefined) return
    this.#sent.delete(kept.id)
    sent.owner.kept?.(sent.subject, kept, thread)
  }

  wake(): void {
    this.#options.wake()
  }

  broken(error: Error): void {
    this.#options.broken(error)
  }
}

/** The fetch threads as one crawl uses them. */
export class Line {
  readonly #wire: Wire
  readonly #threads: Threads
  readonly #number: number
  readonly #onResult: (result: FetchResult) => FetchResult
  /** Requests without a result, and responses that wait for a verdict with their threads. */
  readonly #open = new Set<number>()
  readonly #undecided = new Map<number, number>()

  constructor(wire: Wire, threads: Threads, number: number, onResult: (result: FetchResult) => FetchResult) {
    this.#wire = wire
    this.#threads = threads
    this.#number = number
    this.#onResult = onResult
  }

  /** The number of a new request, for `fetch`. */
  request(owner: Owner, subject: number): number {
    const id = this.#wire.open({ line: this, owner, subject })
    this.#open.add(id)
    return id
  }

  /** A site always belongs to the same thread, which keeps its connection. */
  fetch(connection: FetchConnection): void {
    this.#threads.fetch(this.#threadOf(connection.site), connection)
  }

  /** Reads a document that was made of a page of this site. */
  read(document: MadeDocument): void {
    this.#threads.read(this.#threadOf(document.site), document)
  }

  #threadOf(site: number): number {
    return (site + this.#number) % this.#threads.count
  }

  received(owner: Owner, subject: number, result: FetchResult, thread: number, waits: boolean): void {
    this.#open.delete(result.id)
    if (waits) this.#undecided.set(result.id, thread)
    owner.received(subject, this.#onResult(result), thread)
  }

  /** Has no effect if nothing is archived. */
  keep(thread: number, verdict: Verdict): void {
    if (!this.#undecided.delete(verdict.id)) return
    this.#threads.keep(thread, verdict)
  }

  /** Ends a request, as `slow`. */
  cut(thread: number, id: number): void {
    this.#threads.cut(thread, id)
  }

  flush(): void {
    this.#threads.flush()
  }

  close(): void {
    this.#threads.abortRequests(this.#open)
    for (const id of this.#open) this.#wire.settle(id)
    for (const [id, thread] of this.#undecided) {
      this.#wire.settle(id)
      this.#threads.keep(thread, { id, drop: true })
    }
    this.#open.clear()
    this.#undecided.clear()
  }
}
