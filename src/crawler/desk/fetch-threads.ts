/**
 * The fetch threads, as used by the main thread. Messages of one turn are sent together. A thread starts with its first
 * request, so a crawl of one site has one.
 */
import type { Worker } from 'node:worker_threads'
import { RankwardError, type ErrorCode } from '../../lib/errors.ts'
import { giveBackThread, takeThread } from './spare-threads.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type {
  ArchiveEnd,
  FetchConnection,
  Kept,
  MadeDocument,
  ThreadSettings,
  ThreadStart,
  ToThread,
  Verdict,
} from '../world/messages.ts'
import { unpackResult, type PackedMessage } from '../world/result-message.ts'

export interface ThreadsListener {
  received(result: FetchResult, thread: number): void
  /** A request has become slow. */
  slow(id: number, thread: number): void
  kept(kept: Kept, thread: number): void
  /** There are new results. */
  wake(): void
  /** A thread has failed: the crawl must stop. */
  broken(error: Error): void
}

interface Thread {
  readonly number: number
  readonly worker: Worker
  connections: FetchConnection[]
  verdicts: Verdict[]
}

export class FetchThreads {
  readonly #settings: readonly ThreadSettings[]
  /** Those that have started, by number. */
  readonly #threads = new Map<number, Thread>()
  readonly #listener: ThreadsListener
  /** For each pending sync: its promise, and the responses of the threads. */
  readonly #syncs = new Map<number, Sync>()
  #syncCount = 0
  /** A thread has failed: nothing more can be made durable. */
  #failure: Error | undefined
  /** The threads were released or terminated. */
  #isOver = false
  /** By thread: callbacks that wait for its files to be finished. */
  readonly #closing = new Map<number, () => void>()

  /** Threads of `atOnce` start now. */
  constructor(
    settings: readonly ThreadSettings[],
    listener: ThreadsListener,
    atOnce: Iterable<number> = [0],
  ) {
    this.#settings = settings
    this.#listener = listener
    for (const number of atOnce) this.#thread(number)
  }

  get count(): number {
    return this.#settings.length
  }

  fetch(thread: number, connection: FetchConnection): void {
    this.#mustBeOpen()
    this.#thread(thread).connections.push(connection)
  }

  keep(thread: number, verdict: Verdict): void {
    this.#mustBeOpen()
    this.#thread(thread).verdicts.push(verdict)
  }

  read(thread: number, document: MadeDocument): void {
    this.#mustBeOpen()
    this.#post(this.#thread(thread), { kind: 'read', documents: [document] })
  }

  /** Sends the requests since the last flush. */
  flush(): void {
    for (const thread of this.#threads.values()) {
      if (thread.verdicts.length > 0) this.#post(thread, { kind: 'keep', verdicts: thread.verdicts })
      if (thread.connections.length > 0)
        this.#post(thread, { kind: 'fetch', connections: thread.connections })
      thread.verdicts = []
      thread.connections = []
    }
  }

  /**
   * Resolves when all archived pages so far are on disk, with the ends of the files of each thread. Rejects
   * on failure.
   */
  sync(): Promise<Map<number, ArchiveEnd>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.reject(overError())
    this.flush()
    const number = this.#syncCount++
    return new Promise((resolve, reject) => {
      this.#syncs.set(number, { ends: new Map(), of: this.#threads.size, resolve, reject })
      for (const thread of this.#threads.values()) this.#post(thread, { kind: 'sync', number })
    })
  }

  /** Ends this request, as `slow`. */
  cut(thread: number, id: number): void {
    this.#mustBeOpen()
    this.#post(this.#thread(thread), { kind: 'cut', id })
  }

  /** Aborts all requests in flight: each has the result aborted. Without threads nothing is in flight. */
  abort(): void {
    this.flush()
    for (const thread of this.#threads.values()) this.#post(thread, { kind: 'abort' })
  }

  /** Aborts these requests, and those that wait behind them on their connections. */
  abortRequests(ids: ReadonlySet<number>): void {
    if (ids.size === 0) return
    this.flush()
    for (const thread of this.#threads.values()) this.#post(thread, { kind: 'abort', ids })
  }

  /** Releases all threads after their files are finished. Rejects if that fails. */
  async close(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    await Promise.all(
      [...this.#threads.values()].map(
        (thread) =>
          new Promise<void>((resolve) => {
            thread.worker.once('exit', () => resolve())
            this.#closing.set(thread.number, resolve)
            this.#post(thread, { kind: 'close' })
          }),
      ),
    )
    if (this.#failure !== undefined) {
      await this.kill()
      throw this.#failure
    }
    this.#isOver = true
    for (const { worker } of this.#threads.values()) giveBackThread(worker)
    this.#threads.clear()
  }

  /** Terminates all threads at once. */
  async kill(): Promise<void> {
    this.#isOver = true
    this.#rejectSyncs(this.#failure ?? overError())
    await Promise.all([...this.#threads.values()].map(({ worker }) => worker.terminate()))
  }

  #thread(number: number): Thread {
    const started = this.#threads.get(number)
    if (started !== undefined) return started
    const worker = takeThread()
    const thread: Thread = { number, worker, connections: [], verdicts: [] }
    this.#threads.set(number, thread)
    worker.on('message', (message: PackedMessage) => this.#receive(message, number))
    worker.on('error', (error) => this.#broken(error))
    worker.on('exit', (code) => this.#exited(code))
    worker.postMessage({ kind: 'start', settings: this.#settings[number] } satisfies ThreadStart)
    return thread
  }

  #post(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }

  #receive(message: PackedMessage, thread: number): void {
    if (this.#isOver) return
    switch (message.kind) {
      case 'results':
        for (const packed of message.results) this.#listener.received(unpackResult(packed), thread)
        this.#listener.wake()
        break
      case 'slow':
        for (const id of message.ids) this.#listener.slow(id, thread)
        this.#listener.wake()
        break
      case 'kept':
        for (const kept of message.kept) this.#listener.kept(kept, thread)
        break
      case 'synced':
        this.#synced(message.number, thread, message.end)
        break
      case 'broken':
        this.#broken(new RankwardError(message.code as ErrorCode, message.message))
        break
      case 'closed':
        this.#closing.get(thread)?.()
    }
  }

  #broken(error: Error): void {
    this.#failure ??= error
    this.#rejectSyncs(error)
    this.#listener.broken(error)
  }

  /** Its requests will have no result, and its archive may be incomplete. */
  #exited(exitCode: number): void {
    if (this.#isOver || this.#failure !== undefined) return
    this.#broken(
      new RankwardError(
        'THREAD_ENDED',
        `A fetch thread ended during the crawl, with exit code ${exitCode}. Resume the crawl: what it has recorded is not fetched again.`,
      ),
    )
  }

  #rejectSyncs(error: Error): void {
    for (const sync of this.#syncs.values()) sync.reject(error)
    this.#syncs.clear()
  }

  /** After `kill`, requests have no effect: the error that led to it is reported already. */
  #mustBeOpen(): void {
    if (this.#threads.size === 0) throw overError()
  }

  #synced(number: number, thread: number, end: ArchiveEnd): void {
    const sync = this.#syncs.get(number)
    if (sync === undefined) return
    sync.ends.set(thread, end)
    if (sync.ends.size < sync.of) return
    this.#syncs.delete(number)
    sync.resolve(sync.ends)
  }
}

interface Sync {
  readonly ends: Map<number, ArchiveEnd>
  /** How many threads had started. */
  readonly of: number
  resolve(ends: Map<number, ArchiveEnd>): void
  reject(error: Error): void
}

function overError(): RankwardError {
  return new RankwardError('BUG', 'A request to the fetch threads after the end of the crawl.')
}
