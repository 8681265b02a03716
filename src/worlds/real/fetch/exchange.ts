/**
 * One request and what came back: undici's handler. It is settled once, by the end of the body, by a limit of size or
 * time, or by a failure; whatever undici says after that is not heard.
 */
import type { Dispatcher } from 'undici'
import type { FetchFailure } from '../messages.ts'
import { failureOf } from './fetch-failure.ts'

/** What came of an exchange; `failure` undefined: an answer, perhaps without the end of its body. */
export interface Answer {
  readonly startMs: number
  readonly durationMs: number
  readonly failure: FetchFailure | undefined
  readonly failureText: string | undefined
  /** Did the connection stand, and was the request sent? */
  readonly wasSent: boolean
  readonly status: number
  readonly reason: string
  /** Names and values in turn, as they came. */
  readonly headers: readonly Buffer[]
  readonly body: Buffer
  readonly truncated: 'length' | 'time' | undefined
}

const noBody = Buffer.alloc(0)
const aborted = new Error('aborted')

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #bodyBytesMax: number
  readonly #onSettled: (answer: Answer) => void
  readonly createdMs = performance.now()
  #startMs = Date.now()
  #sentMs = 0
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false
  #status = 0
  #reason = ''
  #headers: readonly Buffer[] = []
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(bodyBytesMax: number, onSettled: (answer: Answer) => void) {
    this.#bodyBytesMax = bodyBytesMax
    this.#onSettled = onSettled
  }

  get isSent(): boolean {
    return this.#sentMs !== 0
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Time is up: what has come of the body is the answer, if any has. */
  expire(failure: 'timeout' | 'connect-timeout', text: string): void {
    if (this.#bytes > 0) this.#settle(undefined, undefined, 'time')
    else this.#settle(failure, text)
    this.#controller?.abort(aborted)
  }

  abort(): void {
    this.#settle('aborted', 'stopped')
    this.#controller?.abort(aborted)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) return controller.abort(aborted)
    this.#controller = controller
    this.#startMs = Date.now()
    this.#sentMs = performance.now()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    reason = '',
  ): void {
    // Early hints and the like: the answer is still to come.
    if (status < 200) return
    this.#status = status
    this.#reason = reason
    this.#headers = controller.rawHeaders as Buffer[]
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return
    const room = this.#bodyBytesMax - this.#bytes
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#bytes += Math.min(chunk.length, room)
    if (chunk.length <= room) return
    this.#settle(undefined, undefined, 'length')
    controller.abort(aborted)
  }

  onResponseEnd(): void {
    this.#settle(undefined)
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isSettled) return
    const { failure, text } = failureOf(error, this.isSent)
    this.#settle(failure, text)
  }

  #settle(failure: FetchFailure | undefined, failureText?: string, truncated?: 'length' | 'time'): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const hasAnswer = failure === undefined
    this.#onSettled({
      startMs: this.#startMs,
      durationMs: performance.now() - (this.#sentMs || this.createdMs),
      failure,
      failureText,
      wasSent: this.isSent,
      status: hasAnswer ? this.#status : 0,
      reason: this.#reason,
      headers: hasAnswer ? this.#headers : [],
      body: hasAnswer ? joined(this.#chunks, this.#bytes) : noBody,
      truncated,
    })
    this.#chunks = []
  }
}

function joined(chunks: Buffer[], bytes: number): Buffer {
  if (chunks.length === 1) return chunks[0]
  return chunks.length === 0 ? noBody : Buffer.concat(chunks, bytes)
}
