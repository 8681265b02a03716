/**
 * The URLs of a web, as bytes: 100 million strings would be 100 million objects. Chunks never split a URL;
 * strings are created on demand.
 */
const chunkBytes = 1 << 26

export class UrlList {
  readonly #chunks: Buffer[]
  /** Position of each URL's first byte, counted through chunks of `chunkBytes`. */
  readonly #starts: Float64Array
  readonly #lengths: Uint16Array | Uint32Array
  readonly length: number

  constructor(chunks: Buffer[], starts: Float64Array, lengths: Uint16Array | Uint32Array) {
    this.#chunks = chunks
    this.#starts = starts
    this.#lengths = lengths
    this.length = starts.length
  }

  at(page: number): string {
    const bytes = this.bytesAt(page)
    return bytes.toString('utf8')
  }

  /** The URL's bytes; read-only. */
  bytesAt(page: number): Buffer {
    const start = this.#starts[page]
    const chunk = Math.floor(start / chunkBytes)
    const offset = start - chunk * chunkBytes
    return this.#chunks[chunk].subarray(offset, offset + this.#lengths[page])
  }
}

export class UrlListBuilder {
  readonly #chunks: Buffer[] = []
  #fill = chunkBytes
  #starts = new Float64Array(1024)
  #lengths = new Uint32Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Appends the URL in bytes[from … to - 1]. */
  push(bytes: Uint8Array, from: number, to: number): void {
    if (this.#fill + (to - from) > chunkBytes) {
      this.#chunks.push(Buffer.allocUnsafe(chunkBytes))
      this.#fill = 0
    }
    if (this.#length === this.#starts.length) this.#grow()
    const chunk = this.#chunks.length - 1
    this.#chunks[chunk].set(bytes.subarray(from, to), this.#fill)
    this.#starts[this.#length] = chunk * chunkBytes + this.#fill
    this.#lengths[this.#length++] = to - from
    this.#fill += to - from
  }

  pushString(url: string): void {
    const bytes = Buffer.from(url)
    this.push(bytes, 0, bytes.length)
  }

  finish(): UrlList {
    return new UrlList(
      this.#chunks,
      this.#starts.slice(0, this.#length),
      this.#lengths.slice(0, this.#length),
    )
  }

  #grow(): void {
    const starts = new Float64Array(this.#starts.length * 2)
    const lengths = new Uint32Array(this.#lengths.length * 2)
    starts.set(this.#starts)
    lengths.set(this.#lengths)
    this.#starts = starts
    this.#lengths = lengths
  }
}
