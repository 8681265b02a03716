/**
 * Ranges of a file, read synchronously: of a local file, or of one in a bucket. The latter are fetched by a thread, for which the reader
 * waits: readers of archives need not know where a file is.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { RankwardError } from '../../lib/errors.ts'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import { isBucket } from './store-address.ts'
import { notThere } from './store-failure.ts'

export interface ByteRanges {
  /** It pays to read at least so many bytes at a time. */
  readonly aheadBytes: number
  /** Fewer bytes than asked for only at the end of the file. */
  read(offset: number, length: number): Buffer
  close(): void
}

export function openRanges(path: string): ByteRanges {
  return isBucket(path) ? new BucketFile(path) : new LocalFile(path)
}

/** Bytes of a file; undefined if there is none. */
export function sizeOfFile(path: string): number | undefined {
  return isBucket(path) ? fetchedRange(path, 0, 1)?.total : statSync(path, { throwIfNoEntry: false })?.size
}

const chunkBytes = 1 << 20

/** The bytes of a file in a bucket, up to its end or this length. */
export async function* remoteChunks(path: string, length = Infinity): AsyncGenerator<Buffer> {
  const file = openRanges(path)
  for (let at = 0; at < length; at += chunkBytes) {
    const wanted = Math.min(chunkBytes, length - at)
    const chunk = await Promise.resolve(file.read(at, wanted))
    if (chunk.length > 0) yield chunk
    if (chunk.length < wanted) return
  }
}

class LocalFile implements ByteRanges {
  readonly aheadBytes = 262_144
  readonly #file: number
  readonly #size: number

  constructor(path: string) {
    try {
      this.#file = openSync(path, 'r')
    } catch (cause) {
      throw new RankwardError('FILE_UNREADABLE', `Cannot read ${path}: ${(cause as Error).message}.`, {
        cause,
      })
    }
    this.#size = fstatSync(this.#file).size
  }

  read(offset: number, length: number): Buffer {
    // A record may claim any length: memory is allocated only for bytes that exist.
    const there = Math.max(0, Math.min(length, this.#size - offset))
    const bytes = Buffer.allocUnsafe(there)
    let filled = 0
    while (filled < there) {
      const read = readSync(this.#file, bytes, filled, there - filled, offset + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  }

  close(): void {
    closeSync(this.#file)
  }
}

const blockBytes = 65_536
/** 16 MB of all files together. */
const cachedBlocksMax = 256
/** One request for at most 4 MB. */
const aheadBlocksMax = 64

/** By address and number; the least recently used first. A block at the end of a file is shorter, or empty. */
const cache = new Map<string, Buffer>()

/** Blocks of a file in a bucket. The next ones are fetched with them, the more the longer it is read in order. */
class BucketFile implements ByteRanges {
  readonly aheadBytes = blockBytes
  readonly #address: string
  /** The block after the last one that was fetched. */
  #next = -1
  #ahead = 1

  constructor(address: string) {
    this.#address = address
  }

  read(offset: number, length: number): Buffer {
    const first = Math.floor(offset / blockBytes)
    const last = Math.floor((offset + Math.max(1, length) - 1) / blockBytes)
    const blocks: Buffer[] = []
    for (let block = first; block <= last; block++) {
      const cached = this.#cached(block)
      blocks.push(cached ?? this.#fetch(block, last))
      if (cached === undefined) break
    }
    const start = offset - first * blockBytes
    const bytes = blocks.length === 1 ? blocks[0] : Buffer.concat(blocks)
    return bytes.subarray(start, start + length)
  }

  close(): void {}

  #key(block: number): string {
    return `${block} ${this.#address}`
  }

  #cached(block: number): Buffer | undefined {
    const key = this.#key(block)
    const bytes = cache.get(key)
    if (bytes === undefined) return undefined
    cache.delete(key)
    cache.set(key, bytes)
    return bytes
  }

  /** Fetches the blocks from this one up to `last`, and perhaps some more. */
  #fetch(block: number, last: number): Buffer {
    this.#ahead = block === this.#next ? Math.min(2 * this.#ahead, aheadBlocksMax) : 1
    const count = Math.max(last - block + 1, this.#ahead)
    const range = fetchedRange(this.#address, block * blockBytes, count * blockBytes)
    if (range === undefined) throw notThere(this.#address)
    const { bytes } = range
    this.#next = block + count
    // The end of a file is not kept: a session that continues the file replaces it.
    for (let i = 0; (i + 1) * blockBytes <= bytes.length; i++) {
      // A copy: a block in the cache must not keep the others in memory.
      const part = Buffer.from(bytes.subarray(i * blockBytes, (i + 1) * blockBytes))
      cache.set(this.#key(block + i), part)
    }
    for (const key of cache.keys()) {
      if (cache.size <= cachedBlocksMax) break
      cache.delete(key)
    }
    return bytes
  }
}

/** More than the attempts of the thread take together. */
const patienceMs = 300_000

/** What the thread sends for a request. */
export type RangeReply =
  | { readonly bytes: Uint8Array; readonly total: number }
  | { readonly error: string | undefined }

let thread: { readonly port: MessagePort; readonly signal: Int32Array } | undefined

/** Undefined if there is no such file. */
function fetchedRange(
  address: string,
  offset: number,
  length: number,
): { readonly bytes: Buffer; readonly total: number } | undefined {
  thread ??= startThread()
  const { port, signal } = thread
  Atomics.store(signal, 0, 0)
  port.postMessage({ address, offset, length })
  if (Atomics.wait(signal, 0, 0, patienceMs) === 'timed-out')
    throw new RankwardError('STORE_UNAVAILABLE', `Cannot read ${address}: there was no reply for minutes.`)
  const reply = receiveMessageOnPort(port)?.message as RangeReply
  if ('error' in reply) {
    if (reply.error === undefined) return undefined
    throw new RankwardError('STORE_UNAVAILABLE', reply.error)
  }
  const { bytes, total } = reply
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), total }
}

function startThread(): NonNullable<typeof thread> {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(workerEntry(import.meta.url, './range-worker'), {
    ...threadOptions(process),
    workerData: { port: port2, signal },
    transferList: [port2],
  })
  // Readers end when they have read.
  worker.unref()
  port1.unref()
  return { port: port1, signal }
}
