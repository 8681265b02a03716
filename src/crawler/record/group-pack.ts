/**
 * Many groups in one frame of a packed segment. Records that can be read individually (discovered pages, outcomes,
 * looks, robots.txt files) are stored as they are, so that a place in the log stays a segment and an offset. All else
 * is read from front to back only, and compressed together.
 *
 *   time of the first group (8) · their writer (16) · their number (4) · length (4) · compressed
 *   · for each plain section: length (4) · bytes
 *
 *   compressed: for each group: time (8) · kind and length of each section · 0; then the sections, kind by kind
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import type { GroupPlace, StoredGroup } from './group-log.ts'
import { sectionNames, sections, type SectionName } from './group.ts'

/** Bytes at the start of a pack from which its number of groups is known. */
export const packHeadBytes = 28
const plainNames = ['found', 'outcomes', 'looks', 'robots'] as const
const compressedNames = [
  'facts',
  'sites',
  'warcEnds',
  'counts',
  'settings',
  'words',
  'progress',
  'fresh',
  'sources',
  'requisites',
  'handled',
  'rendered',
] as const
const end = 0
/** Higher qualities take several times as long for a few percent. */
const quality = 5

/** The sections of a group. */
export type GroupSections = ReadonlyMap<SectionName, Uint8Array>

/** Collects groups of one writer. */
export class GroupPack {
  readonly #writer: string
  readonly #directory = new ByteWriter()
  readonly #sections = new Map<SectionName, ByteWriter>()
  #firstAt = 0
  #count = 0
  #bytes = 0

  constructor(writer: string) {
    this.#writer = writer
  }

  get count(): number {
    return this.#count
  }

  /** Of all sections so far. */
  get bytes(): number {
    return this.#bytes
  }

  lengthOf(name: SectionName): number {
    return this.#sections.get(name)?.length ?? 0
  }

  add(at: number, group: GroupSections): void {
    if (this.#count++ === 0) this.#firstAt = at
    this.#directory.double(at)
    for (const [name, bytes] of group) {
      if (bytes.length === 0) continue
      this.#directory.byte(sections[name])
      this.#directory.varint(bytes.length)
      this.#of(name).raw(bytes)
      this.#bytes += bytes.length
    }
    this.#directory.byte(end)
  }

  encode(): Buffer {
    const sequential = new ByteWriter()
    sequential.raw(this.#directory.view())
    for (const name of compressedNames) sequential.raw(this.#of(name).view())
    const whole = new ByteWriter()
    whole.double(this.#firstAt)
    whole.raw(Buffer.from(this.#writer, 'hex'))
    whole.uint32(this.#count)
    const compressed = brotliCompressSync(sequential.view(), {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: sequential.length,
      },
    })
    whole.uint32(compressed.length)
    whole.raw(compressed)
    for (const name of plainNames) {
      const section = this.#of(name)
      whole.uint32(section.length)
      whole.raw(section.view())
    }
    return Buffer.from(whole.view())
  }

  #of(name: SectionName): ByteWriter {
    const known = this.#sections.get(name)
    if (known !== undefined) return known
    const added = new ByteWriter()
    this.#sections.set(name, added)
    return added
  }
}

/** Number of groups in a pack, from its first bytes. */
export function countOf(head: Uint8Array): number {
  return new ByteReader(head, packHeadBytes - 4).uint32()
}

/** A section of all groups of a pack, taken apart from front to back. */
class SectionBytes {
  readonly #bytes: Uint8Array
  /** Position of the first byte. */
  readonly #start: number
  #at = 0

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  get position(): number {
    return this.#start + this.#at
  }

  take(length: number): Uint8Array {
    const from = this.#at
    this.#at += length
    if (this.#at > this.#bytes.length) throw new RangeError('a pack is shorter than its directory says')
    return this.#bytes.subarray(from, this.#at)
  }
}

/** The groups of a pack at this place, whose first group has this number. Throws if the bytes are no pack. */
export function* unpacked(pack: Uint8Array, place: GroupPlace, first: number): Generator<StoredGroup> {
  const reader = new ByteReader(pack)
  reader.double()
  const writer = reader.raw(16).toString('hex')
  const count = reader.uint32()
  const sequential = brotliDecompressSync(reader.raw(reader.uint32()))
  const contents = new Map<SectionName, SectionBytes>()
  for (const name of plainNames) {
    const length = reader.uint32()
    contents.set(name, new SectionBytes(reader.raw(length), place.offset + reader.at - length))
  }
  const groups = directoryOf(new ByteReader(sequential), count, contents, sequential)
  let number = first
  for (const { at, lengths } of groups) {
    const starts: Partial<Record<SectionName, number>> = {}
    const bytes = Buffer.allocUnsafe(lengths.reduce((sum, [, length]) => sum + 5 + length, 8))
    let to = bytes.writeDoubleLE(at)
    for (const [name, length] of lengths) {
      const section = contents.get(name)!
      starts[name] = section.position
      to = bytes.writeUInt8(sections[name], to)
      to = bytes.writeUInt32LE(length, to)
      bytes.set(section.take(length), to)
      to += length
    }
    yield { ...place, number: number++, writer, bytes, starts }
  }
}

interface PackedGroup {
  readonly at: number
  readonly lengths: readonly (readonly [SectionName, number])[]
}

/** Reads the directory, and adds the compressed sections that follow it to `contents`. */
function directoryOf(
  reader: ByteReader,
  count: number,
  contents: Map<SectionName, SectionBytes>,
  sequential: Buffer,
): PackedGroup[] {
  const groups: PackedGroup[] = []
  const totals = new Map<SectionName, number>()
  for (let i = 0; i < count; i++) {
    const at = reader.double()
    const lengths: [SectionName, number][] = []
    for (let kind = reader.byte(); kind !== end; kind = reader.byte()) {
      const name = sectionNames[kind]
      if (name === undefined) throw new RangeError(`a group has a section of the unknown kind ${kind}`)
      const length = reader.varint()
      lengths.push([name, length])
      totals.set(name, (totals.get(name) ?? 0) + length)
    }
    groups.push({ at, lengths })
  }
  let start = reader.at
  for (const name of compressedNames) {
    const length = totals.get(name) ?? 0
    contents.set(name, new SectionBytes(sequential.subarray(start, start + length), 0))
    start += length
  }
  return groups
}
