/**
 * The outcome of a request for a page, or the reason why it was never requested. A page has one record for
 * each outcome.
 */
import { copyFields, namesOf, blankOf, isKept, type Field } from '../page-field.ts'
import { fetchedFields, keptRows, type DecidedFrom, type KeptFields } from '../page-fields.ts'
import { isOriginal } from '../world/copy.ts'
import type { FetchResult, PageOutcome } from '../world/fetch-result.ts'
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import { FieldsCode, type AnyCode } from './field-code.ts'

export interface OutcomeRecord extends KeptFields {}

type OutcomeDraft = { -readonly [Name in keyof OutcomeRecord]: OutcomeRecord[Name] }

const fetchedNames = namesOf(fetchedFields, isKept)
const blank = blankOf(keptRows.map(([name]) => name))

/**
 * The recorded part of a result. Composing it of three objects and removing the other fields took a fifth of the main thread's time.
 */
export function outcomeOf(
  result: FetchResult,
  outcome: PageOutcome,
  choice: DecidedFrom<'choice'>,
): OutcomeRecord {
  const { sketch } = result
  const record = { ...blank } as unknown as OutcomeDraft
  copyFields(fetchedNames, result, record)
  Object.assign(record, outcome, choice)
  record.durationMs = Math.round(result.durationMs)
  record.sketch = isOriginal(outcome) && sketch !== undefined ? Uint32Array.from(sketch) : undefined
  record.prints = printsOf(result)
  return record
}

/** Fingerprints of body, text and set of links: six words; undefined for redirects and empty bodies. */
export function printsOf(result: FetchResult): Uint32Array | undefined {
  const { bodyLow, bodyHigh, textLow, textHigh, linksLow, linksHigh, location } = result
  if (location !== undefined || (bodyLow === 0 && bodyHigh === 0)) return undefined
  return Uint32Array.of(bodyLow, bodyHigh, textLow, textHigh, linksLow, linksHigh)
}

/** Some fields of a record for users: other pages are shown by their URLs. */
export function shownFields(
  rows: typeof keptRows,
  record: OutcomeRecord,
  urlOf: (page: number) => string,
): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {}
  for (const [name, { page }] of rows) {
    const value = record[name as keyof OutcomeRecord]
    shown[name] = page === true && value !== undefined ? urlOf(value as number) : value
  }
  return shown
}

/** True if the outcome is content or a redirect: a version of the page. */
export function isVersion({ status, error }: OutcomeRecord): boolean {
  return error === undefined && status > 0
}

export interface WarcPlace {
  /** The worker that wrote the file, in a crawl on several machines; its archive stays there. */
  readonly worker?: string | undefined
  readonly thread: number
  /** Serial number of the thread's file. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** Id of the WARC record, without `<urn:uuid:` and `>`. */
  readonly id: string
  /** `sha1:` of the payload, in base32. */
  readonly payloadDigest?: string | undefined
}

/** Whether the page was fetched with content. */
export function isFetched({ status, error, location }: OutcomeRecord): boolean {
  return status > 0 && error === undefined && location === undefined
}

/** Fields by their position in the record. */
function ordered(position: (field: Field) => number | undefined): (readonly [name: string, code: AnyCode])[] {
  return keptRows
    .filter(([, field]) => position(field) !== undefined)
    .toSorted(([, a], [, b]) => position(a)! - position(b)!)
    .map(([name, { code }]) => [name, code as AnyCode])
}

const head = ordered((field) => field.head)
const optional = new FieldsCode(ordered((field) => field.bit))

/** A record as bytes: the fields that every record has, then the optional ones. */
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
