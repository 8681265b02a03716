/**
 * One request and its response. It is settled once: by the end of the body, by a size limit, a timeout or a
 * failure. Later events of the connection are ignored.
 */
import type { Truncation } from '../warc/record.ts'
import type { FetchFailure } from './fetch-failure.ts'
import { BodyBytes } from './body-bytes.ts'
import type { HttpFault } from './http-fault.ts'
import type { ResponseSink } from './response-reader.ts'

/**
 * The response to a request, or why there is none: then `failure` is set. The end of the body may be missing.
 */
export interface HttpResponse {
  /** When the request was sent, in milliseconds of the epoch, and how long it took to the end of the body. */
  readonly startMs: number
  readonly durationMs: number
  /** 0: there was no response. */
  readonly status: number
  readonly failure: FetchFailure | undefined
  /** Why it failed, in a few words, for people. */
  readonly failureText?: string | undefined
  /** Why the body broke off, if it did; `truncated` then says so for the archive. */
  readonly broken?: FetchFailure | undefined
  readonly truncated?: Truncation | undefined
  readonly faults?: readonly HttpFault[] | undefined
  /** True if the user does not take content of this type: the body was not read. */
  readonly rejected?: boolean | undefined
  /** The proxy that the request was sent by; `proxyFailed`: it could not be reached, or refused to work. */
  readonly proxy?: number | undefined
  readonly proxyFailed?: boolean | undefined
  /** Whether the connection was opened and the request sent. */
  readonly wasSent: boolean
  readonly reason: string
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
  /** The bytes of status line and headers as received; undefined for HTTP/2. */
  readonly head: Buffer | undefined
  /** Its memory may be given back to the pool (body-bytes.ts). */
  readonly body: Buffer
}

export interface ExchangeLimits {
  readonly bodyBytesMax: number
  /** Whether the received part of a truncated body counts as a response. */
  readonly keepsBroken: boolean
  /** Whether the body of a successful response with these headers is read; by default all are. */
  readonly wants?: ((headers: readonly Buffer[]) => boolean) | undefined
}

/** The connection's handle for a request in progress. */
export interface Sending {
  /** Received framing bytes of the body that were not reported by `onOverhead`. */
  readonly overheadBytes: number
  /** Ends the request. The connection reports nothing more. */
  abort(): void
}

/** The parts of a response head that an exchange needs. */
interface ReceivedHead {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Buffer[]
  readonly raw?: Buffer | undefined
  /** Of a body framed by its length. */
  readonly length?: number | undefined
}

const noBody = Buffer.alloc(0)
const noFaults: readonly HttpFault[] = []
/** The body of a redirect is not read. */
const redirectBytesMax = 64 * 1024
/** Maximum framing bytes for a body of the largest allowed size. */
const overheadBytesMax = 128 * 1024
/** The minimum speed of a body. */
const bytesPerSecondMin = 32
/** A request with fewer body bytes per second is slow. */
const slowBytesPerSecond = 1024
const redirects = new Set([301, 302, 303, 307, 308])

export class Exchange implements ResponseSink {
  #bodyBytesMax: number
  readonly #limits: ExchangeLimits
  readonly #onSettled: (response: HttpResponse) => void
  readonly createdMs = performance.now()
  #startMs = Date.now()
  #sentMs = 0
  #sending: Sending | undefined
  #isSettled = false
  #isSlow = false
  #isRejected = false
  #head: ReceivedHead | undefined
  #faults = noFaults
  #overheadBytes = 0
  /** Start of the current speed measurement, and the body bytes at that time. */
  #speedSinceMs = 0
  #speedBytes = 0
  readonly #body = new BodyBytes()

  constructor(limits: ExchangeLimits, onSettled: (response: HttpResponse) => void) {
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

  /** Ends the exchange at a limit: the received part of the body is the response, if there is any. */
  expire(failure: FetchFailure, text: string, truncated: 'time' | 'length' = 'time'): void {
    this.#abortSending()
    const isKept = this.#body.length > 0 || redirects.has(this.#head?.status ?? 0)
    if (isKept) this.#settle(undefined, undefined, truncated)
    else this.#settle(failure, text)
  }

  /** Checks the speed of the body and the framing bytes, even if nothing arrives. */
  watch(nowMs: number, slowSecondsMax: number): void {
    if (this.#isSettled) return
    if (this.#room() < 0) return this.#expireOverhead()
    if (this.#head === undefined) return
    const seconds = (nowMs - this.#speedSinceMs) / 1000
    if (seconds < slowSecondsMax) return
    if (this.#body.length - this.#speedBytes < bytesPerSecondMin * seconds) {
      return this.expire('timeout', `less than ${bytesPerSecondMin} bytes a second`)
    }
    this.#speedSinceMs = nowMs
    this.#speedBytes = this.#body.length
  }

  /** True once: the request has lasted this long, and few body bytes have arrived. */
  becameSlow(nowMs: number, afterSeconds: number): boolean {
    const seconds = (nowMs - this.createdMs) / 1000
    if (this.#isSlow || this.#isSettled || seconds < afterSeconds) return false
    this.#isSlow = this.#body.length < slowBytesPerSecond * seconds
    return this.#isSlow
  }

  /** Aborts a slow request, to free its connection. */
  cut(): void {
    this.#abortSending()
    this.#settle('slow', 'cut off: too many slow connections')
  }

  abort(): void {
    this.#abortSending()
    this.#settle('aborted', 'stopped')
  }

  /** The connection is open, and the request is being written. */
  onSent(sending: Sending): void {
    this.#sending = sending
    this.#startMs = Date.now()
    this.#sentMs = performance.now()
  }

  onHead(head: ReceivedHead): void {
    if (redirects.has(head.status)) this.#bodyBytesMax = Math.min(this.#bodyBytesMax, redirectBytesMax)
    this.#head = head
    this.#speedSinceMs = performance.now()
    const isSuccess = head.status >= 200 && head.status < 300
    if (!isSuccess || this.#limits.wants?.(head.headers) !== false) {
      return this.#body.expect(Math.min(head.length ?? 0, this.#bodyBytesMax))
    }
    this.#isRejected = true
    this.#abortSending()
    this.#settle(undefined, 'content of this type is not taken')
  }

  onFault(fault: HttpFault): void {
    if (!this.#faults.includes(fault)) this.#faults = [...this.#faults, fault]
  }

  onData(piece: Buffer): void {
    if (this.#isSettled) return
    const room = Math.max(0, Math.min(this.#bodyBytesMax - this.#body.length, this.#room()))
    if (piece.length <= room) return this.#body.add(piece)
    if (room > 0) this.#body.add(piece.subarray(0, room))
    this.#abortSending()
    this.#settle(undefined, undefined, 'length')
  }

  onOverhead(bytes: number): void {
    this.#overheadBytes += bytes
    if (!this.#isSettled && this.#room() < 0) this.#expireOverhead()
  }

  onEnd(): void {
    this.#settle(undefined)
  }

  onFailure(failure: FetchFailure, text: string): void {
    if (this.#keeps(failure)) {
      this.#settle(undefined, text, failure === 'reset' ? 'disconnect' : 'unspecified', failure)
    } else this.#settle(failure, text)
  }

  /** Whether the received part of a truncated page is kept. */
  #keeps(failure: FetchFailure): boolean {
    if (!this.#limits.keepsBroken || this.#body.length === 0) return false
    const status = this.#head?.status ?? 0
    return status >= 200 && status < 300 && (failure === 'reset' || failure === 'bad-http')
  }

  /** Maximum number of bytes that may still arrive, including framing. */
  #room(): number {
    const overhead = this.#overheadBytes + (this.#sending?.overheadBytes ?? 0)
    return this.#bodyBytesMax + overheadBytesMax - this.#body.length - overhead
  }

  #expireOverhead(): void {
    this.expire('bad-http', 'too many bytes beside the body', 'length')
  }

  #abortSending(): void {
    const sending = this.#sending
    this.#sending = undefined
    sending?.abort()
  }

  #settle(
    failure: FetchFailure | undefined,
    failureText?: string,
    truncated?: Truncation,
    broken?: FetchFailure,
  ): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const head = failure === undefined ? this.#head : undefined
    this.#onSettled({
      startMs: this.#startMs,
      durationMs: performance.now() - (this.#sentMs || this.createdMs),
      failure,
      failureText,
      broken,
      wasSent: this.isSent,
      status: head?.status ?? 0,
      reason: head?.reason ?? '',
      headers: head?.headers ?? [],
      head: head?.raw,
      faults: this.#faults.length === 0 ? undefined : this.#faults,
      body: head === undefined ? noBody : this.#body.take(),
      truncated,
      rejected: this.#isRejected ? true : undefined,
    })
  }
}
