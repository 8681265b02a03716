/** Reads the bytes of a ByteWriter. Every read is checked: truncated bytes throw a RangeError. */
export class ByteReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = start
  }

  /** The offset of the next byte. */
  get at(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    this.#need(1)
    return this.#bytes[this.#at++]
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
      if (scale > 2 ** 49) throw new RangeError('a number is too long')
    }
  }

  uint32(): number {
    this.#need(4)
    this.#at += 4
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  double(): number {
    this.#need(8)
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }

  text(): string {
    return this.block().toString('utf8')
  }

  /** Length-prefixed bytes, as a view of the source. */
  block(): Buffer {
    return this.raw(this.varint())
  }

  /** All remaining bytes. */
  rest(): Buffer {
    return this.raw(this.#bytes.length - this.#at)
  }

  raw(length: number): Buffer {
    this.#need(length)
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  skip(length: number): void {
    this.#need(length)
    this.#at += length
  }

  #need(count: number): void {
    if (this.#at + count > this.#bytes.length) throw new RangeError('the bytes end too early')
  }
}
