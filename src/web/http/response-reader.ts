/**
 * Reads HTTP/1.1 responses from the bytes of a connection, in pieces of any size: the same bytes always have
 * the same effect. One reader reads one response, with the interim ones before it.
 *
 *   head ──▶ none ───────────────────────────────────▶ over
 *        ──▶ length (n bytes) ───────────────────────▶ over
 *        ──▶ close (until the connection ends) ──────▶ over
 *        ──▶ size ──▶ data ──▶ data end ──▶ size …
 *                └──▶ trailers ──────────────────────▶ over
 *
 * Memory is bounded: a head has `headerBytesMax` bytes at most, and nothing of chunk extensions and trailers
 * is kept.
 */
import type { FetchFailure } from './fetch-failure.ts'
import { BodyBytes, giveBack } from './body-bytes.ts'
import type { HttpFault } from './http-fault.ts'
import { type ResponseHead, leadingBytesMax, readHead } from './response-head.ts'

/** Servers send dozens of policies and cookies: Node's own limit of 16 KiB is too low. */
export const headerBytesMax = 128 * 1024
/** Maximum number of interim responses (early hints and the like) before the final one. */
export const interimMax = 32

/** Called in this order: onHead once, then the others as often as needed, then onEnd or onFailure once. */
export interface ResponseSink {
  onHead(head: ResponseHead): void
  onData(piece: Buffer): void
  /** Bytes of the body's framing: sizes and extensions of chunks, trailers. */
  onOverhead(bytes: number): void
  /** May be called before onHead: interim responses may have faults, too. */
  onFault(fault: HttpFault): void
  onEnd(): void
  onFailure(failure: FetchFailure, text: string): void
}

type State = 'head' | 'length' | 'close' | 'size' | 'data' | 'data-end' | 'trailers' | 'over'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const start = Buffer.from('HTTP/')

/** The reader's position in the line of a chunk's size. */
const digits = 0
const padding = 1
const extension = 2
const lineEnd = 3

export class ResponseReader {
  readonly #sink: ResponseSink
  #state: State = 'head'
  readonly #head = new BodyBytes()
  #interim = 0
  /** For the current line: its bytes so far, and whether they are a single CR. */
  #lineBytes = 0
  #isLineCr = false
  /** Whether there was a non-empty line. */
  #hasLine = false
  /** Remaining bytes of the body, or of a chunk. */
  #left = 0
  #bodyBytes = 0
  #part = digits
  #hasDigits = false
  #wasCr = false
  #trailerBytes = 0
  #hasFaults = false
  #hasExcess = false
  #isComplete = false
  #isReported = false
  #isPersistent = false
  keepAliveSeconds: number | undefined

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /** Whether any byte of a response has arrived. */
  get hasBegun(): boolean {
    return this.#state !== 'head' || this.#head.length > 0 || this.#interim > 0
  }

  /** Whether the response is complete, without faults, and another may follow on its connection. */
  get isReusable(): boolean {
    return this.#state === 'over' && this.#isPersistent && !this.#hasFaults && !this.#hasExcess
  }

  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && this.#state !== 'over') at = this.#step(bytes, at)
    if (at < bytes.length) this.#hasExcess = true
    this.#reportEnd()
  }

  /** The connection has ended. */
  finish(): void {
    if (this.#state === 'over') return
    if (this.#state === 'close') {
      this.#end()
      return this.#reportEnd()
    }
    const text =
      this.#state === 'head'
        ? `connection closed ${this.hasBegun ? 'inside the headers' : 'before the response'}`
        : this.#state === 'length'
          ? `connection closed after ${this.#bodyBytes} of ${this.#bodyBytes + this.#left} body bytes`
          : 'connection closed before the last chunk'
    this.#fail('reset', text)
  }

  /** Nothing more is read or reported. */
  stop(): void {
    this.#state = 'over'
    this.#isPersistent = false
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#stepHead(bytes, at)
      case 'size':
        return this.#stepSize(bytes, at)
      case 'data-end':
        return this.#stepDataEnd(bytes, at)
      case 'trailers':
        return this.#stepTrailers(bytes, at)
      default:
        return this.#stepBody(bytes, at)
    }
  }

  #stepHead(bytes: Buffer, at: number): number {
    const end = this.#emptyLineEnd(bytes, at, !this.#hasLine)
    const to = end < 0 ? bytes.length : end
    const isWhole = end >= 0 && this.#head.length === 0
    if (!isWhole) this.#head.add(bytes.subarray(at, to))
    const head = isWhole ? bytes.subarray(at, to) : this.#head.peek()
    if (!startsAsHttp(head)) this.#fail('bad-http', 'not an HTTP status line')
    else if (head.length > headerBytesMax) this.#failTooLarge()
    else if (end >= 0) this.#readHead(head)
    return to
  }

  #readHead(bytes: Buffer): void {
    // A copy: the memory of the bytes is used again.
    const head = readHead(Buffer.from(bytes))
    giveBack(this.#head.take())
    if (typeof head === 'string') return this.#fail('bad-http', head)
    for (const fault of head.faults) this.#fault(fault)
    if (head.status < 200) return this.#skipInterim(head.status)
    this.#isPersistent = head.isPersistent
    this.keepAliveSeconds = head.keepAliveSeconds
    this.#left = head.length
    this.#state =
      head.framing === 'chunked' ? 'size' : head.framing === 'none' ? 'length' : (head.framing as State)
    this.#sink.onHead(head)
    if (this.#state === 'length' && this.#left === 0) this.#end()
  }

  #skipInterim(status: number): void {
    if (status === 101) this.#fail('bad-http', 'a change of protocol that was not requested')
    else if (++this.#interim > interimMax) this.#fail('bad-http', 'too many interim responses')
    this.#hasLine = false
  }

  #stepBody(bytes: Buffer, at: number): number {
    const isCounted = this.#state !== 'close'
    const to = isCounted ? Math.min(bytes.length, at + this.#left) : bytes.length
    if (isCounted) this.#left -= to - at
    this.#bodyBytes += to - at
    const isOver = isCounted && this.#left === 0
    if (isOver && this.#state === 'data') this.#state = 'data-end'
    this.#sink.onData(at === 0 && to === bytes.length ? bytes : bytes.subarray(at, to))
    if (isOver && this.#state === 'length') this.#end()
    return to
  }

  #stepSize(bytes: Buffer, from: number): number {
    let at = from
    let isLineOver = false
    while (at < bytes.length && !isLineOver) {
      if (this.#part === extension) {
        const end = bytes.indexOf(lineFeed, at)
        const to = end < 0 ? bytes.length : end
        if (!this.#takeExtension(bytes, at, to)) {
          this.#sink.onOverhead(to - from)
          if (this.#isReading('size')) this.#fail('bad-http', 'NUL in a chunk extension')
          return to
        }
        at = to
        if (end < 0) break
      }
      const refusal = this.#takeSizeByte(bytes[at++])
      if (refusal !== undefined) {
        this.#sink.onOverhead(at - 1 - from)
        if (this.#isReading('size')) this.#fail('bad-http', refusal)
        return at
      }
      isLineOver = bytes[at - 1] === lineFeed
    }
    this.#sink.onOverhead(at - from)
    if (isLineOver && this.#isReading('size')) this.#beginChunk()
    return at
  }

  /** A CR may only be the last byte before the line feed. False if there is a NUL. */
  #takeExtension(bytes: Buffer, from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const byte = bytes[at]
      if (byte === 0) return false
      const isControl = byte < 0x20 ? byte !== 0x09 && byte !== carriageReturn : byte === 0x7f
      if (isControl || this.#wasCr) this.#fault('control-character')
      this.#wasCr = byte === carriageReturn
    }
    return true
  }

  #takeSizeByte(byte: number): string | undefined {
    if (byte === lineFeed) {
      if (!this.#hasDigits) return 'a chunk without a size'
      if (!this.#wasCr) this.#fault('bare-lf')
      return undefined
    }
    if (this.#part === lineEnd) return 'an invalid chunk size'
    if (byte === carriageReturn) {
      this.#part = lineEnd
      this.#wasCr = true
      return undefined
    }
    if (byte === 0x3b && this.#hasDigits) this.#part = extension
    else if ((byte === 0x20 || byte === 0x09) && this.#hasDigits) this.#part = padding
    else {
      const digit = this.#part === digits ? hexDigit(byte) : -1
      if (digit < 0) return 'an invalid chunk size'
      this.#left = this.#left * 16 + digit
      this.#hasDigits = true
      if (this.#left > Number.MAX_SAFE_INTEGER) return 'a chunk size that is too large'
    }
    return undefined
  }

  #beginChunk(): void {
    this.#part = digits
    this.#hasDigits = this.#wasCr = false
    this.#state = this.#left === 0 ? 'trailers' : 'data'
    this.#hasLine = false
  }

  #stepDataEnd(bytes: Buffer, at: number): number {
    const byte = bytes[at]
    if (byte === carriageReturn && !this.#wasCr) this.#wasCr = true
    else if (byte === lineFeed) {
      if (!this.#wasCr) this.#fault('bare-lf')
      this.#wasCr = false
      this.#state = 'size'
    } else {
      this.#fail('bad-http', 'a chunk that is longer than its size')
      return at + 1
    }
    this.#sink.onOverhead(1)
    return at + 1
  }

  #stepTrailers(bytes: Buffer, at: number): number {
    const end = this.#emptyLineEnd(bytes, at, false)
    const to = end < 0 ? bytes.length : end
    this.#sink.onOverhead(Math.min(to - at, headerBytesMax - this.#trailerBytes))
    this.#trailerBytes += to - at
    if (!this.#isReading('trailers')) return to
    if (this.#trailerBytes > headerBytesMax) this.#failTooLarge()
    else if (end >= 0) this.#end()
    return to
  }

  /**
   * The position after the first empty line; -1 if it has not arrived. `skips` ignores leading empty lines.
   */
  #emptyLineEnd(bytes: Buffer, at: number, skips: boolean): number {
    let from = at
    let isSkipping = skips
    for (;;) {
      const end = bytes.indexOf(lineFeed, from)
      const to = end < 0 ? bytes.length : end
      if (to > from) {
        this.#wasCr = bytes[to - 1] === carriageReturn
        this.#isLineCr = this.#lineBytes === 0 && to === from + 1 && bytes[from] === carriageReturn
        this.#lineBytes += to - from
      }
      if (end < 0) return -1
      const isEmpty = this.#lineBytes === 0 || this.#isLineCr
      if (this.#state === 'trailers' && !this.#wasCr) this.#fault('bare-lf')
      this.#wasCr = false
      this.#lineBytes = 0
      this.#isLineCr = false
      if (!isEmpty) {
        this.#hasLine = true
        isSkipping = false
      } else if (!isSkipping) return end + 1
      from = end + 1
    }
  }

  /** The sink may have stopped the reader. */
  #isReading(state: State): boolean {
    return this.#state === state
  }

  #fault(fault: HttpFault): void {
    this.#hasFaults = true
    this.#sink.onFault(fault)
  }

  #end(): void {
    this.#state = 'over'
    this.#isComplete = true
  }

  /** Called after all bytes were processed: bytes after the end make the connection unusable. */
  #reportEnd(): void {
    if (!this.#isComplete || this.#isReported) return
    this.#isReported = true
    this.#sink.onEnd()
  }

  #failTooLarge(): void {
    this.#fail('headers-too-large', `more than ${headerBytesMax} bytes of headers`)
  }

  #fail(failure: FetchFailure, text: string): void {
    this.stop()
    this.#sink.onFailure(failure, text)
  }
}

/** Whether this is the start of a status line, after any empty lines. */
function startsAsHttp(bytes: Buffer): boolean {
  let at = 0
  while (at < leadingBytesMax && (bytes[at] === carriageReturn || bytes[at] === lineFeed)) at++
  const length = Math.min(start.length, bytes.length - at)
  for (let i = 0; i < length; i++) if (bytes[at + i] !== start[i]) return false
  return true
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
