/**
 * Rankward's own graph file (`.rwg`), version 1. All numbers are little-endian; counts are 64-bit floats,
 * exact to 2^53.
 *
 *   header    96 bytes: magic, version, counts, position of the table, length of the file, two CRC-32s
 *   blocks    as in memory (compressed-graph.ts), 8-byte aligned, contiguous
 *   sections  optional: "ids " 4 bytes per page · "site" 4 bytes per page · "urls" one line each
 *   table     a row for each block (bytes, CRC-32) and each section (kind, CRC-32, offset, bytes)
 *
 * Each block is loaded by one read into its segment; files could also be memory-mapped. Every part is checked
 * before use: a truncated, damaged or newer file is refused.
 */
export const magic = 'RWGRAPH\n'
const version = 1
export const headerBytes = 96
export const blockRowBytes = 8
export const sectionRowBytes = 24

export type SectionKind = 'ids ' | 'site' | 'urls'

export interface Header {
  readonly pages: number
  readonly links: number
  readonly degreeMax: number
  readonly linksInFile: number
  readonly selfLinks: number
  readonly repeatedLinks: number
  readonly fileBytes: number
  readonly tableOffset: number
  readonly blocks: number
  readonly sections: number
  readonly tableCrc: number
}

const floats = [
  'pages',
  'links',
  'degreeMax',
  'linksInFile',
  'selfLinks',
  'repeatedLinks',
  'fileBytes',
  'tableOffset',
] as const

const floatsAt = 16
const wordsAt = floatsAt + 8 * floats.length
const crcAt = wordsAt + 12

export function encodeHeader(header: Header, crc32: (bytes: Uint8Array) => number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write(magic, 0, 'latin1')
  bytes.writeUInt32LE(version, 8)
  floats.forEach((name, i) => bytes.writeDoubleLE(header[name], floatsAt + 8 * i))
  bytes.writeUInt32LE(header.blocks, wordsAt)
  bytes.writeUInt32LE(header.sections, wordsAt + 4)
  bytes.writeUInt32LE(header.tableCrc, wordsAt + 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, crcAt)), crcAt)
  return bytes
}

/** The header's fields, or a description of the error. */
export function decodeHeader(bytes: Buffer, crc32: (bytes: Uint8Array) => number): Header | string {
  if (bytes.length < headerBytes) return `it ends within its header, after ${bytes.length} bytes`
  const found = bytes.readUInt32LE(8)
  if (found !== version)
    return `it has version ${found}, but this version of Rankward reads version ${version}; update Rankward`
  if (bytes.readUInt32LE(crcAt) !== crc32(bytes.subarray(0, crcAt)))
    return 'its header is corrupt (checksum differs at byte 0)'
  const numbers = Object.fromEntries(floats.map((name, i) => [name, bytes.readDoubleLE(floatsAt + 8 * i)]))
  return {
    ...(numbers as Record<(typeof floats)[number], number>),
    blocks: bytes.readUInt32LE(wordsAt),
    sections: bytes.readUInt32LE(wordsAt + 4),
    tableCrc: bytes.readUInt32LE(wordsAt + 8),
  }
}
