/**
 * WACZ 1.1.1: WARC files with their index and a list of pages in one ZIP file, which ReplayWeb.page and others replay from any web
 * server. Members are stored, not compressed, so that a reader can request parts of them. Everything is written in one pass: digests
 * are computed as the bytes pass by, and the list of members comes last.
 *
 *   archive/*.warc.gz · indexes/index.cdx.gz · indexes/index.idx · pages/pages.jsonl · datapackage.json · datapackage-digest.json
 *
 * https://specs.webrecorder.net/wacz/1.1.1/
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { writeWhole } from '../../../lib/files/whole-file.ts'
import { remoteChunks, sizeOfFile } from '../../../web/store/byte-ranges.ts'
import { isBucket } from '../../../web/store/store-address.ts'
import { shortWarc } from '../../../web/warc/failure.ts'
import { CompressedIndex, type IndexPart } from './merged-index.ts'

export interface WaczWarc extends IndexPart {
  /** The WARC file; `path` is its index. */
  readonly warc: string
}

/** A page in the list of pages. */
export interface WaczPage {
  readonly id: string
  readonly url: string
  /** RFC 3339. */
  readonly ts: string
  readonly title: string
  readonly text?: string | undefined
}

interface WaczOptions {
  readonly warcs: readonly WaczWarc[]
  readonly pages: Iterable<WaczPage>
  readonly title: string
  readonly description?: string | undefined
  readonly software: string
  readonly mainPage?: Pick<WaczPage, 'url' | 'ts'> | undefined
  /** When the file is created, in milliseconds of the epoch. */
  readonly nowMs: number
}

interface Resource {
  readonly name: string
  readonly path: string
  readonly hash: string
  readonly bytes: number
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export async function writeWacz(path: string, options: WaczOptions): Promise<void> {
  const { warcs, pages, nowMs } = options
  for (const { warc, warcLength } of warcs) {
    const bytes = sizeOfFile(warc) ?? 0
    if (bytes < warcLength) throw shortWarc(warc, bytes, warcLength)
  }
  const index = new CompressedIndex(warcs)
  const resources: Resource[] = []
  await writeWhole(path, async (partial) => {
    const zip = new ZipFile()
    const add = (member: string, chunks: () => Chunks): void => {
      zip.addReadStreamLazy(member, { compress: false, mtime: new Date(nowMs), mode: 0o100644 }, (begin) => {
        const stream = Readable.from(hashed(member, chunks(), resources), { objectMode: false })
        // yazl does not watch for it, and would wait for the rest forever.
        stream.on('error', (error) => zip.emit('error', error))
        begin(null, stream)
      })
    }
    for (const { warc, warcLength } of warcs) {
      add(`archive/${basename(warc)}`, () => fileChunks(warc, warcLength))
    }
    add('indexes/index.cdx.gz', () => index.members())
    add('indexes/index.idx', () => [Buffer.from(index.list)])
    add('pages/pages.jsonl', () => pageLines(pages))
    add('datapackage.json', () => [Buffer.from(packageText(options, resources))])
    add('datapackage-digest.json', () => {
      const { path: of, hash } = resources.at(-1)!
      return [Buffer.from(`${JSON.stringify({ path: of, hash }, undefined, 2)}\n`)]
    })
    zip.end()
    const out = zip.outputStream as Readable
    zip.on('error', (error: Error) => out.destroy(error))
    await pipeline(out, createWriteStream(partial))
  })
}

/** The first bytes of a file, or of an address in the archive elsewhere. */
function fileChunks(path: string, length: number): Chunks {
  return isBucket(path)
    ? remoteChunks(path, length)
    : (createReadStream(path, { end: length - 1 }) as AsyncIterable<Buffer>)
}

/** Passes the bytes on; the member is entered at their end. */
async function* hashed(path: string, chunks: Chunks, into: Resource[]): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  // Names of resources have no other characters.
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
  into.push({ name, path, hash: `sha256:${hash.digest('hex')}`, bytes })
}

function* pageLines(pages: Iterable<WaczPage>): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })}\n`)
  for (const page of pages) yield Buffer.from(`${JSON.stringify(page)}\n`)
}

function packageText(options: WaczOptions, resources: readonly Resource[]): string {
  const { title, description, software, mainPage, nowMs } = options
  const created = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z')
  const manifest = {
    profile: 'data-package',
    wacz_version: '1.1.1',
    title,
    description,
    software,
    created,
    mainPageUrl: mainPage?.url,
    mainPageDate: mainPage?.ts,
    resources,
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
