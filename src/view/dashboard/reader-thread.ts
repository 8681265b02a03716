/**
 * Passes requests to the thread that reads the record. The thread starts with the first request and ends when there was none
 * for a while, so that a crawl without viewers pays nothing.
 */
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import { ApiFailure } from './api-failure.ts'
import type { Question } from './reader/reader.ts'
import type { ReaderRequest, ReaderResponse } from './reader/reader-worker.ts'

/** Requests that wait for the thread; further ones are refused. */
const pendingMax = 64

const closing = 'The dashboard is closing.'

export type Parameters = readonly (readonly [name: string, value: string])[]

interface ReaderThreadOptions {
  readonly path: string
  /** The thread ends after this time without a request. */
  readonly idleMs: number
  /** An internal error, for the log. */
  readonly onProblem: (what: string) => void
}

interface Pending {
  readonly resolve: (json: string) => void
  readonly reject: (error: Error) => void
}

export class ReaderThread {
  readonly #options: ReaderThreadOptions
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #nextId = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ReaderThreadOptions) {
    this.#options = options
  }

  /** The answer as JSON. */
  ask(name: Question, parameters: Parameters = []): Promise<string> {
    if (this.#isClosed) return Promise.reject(new ApiFailure('internal', closing))
    if (this.#pending.size >= pendingMax) {
      return Promise.reject(new ApiFailure('busy', 'The dashboard has too many requests. Try again later.'))
    }
    this.#worker ??= this.#start()
    clearTimeout(this.#idle)
    const request: ReaderRequest = { id: this.#nextId++, name, parameters }
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject })
      this.#worker?.postMessage(request)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#fail(closing)
  }

  #start(): Worker {
    const { path, onProblem } = this.#options
    const worker = new Worker(workerEntry(import.meta.url, 'reader/reader-worker'), {
      ...threadOptions(process),
      workerData: { path },
    })
    worker.unref()
    worker.on('message', (response: ReaderResponse) => this.#answered(response))
    worker.on('error', (error) => onProblem(`the reader thread failed: ${error.stack ?? error.message}`))
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail('The record could not be read.')
    })
    return worker
  }

  #answered(response: ReaderResponse): void {
    const pending = this.#pending.get(response.id)
    this.#pending.delete(response.id)
    if ('json' in response) pending?.resolve(response.json)
    else {
      pending?.reject(new ApiFailure(response.code, response.message))
      if (response.cause !== undefined) this.#options.onProblem(response.cause)
    }
    if (this.#pending.size > 0 || this.#options.idleMs === Infinity) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#rest(), this.#options.idleMs).unref()
  }

  #rest(): void {
    if (this.#pending.size > 0) return
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #fail(message: string): void {
    for (const { reject } of this.#pending.values()) reject(new ApiFailure('internal', message))
    this.#pending.clear()
  }
}
