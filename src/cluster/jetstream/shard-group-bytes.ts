/**
 * The two forms of a shard's group. The journal in JetStream has the head, then a group of the record, compressed. The local log has the
 * group of the record with the head as its last section, so that every reader of a crawl's record can read it.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { sections, type GroupBytes } from '../../crawler/record/group.ts'
import { encodeShardGroup, readShardGroup, type ShardHead } from '../protocol/shard-group.ts'

const noBytes = new Uint8Array(0)

/** What most groups have in common: their counts. */
const dictionary = Buffer.from(
  '"refusedByRobots":0,"refusedByLimits":0}"linksNotFollowed":{"nofollow":0,"rel":0,"ignoredRel":0,"elsewhere":0,"tooDeep":0,"copies":0},' +
    '"errors":{},"pages":,"redirects":0,"failed":0,"temporary":0,"unreachable":0,"refusedAsTraps":0,"duplicates":0,"nearDuplicates":0,"sent":,"seconds":0,' +
    '{"responded":,"bytes":,"links":,"linksOutOfScope":0,',
)
/** A small window: most groups have a few kB, and the memory of a larger one costs more time than its compression. */
const compression = { level: 1, windowBits: 13, memLevel: 6, dictionary }

export function journalForm(head: ShardHead, recordGroup: Uint8Array): Uint8Array {
  return encodeShardGroup({ head, names: deflateRawSync(recordGroup, compression), facts: noBytes })
}

/** The head and the group of the record in a group of the journal. Throws a RangeError if it is not one. */
export function readJournalForm(bytes: Uint8Array): { readonly head: ShardHead; readonly group: Uint8Array } {
  const { head, names } = readShardGroup(bytes)
  try {
    return { head, group: inflateRawSync(names, { dictionary }) }
  } catch (error) {
    throw new RangeError('a group of a shard is damaged', { cause: error })
  }
}

/** `sequence` is that of the group in the journal. */
export function localForm(head: ShardHead, recordGroup: Uint8Array, sequence: number): Uint8Array {
  const section = new ByteWriter()
  section.varint(sequence)
  section.raw(encodeShardGroup({ head, names: noBytes, facts: noBytes }))
  const whole = new ByteWriter()
  whole.raw(recordGroup)
  whole.byte(sections.head)
  whole.uint32(section.length)
  whole.raw(section.view())
  return Uint8Array.from(whole.view())
}

/** Throws a RangeError if it is not a group of a shard. */
export function headOfLocal(group: GroupBytes): { readonly head: ShardHead; readonly sequence: number } {
  const section = new ByteReader(group.section('head'))
  return { sequence: section.varint(), head: readShardGroup(section.rest()).head }
}
