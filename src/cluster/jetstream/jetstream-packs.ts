/**
 * Groups of journals in the object store of a crawl, compressed: *packs*. The journal is the record of a crawl: URLs and outcomes
 * are nowhere else. So groups are purged from a journal only after they are in a pack. A pack is named `shard.first-last`, after
 * the sequences of its groups. It is a function of the journal, so it does not matter which worker wrote it; packs of several
 * workers may overlap.
 *
 *   blocks: length (4) · deflated groups          group: sequence · writer · number · bytes
 */
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { JournalGroup } from './jetstream-journal.ts'
import type { JetStreamObjects } from './jetstream-objects.ts'

/** Bytes of groups that are compressed together. */
const blockBytes = 1 << 20
const packName = /^(\d+)\.(\d+)-(\d+)$/
// On other threads.
const deflated = promisify<Uint8Array, object, Buffer>(deflate)
const inflated = promisify<Uint8Array, Buffer>(inflate)

export interface Pack {
  readonly shard: number
  /** The sequences of the first and the last group. */
  readonly first: number
  readonly last: number
}

interface StoredPack extends Pack {
  readonly bytes: number
  /** By the clock of the servers, in milliseconds. */
  readonly storedAt: number
}

export class JetStreamPacks {
  readonly #objects: JetStreamObjects

  constructor(objects: JetStreamObjects) {
    this.#objects = objects
  }

  /** Stores groups and reads them back; throws if that fails. */
  async put(pack: Pack, groups: AsyncIterable<JournalGroup>): Promise<void> {
    await this.#objects.put(nameOf(pack), {}, blocksOf(groups))
  }

  /** The packs of a shard, in the order of their first groups. */
  async list(shard: number): Promise<StoredPack[]> {
    const objects = await this.#objects.list((name) => name.startsWith(`${shard}.`) && packName.test(name))
    return objects
      .map(({ name, bytes, storedAt }) => {
        const [, , first, last] = packName.exec(name)!
        return { shard, first: Number(first), last: Number(last), bytes, storedAt }
      })
      .toSorted((a, b) => a.first - b.first)
  }

  /** The groups of a pack after this sequence. BAD_STREAM if it is damaged: these groups are nowhere else. */
  async *read(pack: Pack, after: number): AsyncGenerator<JournalGroup> {
    try {
      for await (const block of wholeBlocks(this.#objects.read(nameOf(pack)))) {
        const reader = new ByteReader(await inflated(block))
        while (!reader.isAtEnd) {
          const sequence = reader.varint()
          const writer = reader.text()
          const group = reader.varint()
          const bytes = Uint8Array.from(reader.block())
          if (sequence > after) yield { sequence, writer, group, bytes }
        }
      }
    } catch (cause) {
      if (!(cause instanceof RangeError || (cause instanceof RankwardError && cause.code === 'BAD_SNAPSHOT')))
        throw cause
      throw new RankwardError(
        'BAD_STREAM',
        `The groups ${pack.first} to ${pack.last} of shard ${pack.shard} cannot be read: their pack in the object store is damaged.`,
        { cause },
      )
    }
  }
}

function nameOf({ shard, first, last }: Pack): string {
  return `${shard}.${first}-${last}`
}

async function* blocksOf(groups: AsyncIterable<JournalGroup>): AsyncGenerator<Uint8Array> {
  const raw = new ByteWriter()
  const block = async (): Promise<Uint8Array> => {
    const bytes = await deflated(Uint8Array.from(raw.view()), { level: 6 })
    raw.clear()
    const whole = new ByteWriter()
    whole.uint32(bytes.length)
    whole.raw(bytes)
    return whole.view()
  }
  for await (const { sequence, writer, group, bytes } of groups) {
    raw.varint(sequence)
    raw.text(writer)
    raw.varint(group)
    raw.block(bytes)
    if (raw.length >= blockBytes) yield await block()
  }
  if (raw.length > 0) yield await block()
}

/** The deflated blocks, from chunks that may be divided in any way. */
async function* wholeBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    while (held.length >= 4 && held.length >= 4 + held.readUInt32LE(0)) {
      const end = 4 + held.readUInt32LE(0)
      yield held.subarray(4, end)
      held = held.subarray(end)
    }
  }
  if (held.length > 0) throw new RangeError('a pack ends within a block')
}
