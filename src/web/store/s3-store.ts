/**
 * Files in a bucket. Small ones are stored by one request, larger ones in parts, of which one is in memory at a time. The store checks
 * every part by its MD5; at the end size and ETag are compared, and where the ETag is no MD5, the object is read back.
 */
import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { FileStore } from './file-store.ts'
import { S3Bucket } from './s3-bucket.ts'
import { bucketAddress } from './store-address.ts'
import { StoreFailure } from './store-failure.ts'

/** An object has at most 10,000 parts. */
const partBytesMin = 16 << 20
const partsMax = 10_000

export class S3Store implements FileStore {
  readonly #bucket: S3Bucket
  readonly #prefix: string
  readonly #partBytes: number

  constructor(place: string, partBytes = partBytesMin) {
    const address = bucketAddress(place)
    this.#bucket = new S3Bucket(address)
    this.#prefix = address.key === '' ? '' : `${address.key}/`
    this.#partBytes = partBytes
  }

  async send(path: string, name: string): Promise<void> {
    const key = this.#prefix + name
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const partBytes = Math.max(this.#partBytes, Math.ceil(size / partsMax))
      const parts = new FileParts(file, size, partBytes)
      const before = await this.#bucket.object(key)
      if (before?.bytes === size && before.etag === (await parts.etag())) return
      // Of a process that was killed.
      if (parts.count > 1) await this.#bucket.dropParts(key)
      const etag = await this.#upload(key, parts)
      await this.#verify(key, parts, etag)
    } finally {
      await file.close()
    }
  }

  async claim(name: string, text: string): Promise<string> {
    const key = this.#prefix + name
    const before = await this.#bucket.range(key, 0, claimBytesMax)
    if (before !== undefined) return before.bytes.toString('utf8')
    await this.#bucket.put(key, Buffer.from(text))
    // Of two crawls that begin at once, one finds the other's.
    const after = await this.#bucket.range(key, 0, claimBytesMax)
    return after?.bytes.toString('utf8') ?? ''
  }

  async read(name: string, offset: number, length: number): Promise<Buffer | undefined> {
    return (await this.#bucket.range(this.#prefix + name, offset, length))?.bytes
  }

  async size(name: string): Promise<number | undefined> {
    return (await this.#bucket.object(this.#prefix + name))?.bytes
  }

  /** Returns the expected ETag. */
  async #upload(key: string, parts: FileParts): Promise<string> {
    if (parts.count === 1) {
      const bytes = await parts.read(0)
      await this.#bucket.put(key, bytes)
      return md5(bytes)
    }
    const upload = await this.#bucket.beginParts(key)
    const etags: string[] = []
    const hash = createHash('md5')
    for (let part = 0; part < parts.count; part++) {
      const bytes = await parts.read(part)
      etags.push(await this.#bucket.putPart(key, upload, part + 1, bytes))
      hash.update(createHash('md5').update(bytes).digest())
    }
    await this.#bucket.completeParts(key, upload, etags)
    return `${hash.digest('hex')}-${parts.count}`
  }

  async #verify(key: string, parts: FileParts, etag: string): Promise<void> {
    const stored = await this.#bucket.object(key)
    const wrong = (what: string): StoreFailure =>
      new StoreFailure(`The store does not have ${key} as it was sent: ${what}.`)
    if (stored === undefined) throw wrong('it is missing')
    if (stored.bytes !== parts.size) throw wrong(`it has ${stored.bytes} of ${parts.size} bytes`)
    if (stored.etag === etag) return
    const hash = createHash('sha256')
    for (let part = 0; part < parts.count; part++) {
      const range = await this.#bucket.range(key, part * parts.partBytes, parts.partBytes)
      hash.update(range?.bytes ?? '')
    }
    if (hash.digest('hex') !== (await parts.sha256())) throw wrong('its content differs')
  }
}

const claimBytesMax = 65_536

/** A file as the parts of an upload. */
class FileParts {
  readonly #file: FileHandle
  readonly size: number
  readonly partBytes: number
  readonly count: number

  constructor(file: FileHandle, size: number, partBytes: number) {
    this.#file = file
    this.size = size
    this.partBytes = partBytes
    this.count = Math.max(1, Math.ceil(size / partBytes))
  }

  async read(part: number): Promise<Buffer> {
    const start = part * this.partBytes
    const bytes = Buffer.allocUnsafe(Math.min(this.partBytes, this.size - start))
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await this.#file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new StoreFailure('A file has become shorter while it was sent.')
      filled += bytesRead
    }
    return bytes
  }

  /** What most stores give an object that was uploaded in these parts. */
  async etag(): Promise<string> {
    if (this.count === 1) return md5(await this.read(0))
    const hash = createHash('md5')
    await this.#each((bytes) => hash.update(createHash('md5').update(bytes).digest()))
    return `${hash.digest('hex')}-${this.count}`
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256')
    await this.#each((bytes) => hash.update(bytes))
    return hash.digest('hex')
  }

  async #each(use: (bytes: Buffer) => Hash): Promise<void> {
    for (let part = 0; part < this.count; part++) use(await this.read(part))
  }
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
