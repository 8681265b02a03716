/**
 * A user's scorer in its own thread. Pages are scored one at a time. If a page takes too long, the thread is
 * terminated, and the next page gets a new one. Exceptions are counted and do not stop the crawl.
 */
import { Worker } from 'node:worker_threads'
import { assert } from '../../lib/assert.ts'
import { RankwardError } from '../../lib/errors.ts'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import type { PageScorer, ScoredPage, ScorerOptions } from './page-scorer.ts'
import type { FromScorer, ToScorer } from './scorer-worker.ts'

export interface ScorerThreadOptions extends ScorerOptions {
  /** Memory limit of the thread, in megabytes; default 1024. */
  readonly memoryMax?: number | undefined
}

/** The result for a page. */
type Scored = Extract<FromScorer, { id: number }>

export class ScorerThread implements PageScorer {
  readonly #path: string
  readonly #options: ScorerThreadOptions
  #worker: Worker | undefined
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()
  #id = 0
  /** Number of pages without a score. */
  failures = 0
  lastFailure: string | undefined

  private constructor(path: string, options: ScorerThreadOptions) {
    this.#path = path
    this.#options = options
  }

  /** Rejects if the module cannot be loaded, so that errors are reported before the crawl. */
  static async open(path: string, options: ScorerThreadOptions): Promise<ScorerThread> {
    const scorer = new ScorerThread(path, options)
    scorer.#worker = await scorer.#start()
    return scorer
  }

  score(page: ScoredPage, onFailure = this.#options.onFailure): Promise<number | undefined> {
    assert(!this.#isClosed, 'a page is scored after the end of the crawl')
    const scored = this.#last.then(() => this.#score(page, onFailure))
    this.#last = scored
    return scored
  }

  /** Pages that wait have no score. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #score(page: ScoredPage, onFailure: ScorerOptions['onFailure']): Promise<number | undefined> {
    const fail = (why: string): void => {
      this.failures++
      this.lastFailure = why
      onFailure?.(page.url, why)
    }
    if (this.#isClosed) return undefined
    let worker: Worker
    try {
      worker = this.#worker ??= await this.#start()
    } catch (error) {
      fail((error as Error).message)
      return undefined
    }
    // The thread may have started after `close` ended the one before.
    if (this.#isClosed as boolean) {
      await this.#end()
      return undefined
    }
    const id = this.#id++
    const answer = await new Promise<Scored | string>((resolve) => {
      const { secondsMax } = this.#options
      const late = setTimeout(() => end(`it took longer than ${secondsMax} s`), secondsMax * 1000)
      // The user's code may post messages of its own.
      const message = (told: FromScorer | null | undefined): void => {
        if ((told?.kind === 'scored' || told?.kind === 'failed') && told.id === id) end(told)
      }
      const error = (thrown: Error): void => end(thrown.message.split('\n')[0])
      const exit = (): void => end('it ended its thread')
      const end = (told: Scored | string): void => {
        clearTimeout(late)
        worker.off('message', message).off('error', error).off('exit', exit)
        resolve(told)
      }
      worker.on('message', message).on('error', error).on('exit', exit)
      worker.postMessage({ id, page } satisfies ToScorer)
    })
    if (typeof answer === 'object') {
      if (answer.kind === 'scored') return answer.score
      fail(answer.why)
      return undefined
    }
    if (this.#isClosed as boolean) return undefined
    // A thread that hangs or has ended cannot score the next page.
    await this.#end()
    fail(answer)
    return undefined
  }

  #start(): Promise<Worker> {
    const worker = new Worker(workerEntry(import.meta.url, './scorer-worker'), {
      ...threadOptions(process),
      workerData: { path: this.#path },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMax ?? 1024 },
    })
    worker.unref()
    return new Promise((resolve, reject) => {
      const unusable = (why: string): void =>
        reject(new RankwardError('BAD_SCORER', `Cannot use the scorer ${this.#path}: ${why}.`))
      worker.once('error', (error) => unusable(error.message.split('\n')[0]))
      const exit = (): void => unusable('it ended its thread')
      worker.once('exit', exit)
      const started = (told: FromScorer | null | undefined): void => {
        if (told?.kind !== 'ready' && told?.kind !== 'unusable') return
        worker.off('message', started).off('exit', exit)
        // It may also fail between two pages, for example in a timer: the next page gets a new thread.
        worker.removeAllListeners('error').on('error', () => {})
        worker.once('exit', () => {
          if (this.#worker === worker) this.#worker = undefined
        })
        if (told.kind === 'unusable') unusable(told.why)
        else resolve(worker)
      }
      worker.on('message', started)
    })
  }
}
