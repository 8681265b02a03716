/**
 * Passes the frames of an HTTP/2 server on, header blocks as a whole: HEADERS and its CONTINUATION frames are held back until the last
 * one has arrived. Node 20 fails an assertion, which ends the process, if a session ends inside a header block. At most `blockBytesMax`
 * bytes are held.
 */
import { frameHeadBytes, frameType } from './frame-scanner.ts'

const endHeadersFlag = 4
const none = Buffer.alloc(0)

/** What a server must not do: another frame inside a header block, or a block that is too large. */
type BlockFault = 'broken' | 'too-large'

export class HeaderBlockGate {
  readonly #blockBytesMax: number
  #held: Buffer = none
  /** Bytes of the current frame that are still to come, and pass. */
  #passing = 0

  constructor(blockBytesMax: number) {
    this.#blockBytesMax = blockBytesMax
  }

  /** The bytes that may pass now; they are not copied if nothing was held. */
  take(received: Buffer): Buffer | BlockFault {
    const bytes = this.#held.length === 0 ? received : Buffer.concat([this.#held, received])
    this.#held = none
    let at = Math.min(this.#passing, bytes.length)
    this.#passing -= at
    while (at < bytes.length) {
      const end = this.#frameEnd(bytes, at)
      if (typeof end === 'string') return end
      if (end === undefined) {
        // A copy: the rest must not keep the whole piece alive.
        this.#held = Buffer.from(bytes.subarray(at))
        return bytes.subarray(0, at)
      }
      this.#passing = Math.max(0, end - bytes.length)
      at = Math.min(end, bytes.length)
    }
    return bytes
  }

  /** Where the frame or header block ends that begins here; undefined if it is to be held. */
  #frameEnd(bytes: Buffer, start: number): number | BlockFault | undefined {
    let at = start
    for (;;) {
      if (bytes.length - at < frameHeadBytes) return undefined
      const end = at + frameHeadBytes + bytes.readUIntBE(at, 3)
      const isFirst = at === start
      const isBlock = bytes[at + 3] === (isFirst ? frameType.headers : frameType.continuation)
      if (!isBlock) return isFirst ? end : 'broken'
      if (!isFirst && streamOf(bytes, at) !== streamOf(bytes, start)) return 'broken'
      // A frame above the largest size is for nghttp2 to refuse.
      if (isFirst && (bytes[at + 4] & endHeadersFlag) !== 0) return end
      if (end - start > this.#blockBytesMax) return 'too-large'
      if (end > bytes.length) return undefined
      if ((bytes[at + 4] & endHeadersFlag) !== 0) return end
      at = end
    }
  }
}

function streamOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at + 5) & 0x7fff_ffff
}
