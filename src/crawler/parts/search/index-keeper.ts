/**
 * Keeps the search index of a running crawl up to date, in a thread of its own. The index is an optimisation:
 * if the thread fails, the crawl continues, and the next search builds what is missing.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../../lib/worker-entry.ts'

export class IndexKeeper {
  readonly #worker: Worker
  readonly #ended: Promise<unknown>

  /** `path`: the folder of the crawl. */
  constructor(path: string) {
    this.#worker = new Worker(workerEntry(import.meta.url, './index-worker'), {
      ...threadOptions(process),
      workerData: path,
    })
    this.#worker.on('error', () => {})
    this.#ended = once(this.#worker, 'exit').catch(() => {})
  }

  /** Completes the index; the crawl has ended. */
  async finish(): Promise<void> {
    this.#worker.postMessage('finish')
    await this.#ended
  }

  /** Stops at once. What is indexed so far is kept. */
  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}
