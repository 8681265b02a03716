/**
 * The two forms of a shard's group. The journal in JetStream has the head, then a group of the record. The local log has the
 * group of the record with the head as its last section, so that every reader of a crawl's record can read it.
 */
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { sections, type GroupBytes } from '../../crawler/record/group.ts'
import { encodeShardGroup, readShardGroup, type ShardHead } from '../protocol/shard-group.ts'

const noBytes = new Uint8Array(0)

export function journalForm(head: ShardHead, recordGroup: Uint8Array): Uint8Array {
  return encodeShardGroup({ head, names: recordGroup, facts: noBytes })
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
