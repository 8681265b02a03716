/** Requisites that were found and settled, as bytes. They are read from front to back only. */
import { ByteReader } from '../../../lib/byte-reader.ts'
import type { ByteWriter } from '../../../lib/byte-writer.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import type { GroupBytes } from '../../record/group.ts'
import { isTemporary } from '../../world/outcome-policy.ts'
import type { PartCheck, VerifiedCrawl } from '../shown.ts'
import type { FoundRequisite, RequisiteEvent, RequisiteOutcome } from './requisite-queue.ts'

const isFound = 1
const isSettled = 2
const isArchived = 4
const hasWorker = 8

export function encodeRequisite(into: ByteWriter, event: RequisiteEvent): void {
  if (event.kind === 'found') {
    const { url, page, depth } = event.requisite
    into.byte(isFound)
    into.text(url)
    into.varint(page)
    into.byte(depth)
    return
  }
  const { startMs, durationMs, status, bytes, error, contentType, location, warc } = event.outcome
  const form =
    isSettled | (warc === undefined ? 0 : isArchived) | (warc?.worker === undefined ? 0 : hasWorker)
  into.byte(form)
  into.varint(event.number)
  into.double(startMs)
  for (const number of [durationMs, status, bytes]) into.varint(number)
  for (const text of [error, contentType, location]) into.text(text ?? '')
  if (warc === undefined) return
  for (const number of [warc.thread, warc.serial, warc.offset, warc.length]) into.varint(number)
  if (warc.worker !== undefined) into.text(warc.worker)
}

/** The events of a section, in order. */
export function* decodeRequisites(section: Uint8Array): Generator<RequisiteEvent> {
  const from = new ByteReader(section)
  while (!from.isAtEnd) {
    const form = from.byte()
    if (form === isFound) {
      const requisite = { url: from.text(), page: from.varint(), depth: from.byte() }
      yield { kind: 'found', requisite }
    } else yield { kind: 'settled', number: from.varint(), outcome: outcomeIn(from, form) }
  }
}

function outcomeIn(from: ByteReader, form: number): RequisiteOutcome {
  const text = (): string | undefined => from.text() || undefined
  return {
    startMs: from.double(),
    durationMs: from.varint(),
    status: from.varint(),
    bytes: from.varint(),
    error: text(),
    contentType: text(),
    location: text(),
    warc: (form & isArchived) === 0 ? undefined : placeIn(from, (form & hasWorker) !== 0),
  }
}

function placeIn(from: ByteReader, isOnWorker: boolean): RequisiteOutcome['warc'] {
  const [thread, serial, offset, length] = Array.from({ length: 4 }, () => from.varint())
  const place = { thread, serial, offset, length }
  return isOnWorker ? { ...place, worker: from.text() } : place
}

export interface RecordedRequisite extends FoundRequisite {
  /** Undefined if it waits. */
  readonly outcome: RequisiteOutcome | undefined
}

/**
 * All requisites with their outcomes, in the order of these; those that wait, or will be requested again because they failed
 * for a temporary reason, come last.
 */
export async function* recordedRequisites(record: CrawlRecord): AsyncGenerator<RecordedRequisite> {
  const open = new Map<number, RecordedRequisite>()
  let known = 0
  for await (const event of record.entries('requisites', decodeRequisites)) {
    if (event.kind === 'found') open.set(known++, { ...event.requisite, outcome: undefined })
    else {
      const requisite = open.get(event.number)
      if (requisite === undefined) continue
      const settled = { ...requisite, outcome: event.outcome }
      if (isTemporary(event.outcome.error)) open.set(event.number, settled)
      else {
        open.delete(event.number)
        yield settled
      }
    }
  }
  yield* open.values()
}

/** Collects the places in the archive. */
export function requisitesCheck({ places }: VerifiedCrawl): PartCheck {
  /** URLs of requisites that may still have an outcome. */
  const open = new Map<number, string>()
  let known = 0
  const read = (group: GroupBytes): void => {
    for (const event of decodeRequisites(group.section('requisites'))) {
      if (event.kind === 'found') open.set(known++, event.requisite.url)
      else {
        const { startMs, warc, error } = event.outcome
        const url = open.get(event.number)
        if (warc !== undefined && url !== undefined) places.add({ url, startMs, place: warc })
        if (!isTemporary(error)) open.delete(event.number)
      }
    }
  }
  return { read }
}
