/** Finds the frames in one direction of an HTTP/2 connection (RFC 9113, 4.1), in pieces of any size. Nothing of their content is kept. */

export const frameType = { data: 0, headers: 1, reset: 3, goaway: 7, continuation: 9 } as const
export const frameHeadBytes = 9

export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payloadBytes: number
  /** The first bytes of its payload, as many as the scanner keeps. */
  readonly start: Buffer
}

/** Enough for the numbers of RST_STREAM and GOAWAY, and for the reason that nghttp2 adds. */
const startBytesMax = 200

export class FrameScanner {
  readonly #onFrame: (frame: Frame) => void
  /** Bytes to skip: the client's preface, and the payloads of frames that were reported. */
  #skip: number
  readonly #held = Buffer.alloc(frameHeadBytes + startBytesMax)
  #heldBytes = 0

  constructor(onFrame: (frame: Frame) => void, prefaceBytes = 0) {
    this.#onFrame = onFrame
    this.#skip = prefaceBytes
  }

  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at)
        this.#skip -= skipped
        at += skipped
        continue
      }
      const wanted = this.#wanted()
      const copied = bytes.copy(this.#held, this.#heldBytes, at, at + wanted - this.#heldBytes)
      this.#heldBytes += copied
      at += copied
      if (this.#heldBytes >= frameHeadBytes && this.#heldBytes === this.#wanted()) this.#report()
    }
  }

  /** Bytes of the current frame to hold: its head first, and then the start of its payload. */
  #wanted(): number {
    if (this.#heldBytes < frameHeadBytes) return frameHeadBytes
    return frameHeadBytes + Math.min(startBytesMax, this.#payloadBytes())
  }

  #payloadBytes(): number {
    return this.#held.readUIntBE(0, 3)
  }

  #report(): void {
    const held = this.#held
    const end = this.#heldBytes
    this.#heldBytes = 0
    const payloadBytes = this.#payloadBytes()
    this.#skip = frameHeadBytes + payloadBytes - end
    const stream = held.readUInt32BE(5) & 0x7fff_ffff
    const start = held.subarray(frameHeadBytes, end)
    this.#onFrame({ type: held[3], flags: held[4], stream, payloadBytes, start })
  }
}
