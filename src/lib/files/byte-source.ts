/**
 * The bytes of a file, plain, gzip (detected by content, not by name) or Brotli (detected by the extension
 * `.br`), in chunks of about a megabyte. Decompression runs in its own thread, so it overlaps with parsing.
 */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { RankwardError } from '../errors.ts'
import type { Progress } from '../progress.ts'

const chunkBytes = 1 << 20

type Coding = 'plain' | 'gzip' | 'brotli'

export interface ByteSource {
  readonly path: string
  readonly gzip: boolean
  /** The first bytes, decompressed: enough to detect the format. */
  readonly head: Buffer
  /** All bytes from the beginning, once. `progress` reports bytes of the file as stored. */
  chunks(progress?: Progress): AsyncIterable<Buffer>
}

export async function openBytes(path: string): Promise<ByteSource> {
  const start = await firstBytes(path, 64 * 1024)
  const gzip = start.length >= 2 && start[0] === 0x1f && start[1] === 0x8b
  const coding = gzip ? 'gzip' : path.endsWith('.br') ? 'brotli' : 'plain'
  const head = coding === 'plain' ? withoutMark(start) : await unpackedHead(path, coding)
  return { path, gzip, head, chunks: (progress) => readChunks(path, coding, progress) }
}

/** Some editors begin a text in UTF-8 with a byte order mark. No format here begins with these bytes. */
function withoutMark(start: Buffer): Buffer {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? start.subarray(3) : start
}

async function firstBytes(path: string, bytes: number): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

export function unreadable(path: string, cause: unknown): RankwardError {
  const { code, message } = cause as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : message
  return new RankwardError('FILE_UNREADABLE', `Cannot read ${path}: ${why}.`, { cause })
}

async function unpackedHead(path: string, coding: Coding): Promise<Buffer> {
  for await (const chunk of readChunks(path, coding)) return chunk
  return Buffer.alloc(0)
}

function unpacking(coding: Coding): Transform | undefined {
  if (coding === 'plain') return undefined
  const options = { chunkSize: chunkBytes }
  return coding === 'gzip' ? createGunzip(options) : createBrotliDecompress(options)
}

async function* readChunks(path: string, coding: Coding, progress?: Progress): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  let stored = 0
  if (progress !== undefined) {
    const { size } = await stat(path)
    file.on('data', (chunk) => progress((stored += chunk.length), size))
  }
  const unpacked = unpacking(coding)
  const stream: Readable = unpacked === undefined ? file : file.pipe(unpacked)
  // `pipe` does not forward errors.
  if (unpacked !== undefined) file.on('error', (error) => unpacked.destroy(error))
  let bytes = 0
  try {
    for await (const chunk of stream) {
      const isFirst = bytes === 0
      bytes += (chunk as Buffer).length
      yield isFirst ? withoutMark(chunk as Buffer) : (chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof RankwardError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code?.startsWith(coding === 'brotli' && code !== 'Z_BUF_ERROR' ? 'ERR_' : 'Z_') === true) {
      const data = coding === 'brotli' ? 'Brotli data' : 'gzip data'
      const what = code === 'Z_BUF_ERROR' ? `the ${data} ends early` : `the ${data} is damaged`
      throw new RankwardError(
        'BAD_GZIP',
        `${path}: ${what} (after ${bytes} decompressed bytes). Download or compress the file again.`,
        { cause: error },
      )
    }
    throw unreadable(path, error)
  } finally {
    file.destroy()
    stream.destroy()
  }
}
