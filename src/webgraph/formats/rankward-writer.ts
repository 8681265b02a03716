/**
 * Writes `.rwg` files (rankward-layout.ts) as a stream, page by page, in the memory of one block, so that a
 * web of 100 million pages can be generated directly to disk.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Progress } from '../../lib/progress.ts'
import { BlockEncoder } from '../compressed-graph.ts'
import type { UrlList } from '../url-list.ts'
import type { LinkCounts, Web } from '../web.ts'
import type { GraphWriter } from './format.ts'
import {
  blockRowBytes,
  encodeHeader,
  headerBytes,
  sectionRowBytes,
  type SectionKind,
} from './rankward-layout.ts'
import { writeWhole } from '../../lib/files/whole-file.ts'

class RankwardGraphStream {
  readonly #file: number
  #position = headerBytes
  readonly #blocks: { bytes: number; crc: number }[] = []
  readonly #sections: { kind: SectionKind; crc: number; offset: number; bytes: number }[] = []
  readonly #encoder = new BlockEncoder((block) => {
    this.#blocks.push({ bytes: block.length, crc: crc32(block) })
    this.#write(block)
  })

  constructor(path: string) {
    this.#file = openSync(path, 'w')
    // The header is only known at the end; until then the file is not recognised as a graph.
    writeSync(this.#file, new Uint8Array(headerBytes))
  }

  /** Appends the links of the next page. */
  append(list: Uint32Array, from: number, to: number): void {
    this.#encoder.append(list, from, to)
  }

  /** Ends the links. Only sections may follow. */
  endLinks(): void {
    this.#encoder.finish()
  }

  section(kind: SectionKind, pieces: Iterable<Uint8Array>): void {
    const offset = this.#position
    let crc = 0
    for (const piece of pieces) {
      crc = crc32(piece, crc)
      this.#write(piece)
    }
    this.#sections.push({ kind, crc, offset, bytes: this.#position - offset })
  }

  finish(counts?: LinkCounts): void {
    const table = Buffer.alloc(this.#blocks.length * blockRowBytes + this.#sections.length * sectionRowBytes)
    let at = 0
    for (const { bytes, crc } of this.#blocks) {
      table.writeUInt32LE(bytes, at)
      table.writeUInt32LE(crc, at + 4)
      at += blockRowBytes
    }
    for (const { kind, crc, offset, bytes } of this.#sections) {
      table.write(kind, at, 'latin1')
      table.writeUInt32LE(crc, at + 4)
      table.writeDoubleLE(offset, at + 8)
      table.writeDoubleLE(bytes, at + 16)
      at += sectionRowBytes
    }
    const tableOffset = this.#position
    this.#write(table)
    const { pages, links, degreeMax } = this.#encoder
    const header = encodeHeader(
      {
        pages,
        links,
        degreeMax,
        ...(counts ?? { linksInFile: links, selfLinks: 0, repeatedLinks: 0 }),
        fileBytes: this.#position,
        tableOffset,
        blocks: this.#blocks.length,
        sections: this.#sections.length,
        tableCrc: crc32(table),
      },
      crc32,
    )
    writeSync(this.#file, header, 0, header.length, 0)
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#position + written)
    }
    this.#position += bytes.length
  }
}

/** Opens a stream on a partial file, calls `fill` to write it, and renames it. */
export async function writeRankwardGraph(
  path: string,
  fill: (stream: RankwardGraphStream) => void | Promise<void>,
): Promise<void> {
  await writeWhole(path, async (partial) => {
    const stream = new RankwardGraphStream(partial)
    try {
      await fill(stream)
    } finally {
      stream.close()
    }
  })
}

export const rankwardWriter: GraphWriter = {
  name: 'Rankward graph',
  endings: ['.rwg'],
  write: async (web, path, progress) =>
    writeRankwardGraph(path, (stream) => {
      const { graph } = web
      const cursor = graph.cursor()
      for (let page = 0; page < graph.pages; page++) {
        if ((page & 0xffff) === 0) progress(page, graph.pages)
        cursor.seek(page)
        stream.append(cursor.targets, cursor.start, cursor.end)
      }
      stream.endLinks()
      writeSections(stream, web, progress)
      stream.finish(web.counts)
    }),
}

function writeSections(stream: RankwardGraphStream, web: Web, progress: Progress): void {
  if (web.ids !== undefined) stream.section('ids ', numberPieces(web.ids))
  if (web.urls !== undefined) stream.section('urls', linePieces(web.urls, progress))
  // Sites that follow from URLs or ids are recomputed when the file is read.
  if (web.givenSites !== undefined) stream.section('site', numberPieces(web.givenSites.ofPage))
}

/** A large array in pieces, copied out of shared memory, which some platforms cannot write directly. */
export function* numberPieces(numbers: Uint32Array): Generator<Uint8Array> {
  for (let from = 0; from < numbers.length; from += 1 << 20) {
    const piece = numbers.slice(from, from + (1 << 20))
    yield new Uint8Array(piece.buffer, 0, piece.byteLength)
  }
}

function* linePieces(urls: UrlList, progress: Progress): Generator<Uint8Array> {
  let piece: Buffer[] = []
  let bytes = 0
  const newline = Buffer.from('\n')
  for (let page = 0; page < urls.length; page++) {
    const url = urls.bytesAt(page)
    piece.push(url, newline)
    bytes += url.length + 1
    if (bytes < 1 << 20) continue
    progress(page, urls.length)
    yield Buffer.concat(piece)
    piece = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(piece)
}
