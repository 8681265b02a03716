/** Reads `.rwg` files (rankward-layout.ts), checking every part before it is used. */
import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'
import { CompressedGraph, layOutBlocks } from '../compressed-graph.ts'
import { toCsr } from '../csr-graph.ts'
import type { Graph } from '../graph.ts'
import { plainLinksMax } from '../list-sink.ts'
import { sitesFromNumbers } from '../sites.ts'
import { UrlListBuilder, type UrlList } from '../url-list.ts'
import { webOf, type Web } from '../web.ts'
import { unreadable } from '../../lib/files/byte-source.ts'
import type { GraphReader, ReadOptions } from './format.ts'
import {
  blockRowBytes,
  decodeHeader,
  headerBytes,
  magic,
  sectionRowBytes,
  type Header,
  type SectionKind,
} from './rankward-layout.ts'

interface Section {
  readonly crc: number
  readonly offset: number
  readonly bytes: number
}

export const rankwardReader: GraphReader = {
  name: 'Rankward graph',
  recognises: (source) => source.head.toString('latin1', 0, magic.length) === magic,
  async read(source, options) {
    if (source.gzip) throw refused(source.path, 'it is gzipped; unpack it first (it is compressed already)')
    const file = await open(source.path).catch((error: unknown) => {
      throw unreadable(source.path, error)
    })
    try {
      return await readFile(file, source.path, options)
    } finally {
      await file.close()
    }
  },
}

function refused(path: string, why: string): RankwardError {
  return new RankwardError('BAD_RANKWARD_GRAPH', `${path} is not a usable Rankward graph: ${why}.`)
}

async function readFile(file: FileHandle, path: string, options: ReadOptions): Promise<Web> {
  const { size } = await file.stat()
  const head = Buffer.alloc(Math.min(headerBytes, size))
  await file.read(head, 0, head.length, 0)
  const header = decodeHeader(head, crc32)
  if (typeof header === 'string') throw refused(path, header)
  if (header.fileBytes !== size) {
    const how = size < header.fileBytes ? 'truncated' : 'longer than it should be'
    throw refused(path, `it is ${how}: ${size} bytes, but its header says ${header.fileBytes}`)
  }
  const { blocks, sections } = await readTable(file, path, header)
  const graph = await readBlocks(file, path, header, blocks, options)
  const ids = await readNumbers(file, path, sections.get('ids '))
  const sites = await readNumbers(file, path, sections.get('site'))
  const urls = options.urls ?? (await readUrls(file, path, sections.get('urls')))
  if (urls !== undefined && urls.length !== graph.pages) {
    throw new RankwardError(
      'BAD_URL_LIST',
      `${options.urlsPath ?? path} has ${urls.length} URLs, but ${path} has ${graph.pages} pages.`,
    )
  }
  const { linksInFile, selfLinks, repeatedLinks } = header
  const givenSites = sites === undefined || options.urls !== undefined ? undefined : sitesFromNumbers(sites)
  return webOf({ graph, ids, urls, givenSites, counts: { linksInFile, selfLinks, repeatedLinks } })
}

async function readTable(
  file: FileHandle,
  path: string,
  header: Header,
): Promise<{ blocks: { bytes: number; crc: number }[]; sections: Map<SectionKind, Section> }> {
  const table = Buffer.alloc(header.blocks * blockRowBytes + header.sections * sectionRowBytes)
  const { bytesRead } = await file.read(table, 0, table.length, header.tableOffset)
  if (bytesRead < table.length || crc32(table) !== header.tableCrc) {
    throw refused(path, `its table is corrupt (checksum differs at byte ${header.tableOffset})`)
  }
  const blocks = Array.from({ length: header.blocks }, (_, i) => ({
    bytes: table.readUInt32LE(i * blockRowBytes),
    crc: table.readUInt32LE(i * blockRowBytes + 4),
  }))
  const sections = new Map<SectionKind, Section>()
  for (let i = 0; i < header.sections; i++) {
    const at = header.blocks * blockRowBytes + i * sectionRowBytes
    sections.set(table.toString('latin1', at, at + 4) as SectionKind, {
      crc: table.readUInt32LE(at + 4),
      offset: table.readDoubleLE(at + 8),
      bytes: table.readDoubleLE(at + 16),
    })
  }
  return { blocks, sections }
}

async function readBlocks(
  file: FileHandle,
  path: string,
  header: Header,
  blocks: { bytes: number; crc: number }[],
  options: ReadOptions,
): Promise<Graph> {
  const { segmentBytes, blockSegments, blockStarts } = layOutBlocks(blocks.map(({ bytes }) => bytes))
  const segments = segmentBytes.map((bytes) => new SharedArrayBuffer(bytes))
  let position = headerBytes
  for (const [i, { bytes, crc }] of blocks.entries()) {
    const block = new Uint8Array(segments[blockSegments[i]], blockStarts[i], bytes)
    await file.read(block, 0, bytes, position)
    if (crc32(block) !== crc)
      throw refused(path, `block ${i} is corrupt (checksum differs from byte ${position} on)`)
    position += bytes
    options.progress?.(position, header.fileBytes)
  }
  const { pages, links, degreeMax } = header
  const graph = new CompressedGraph({
    form: 'compressed',
    pages,
    links,
    degreeMax,
    segments,
    blockSegments,
    blockStarts,
  })
  // Small graphs are decompressed: plain lists are read several times faster.
  return links <= plainLinksMax ? toCsr(graph) : graph
}

async function readNumbers(
  file: FileHandle,
  path: string,
  section: Section | undefined,
): Promise<Uint32Array | undefined> {
  if (section === undefined) return undefined
  const numbers = new Uint32Array(section.bytes / 4)
  const bytes = new Uint8Array(numbers.buffer)
  for await (const [piece, from] of sectionPieces(file, path, section)) bytes.set(piece, from)
  return numbers
}

async function readUrls(
  file: FileHandle,
  path: string,
  section: Section | undefined,
): Promise<UrlList | undefined> {
  if (section === undefined) return undefined
  const builder = new UrlListBuilder()
  let left = Buffer.alloc(0)
  for await (const [piece] of sectionPieces(file, path, section)) {
    const bytes = Buffer.concat([left, piece])
    let from = 0
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      builder.push(bytes, from, end)
      from = end + 1
    }
    left = bytes.subarray(from)
  }
  return builder.finish()
}

/** A section in pieces with their offsets; the checksum is verified after the last one. */
async function* sectionPieces(
  file: FileHandle,
  path: string,
  section: Section,
): AsyncGenerator<[Buffer, number]> {
  const piece = Buffer.allocUnsafe(1 << 20)
  let crc = 0
  for (let done = 0; done < section.bytes;) {
    const { bytesRead } = await file.read(
      piece,
      0,
      Math.min(piece.length, section.bytes - done),
      section.offset + done,
    )
    if (bytesRead === 0) break
    crc = crc32(piece.subarray(0, bytesRead), crc)
    yield [piece.subarray(0, bytesRead), done]
    done += bytesRead
  }
  if (crc !== section.crc)
    throw refused(path, `a section is corrupt (checksum differs from byte ${section.offset} on)`)
}
