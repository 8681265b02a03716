/** Outcome records as bytes: the fields that every record has, then the optional ones. */
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import type { Field } from '../page-field.ts'
import { keptRows } from '../page-fields.ts'
import { FieldsCode, type AnyCode } from './field-code.ts'
import type { OutcomeRecord } from './outcome-record.ts'

/** Fields by their position in the record. */
function ordered(position: (field: Field) => number | undefined): (readonly [name: string, code: AnyCode])[] {
  return keptRows
    .filter(([, field]) => position(field) !== undefined)
    .toSorted(([, a], [, b]) => position(a)! - position(b)!)
    .map(([name, { code }]) => [name, code as AnyCode])
}

const head = ordered((field) => field.head)
const optional = new FieldsCode(ordered((field) => field.bit))

export function encodeOutcome(into: ByteWriter, record: OutcomeRecord): void {
  const fields = record as unknown as Readonly<Record<string, never>>
  for (let i = 0; i < head.length; i++) head[i][1].write(into, fields[head[i][0]])
  optional.write(into, record)
}

export function decodeOutcome(from: ByteReader): OutcomeRecord {
  const record: Record<string, unknown> = {}
  for (const [name, code] of head) record[name] = code.read(from)
  optional.read(from, record)
  return record as unknown as OutcomeRecord
}
