/**
 * A user's page handler in threads of its own, each with its own copy of the module. A thread handles one page at a time.
 * If a page takes too long, its thread is terminated, and the next page gets a new one.
 */
import { Worker } from 'node:worker_threads'
import { RankwardError } from '../../../lib/errors.ts'
import { threadOptions, workerEntry } from '../../../lib/worker-entry.ts'
import type { HandlerInput } from './handled-page.ts'
import type { FromHandler, HandlerWorkerData } from './handler-worker.ts'
import {
  failedDecision,
  HandlerQueue,
  type HandlingOptions,
  type PageDecision,
  type PageHandling,
  type WaitingInput,
} from './page-handling.ts'

interface HandlerThreadsOptions extends HandlingOptions {
  readonly threads: number
  /** Whether bodies may be moved to the thread instead of copied: nothing else reads them. */
  readonly movesBodies: boolean
  /** Memory limit of a thread, in megabytes; default 1024. */
  readonly memoryMax?: number | undefined
}

/** A thread; without a worker until it is needed. */
interface Slot {
  worker: Worker | undefined
  /** Ends the page under way without its decision. */
  abandon: (() => void) | undefined
}

export class HandlerThreads implements PageHandling {
  readonly #path: string
  readonly #options: HandlerThreadsOptions
  readonly #queue: HandlerQueue
  readonly #idle: Slot[]
  readonly #slots: readonly Slot[]

  private constructor(path: string, options: HandlerThreadsOptions) {
    this.#path = path
    this.#options = options
    this.#queue = new HandlerQueue(options.waitingBytesMax)
    this.#slots = Array.from({ length: options.threads }, () => ({ worker: undefined, abandon: undefined }))
    this.#idle = [...this.#slots]
  }

  /** Rejects if the module cannot be loaded, so that errors are reported before the crawl. */
  static async open(path: string, options: HandlerThreadsOptions): Promise<HandlerThreads> {
    const threads = new HandlerThreads(path, options)
    threads.#slots[0].worker = await threads.#startFor(threads.#slots[0])
    return threads
  }

  handle(input: HandlerInput): Promise<PageDecision | 'aborted'> {
    const handled = this.#queue.add(input)
    // The last one to end is the first to be used again: others may never be needed.
    const slot = this.#queue.length === 0 ? undefined : this.#idle.shift()
    if (slot !== undefined) void this.#work(slot)
    return handled
  }

  full(): Promise<void> | undefined {
    return this.#queue.full()
  }

  abort(): void {
    this.#queue.abort()
    for (const { abandon } of this.#slots) abandon?.()
  }

  async close(): Promise<void> {
    this.abort()
    await Promise.all(this.#slots.map((slot) => this.#end(slot)))
  }

  async #work(slot: Slot): Promise<void> {
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      next.resolve(await this.#handle(slot, next))
    }
    this.#idle.unshift(slot)
  }

  async #handle(slot: Slot, { input }: WaitingInput): Promise<PageDecision | 'aborted'> {
    let worker: Worker
    try {
      worker = slot.worker ??= await this.#startFor(slot)
    } catch (error) {
      return failedDecision((error as Error).message)
    }
    if (this.#queue.isAborted) {
      // The thread may have started after `close` ended the others.
      await this.#end(slot)
      return 'aborted'
    }
    const { secondsMax, movesBodies } = this.#options
    const answer = await new Promise<PageDecision | string>((resolve) => {
      const end = (decision: PageDecision | string): void => {
        clearTimeout(late)
        worker.off('message', message).off('error', error).off('exit', exit)
        slot.abandon = undefined
        resolve(decision)
      }
      // The user's code may post messages of its own.
      const message = (told: FromHandler | null | undefined): void => {
        if (told?.kind === 'handled') end(told.decision)
      }
      const error = (thrown: Error): void => end(thrown.message.split('\n')[0])
      const exit = (): void => end('it ended its thread')
      const late = setTimeout(
        () => end(`it took longer than ${secondsMax} s`),
        Math.min(secondsMax * 1000, 2 ** 31 - 1),
      )
      slot.abandon = () => end(aborted)
      worker.on('message', message).on('error', error).on('exit', exit)
      const { body } = input.result
      worker.postMessage(input, movesBodies && body !== undefined ? [body.buffer as ArrayBuffer] : [])
    })
    if (typeof answer !== 'string') return answer
    // A thread that hangs or has ended cannot handle the next page.
    await this.#end(slot)
    return answer === aborted ? 'aborted' : failedDecision(answer)
  }

  async #end(slot: Slot): Promise<void> {
    const { worker } = slot
    slot.worker = undefined
    await worker?.terminate()
  }

  /** The thread may also end between two pages, for example by an error in a timer. */
  async #startFor(slot: Slot): Promise<Worker> {
    const worker = await this.#start()
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (slot.worker === worker) slot.worker = undefined
    })
    return worker
  }

  #start(): Promise<Worker> {
    const { rules, memoryMax = 1024 } = this.#options
    const worker = new Worker(workerEntry(import.meta.url, './handler-worker'), {
      ...threadOptions(process),
      workerData: { path: this.#path, rules } satisfies HandlerWorkerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMax },
    })
    worker.unref()
    return new Promise((resolve, reject) => {
      const unusable = (why: string): void =>
        reject(new RankwardError('BAD_HANDLER', `Cannot use the page handler ${this.#path}: ${why}.`))
      worker.once('error', (error) => unusable(error.message.split('\n')[0]))
      worker.once('exit', () => unusable('it ended its thread'))
      worker.on('message', (told: FromHandler | null | undefined) => {
        if (told?.kind !== 'ready' && told?.kind !== 'unusable') return
        worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
        if (told.kind === 'unusable') unusable(told.why)
        else resolve(worker)
      })
    })
  }
}

const aborted = 'aborted'
