/**
 * One look at a page, in a crawl that fetches pages again. Every request for a page that was fetched before has such a record, and so has
 * its first fetch. A look that found new content (`first`, `changed`) also has an outcome record, the page's new version.
 *
 * The looks at a page form a list on disk, the newest first: each has the place of the one before. So a page takes the same memory however
 * often it is fetched.
 */
import { verdicts, type Verdict } from '../../engine/recrawl-policy.ts'
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import { count, FieldsCode, flag, httpDate, oneOfThese, place, text, type Field } from './field-code.ts'
import type { OutcomeRecord, WarcPlace } from './outcome-record.ts'
import type { Place } from './record-index.ts'

export interface LookRecord extends Pick<
  OutcomeRecord,
  'startMs' | 'durationMs' | 'status' | 'bytes' | 'order' | 'error' | 'failureText'
> {
  readonly verdict: Verdict
  /** Its position in the archive. In a compacted record without id and digest: `id` is empty. */
  readonly warc?: WarcPlace | undefined
  /** True if the request was conditional. */
  readonly conditional?: boolean | undefined
  /** The page's validators after this look, if they differ from those of its version. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** When the page changed, by its Last-Modified, if the site's dates are trusted. */
  readonly changedMs?: number | undefined
  /** True if the response proves that a validator of the site was wrong. */
  readonly lie?: boolean | undefined
  /** If the look observed nothing: when the page was observed last. */
  readonly observedMs?: number | undefined
}

/** Does a look with this verdict have an outcome record? */
export function isNewVersion(verdict: Verdict): boolean {
  return verdict === 'first' || verdict === 'changed'
}

/** True if the server reported that the page does not exist. */
export function isAbsent({ verdict }: Pick<LookRecord, 'verdict'>): boolean {
  return verdict === 'gone' || verdict === 'missing'
}

/** True if the look says whether the page exists. */
export function isAnswer({ verdict }: LookRecord): boolean {
  return verdict !== 'failed' && verdict !== 'forbidden'
}

type Optional = Exclude<keyof LookRecord, 'startMs' | 'durationMs' | 'status' | 'bytes' | 'order' | 'verdict'>

const fields: readonly Field<LookRecord, Optional>[] = [
  ['conditional', flag],
  ['etag', text],
  ['lastModified', httpDate],
  ['changedMs', count],
  ['lie', flag],
  ['observedMs', count],
  ['error', text],
  ['failureText', text],
  ['warc', place],
]
const optional = new FieldsCode(fields)

/** Where the look before is: in the same group, so many bytes before this one, or elsewhere. */
export type LookBefore = { readonly back: number } | Place | undefined

const verdictCode = oneOfThese(verdicts)

export function encodeLook(into: ByteWriter, look: LookRecord, before: LookBefore): void {
  if (before === undefined) into.byte(0)
  else if ('back' in before) {
    into.byte(1)
    into.varint(before.back)
  } else {
    into.byte(2)
    into.varint(before.segment)
    into.varint(before.offset)
  }
  verdictCode.write(into, look.verdict)
  for (const number of [look.startMs, look.durationMs, look.status, look.bytes, look.order])
    into.varint(number)
  optional.write(into, look)
}

export function decodeLook(from: ByteReader): { readonly look: LookRecord; readonly before: LookBefore } {
  const before = decodeBefore(from)
  const look = {
    verdict: verdictCode.read(from),
    startMs: from.varint(),
    durationMs: from.varint(),
    status: from.varint(),
    bytes: from.varint(),
    order: from.varint(),
  }
  optional.read(from, look)
  return { look, before }
}

function decodeBefore(from: ByteReader): LookBefore {
  const kind = from.byte()
  if (kind === 0) return undefined
  return kind === 1 ? { back: from.varint() } : { segment: from.varint(), offset: from.varint() }
}
