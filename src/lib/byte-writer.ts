/** Appends numbers and texts to a growing byte array: varints, doubles, length-prefixed texts and blocks. */
const startBytes = 1 << 12

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(startBytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  /** A whole number from 0 to 2^53 - 1, seven bits per byte, least significant first. */
  varint(value: number): void {
    this.#room(8)
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  uint32(value: number): void {
    this.#room(4)
    this.#bytes.writeUInt32LE(value, this.#length)
    this.#length += 4
  }

  double(value: number): void {
    this.#room(8)
    this.#bytes.writeDoubleLE(value, this.#length)
    this.#length += 8
  }

  /** Length-prefixed UTF-8 text. */
  text(value: string): void {
    const length = Buffer.byteLength(value)
    this.varint(length)
    this.#room(length)
    this.#bytes.write(value, this.#length, length, 'utf8')
    this.#length += length
  }

  /** Length-prefixed bytes. */
  block(value: Uint8Array): void {
    this.varint(value.length)
    this.raw(value)
  }

  raw(value: Uint8Array): void {
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** The bytes written so far, valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Drops the written bytes and keeps the memory. */
  clear(): void {
    this.#length = 0
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#length + count, 2 * this.#bytes.length))
    larger.set(this.view())
    this.#bytes = larger
  }
}
