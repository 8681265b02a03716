/**
 * One request and what came back: undici's handler. It is settled once, by the end of the body, by a limit of size or
 * time, or by a failure; whatever undici says after that is not heard.
 */
import type { Dispatcher } from 'undici'
import type { Truncation } from '../../../warc/record.ts'
import type { FetchFailure } from '../messages.ts'
import { failureOf } from './fetch-failure.ts'

/** What came of an exchange; `failure` undefined: an answer, perhaps without the end of its body. */
export interface Answer {
  readonly startMs: number
  readonly durationMs: number
  readonly failure: FetchFailure | undefined
  readonly failureText: string | undefined
  /** Of an answer whose body broke off: why it did. */
  readonly broken: FetchFailure | undefined
  /** Did the connection stand, and was the request sent? */
  readonly wasSent: boolean
  readonly status: number
  readonly reason: string
  /** Names and values in turn, as they came. */
  readonly headers: readonly Buffer[]
  readonly body: Buffer
  readonly truncated: Truncation | undefined
}

export interface ExchangeLimits {
  readonly bodyBytesMax: number
  /** Is the part of a body that came before it broke off an answer? */
  readonly keepsBroken: boolean
  /** All that the connection has brought so far: with what stands around and between the parts of bodies. */
  readonly received: () => number
}

const noBody = Buffer.alloc(0)
/** Answers before the answer (early hints and the like) that are put up with. */
const interimMax = 32
/** Nobody reads what a redirect says beside its place. */
const redirectBytesMax = 64 * 1024
/** Bytes that may come beside those of a body: sizes and remarks of its chunks. */
const besideBytesMax = 128 * 1024
/** What of a body must come in a second. */
const bytesPerSecondMin = 32
/** A request that brings fewer body bytes a second than this is slow. */
const slowBytesPerSecond = 1024
const redirects = new Set([301, 302, 303, 307, 308])
const bodiless = new Set([204, 304])
const tooManyInterim = new Error('bad response: too many interim ones')
const aborted = new Error('aborted')

export class Exchange implements Dispatcher.DispatchHandler {
  #bodyBytesMax: number
  readonly #limits: ExchangeLimits
  readonly #onSettled: (answer: Answer) => void
  readonly createdMs = performance.now()
  #startMs = Date.now()
  #sentMs = 0
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false
  #isSlow = false
  #status = 0
  #reason = ''
  #headers: readonly Buffer[] = []
  #interim = 0
  /** When the answer began, and what had been received by then. */
  #answeredMs = 0
  #receivedBefore = 0
  /** Since when the body's speed is watched, and what of it there was then. */
  #speedSinceMs = 0
  #speedBytes = 0
  readonly #body = new BodyBytes()

  constructor(limits: ExchangeLimits, onSettled: (answer: Answer) => void) {
    this.#bodyBytesMax = limits.bodyBytesMax
    this.#limits = limits
    this.#onSettled = onSettled
  }

  get isSent(): boolean {
    return this.#sentMs !== 0
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Time is up, or patience: what has come of the body is the answer, if any has. */
  expire(failure: FetchFailure, text: string, truncated: 'time' | 'length' = 'time'): void {
    if (this.#body.length > 0 || redirects.has(this.#status)) this.#settle(undefined, undefined, truncated)
    else this.#settle(failure, text)
    this.#controller?.abort(aborted)
  }

  /** Looks whether the body comes too slowly, or with too much beside it, even if nothing of it comes. */
  watch(nowMs: number, slowSecondsMax: number): void {
    if (this.#answeredMs === 0 || this.#isSettled) return
    if (this.#hasTooMuchBeside()) return this.expire('bad-http', 'too much beside its body', 'length')
    const seconds = (nowMs - this.#speedSinceMs) / 1000
    if (seconds < slowSecondsMax) return
    if (this.#body.length - this.#speedBytes < bytesPerSecondMin * seconds) {
      return this.expire('timeout', `less than ${bytesPerSecondMin} bytes a second`)
    }
    this.#speedSinceMs = nowMs
    this.#speedBytes = this.#body.length
  }

  /** True once: the request has been under way for so long, and few body bytes have come. */
  becameSlow(nowMs: number, afterSeconds: number): boolean {
    const seconds = (nowMs - this.createdMs) / 1000
    if (this.#isSlow || this.#isSettled || seconds < afterSeconds) return false
    this.#isSlow = this.#body.length < slowBytesPerSecond * seconds
    return this.#isSlow
  }

  /** Other connections need its place. */
  cut(): void {
    this.#settle('slow', 'cut off: too many slow connections')
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
    if (status < 200) {
      if (++this.#interim > interimMax) controller.abort(tooManyInterim)
      return
    }
    if (redirects.has(status)) this.#bodyBytesMax = Math.min(this.#bodyBytesMax, redirectBytesMax)
    this.#status = status
    this.#reason = reason
    this.#headers = controller.rawHeaders as Buffer[]
    this.#answeredMs = this.#speedSinceMs = performance.now()
    this.#receivedBefore = this.#limits.received()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return
    const room = this.#bodyBytesMax - this.#body.length
    this.#body.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length <= room && !this.#hasTooMuchBeside()) return
    this.#settle(undefined, undefined, 'length')
    controller.abort(aborted)
  }

  onResponseEnd(): void {
    this.#settle(undefined)
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isSettled) return
    const { failure, text } = failureOf(error, this.isSent)
    // Such an answer tells the length of the page that it stands for, and undici misses that many bytes.
    if (bodiless.has(this.#status) && isLengthMismatch(error)) this.#settle(undefined)
    else if (this.#keeps(failure)) {
      this.#settle(undefined, text, failure === 'reset' ? 'disconnect' : 'unspecified', failure)
    } else this.#settle(failure, text)
  }

  /** Of a page that broke off, what came before that is worth something. */
  #keeps(failure: FetchFailure): boolean {
    if (!this.#limits.keepsBroken || this.#body.length === 0) return false
    return this.#status >= 200 && this.#status < 300 && (failure === 'reset' || failure === 'bad-http')
  }

  #hasTooMuchBeside(): boolean {
    return this.#limits.received() - this.#receivedBefore > this.#bodyBytesMax + besideBytesMax
  }

  #settle(
    failure: FetchFailure | undefined,
    failureText?: string,
    truncated?: Truncation,
    broken?: FetchFailure,
  ): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const hasAnswer = failure === undefined
    this.#onSettled({
      startMs: this.#startMs,
      durationMs: performance.now() - (this.#sentMs || this.createdMs),
      failure,
      failureText,
      broken,
      wasSent: this.isSent,
      status: hasAnswer ? this.#status : 0,
      reason: this.#reason,
      headers: hasAnswer ? this.#headers : [],
      body: hasAnswer ? this.#body.take() : noBody,
      truncated,
    })
  }
}

function isLengthMismatch(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
}

/**
 * A body as it comes. A piece of it keeps the whole buffer alive that the socket was read into: a server that sends one
 * byte at a time, each behind a kilobyte of something else, would fill the memory. So only a body of one piece is held
 * as it came; the pieces of others are copied together, and cost at most twice their length.
 */
class BodyBytes {
  #bytes: Buffer = noBody
  #isOwn = false
  length = 0

  add(piece: Buffer): void {
    if (this.length === 0) this.#bytes = piece
    else {
      this.#ensure(this.length + piece.length)
      piece.copy(this.#bytes, this.length)
    }
    this.length += piece.length
  }

  take(): Buffer {
    const bytes = this.#bytes
    this.#bytes = noBody
    return bytes.length === this.length ? bytes : bytes.subarray(0, this.length)
  }

  #ensure(length: number): void {
    if (this.#isOwn && length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.length, length, 16 * 1024))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
    this.#isOwn = true
  }
}
