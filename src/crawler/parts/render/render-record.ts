/** What rendering adds to the record: the pages that were rendered, and the requests that they made. */
import { ByteReader } from '../../../lib/byte-reader.ts'
import type { ByteWriter } from '../../../lib/byte-writer.ts'
import type { GroupBytes } from '../../record/group.ts'
import type { PartCheck, VerifiedCrawl } from '../shown.ts'
import { looks, type Look } from './evidence.ts'
import { reasons, type Reason } from './kind-tests.ts'

/** A page that was rendered. */
export interface RenderedPage {
  readonly kind: 'page'
  readonly page: number
  readonly look: Look
  readonly reason: Reason
  /** Undefined if rendering failed. */
  readonly gain?: Gain | undefined
}

/** What rendering added to a page. */
export interface Gain {
  /** Links that the source lacks, and those of them that lead to pages that were not known. */
  readonly links: number
  readonly newLinks: number
  /** Bytes of visible text, before and after. */
  readonly textBefore: number
  readonly textAfter: number
}

/** A request of a page. */
export interface RenderRequest {
  readonly kind: 'request'
  readonly page: number
  readonly url: string
  readonly startMs: number
  readonly durationMs: number
  /** 0: there was no response. */
  readonly status: number
  readonly bytes: number
  readonly error: string | undefined
  readonly contentType: string | undefined
  warc?:
    | { readonly thread: number; readonly serial: number; readonly offset: number; readonly length: number }
    | undefined
}

const isPage = 1
const isRequest = 2
const hasMore = 4

export function encodeRendered(into: ByteWriter, event: RenderedPage | RenderRequest): void {
  if (event.kind === 'page') {
    const { page, look, reason, gain } = event
    into.byte(isPage | (gain === undefined ? 0 : hasMore))
    into.varint(page)
    into.byte(looks.indexOf(look))
    into.byte(reasons.indexOf(reason))
    if (gain === undefined) return
    for (const number of [gain.links, gain.newLinks, gain.textBefore, gain.textAfter]) into.varint(number)
    return
  }
  const { page, url, startMs, durationMs, status, bytes, error, contentType, warc } = event
  into.byte(isRequest | (warc === undefined ? 0 : hasMore))
  into.varint(page)
  into.text(url)
  into.double(startMs)
  for (const number of [durationMs, status, bytes]) into.varint(number)
  for (const text of [error, contentType]) into.text(text ?? '')
  if (warc !== undefined)
    for (const number of [warc.thread, warc.serial, warc.offset, warc.length]) into.varint(number)
}

/** The events of a section, in order. */
export function* decodeRendered(section: Uint8Array): Generator<RenderedPage | RenderRequest> {
  const from = new ByteReader(section)
  while (!from.isAtEnd) {
    const form = from.byte()
    const more = (form & hasMore) !== 0
    yield (form & isPage) !== 0 ? pageIn(from, more) : requestIn(from, more)
  }
}

function pageIn(from: ByteReader, hasGain: boolean): RenderedPage {
  const page = from.varint()
  const look = named(looks, from.byte())
  const reason = named(reasons, from.byte())
  if (!hasGain) return { kind: 'page', page, look, reason }
  const gain = {
    links: from.varint(),
    newLinks: from.varint(),
    textBefore: from.varint(),
    textAfter: from.varint(),
  }
  return { kind: 'page', page, look, reason, gain }
}

function requestIn(from: ByteReader, hasPlace: boolean): RenderRequest {
  return {
    kind: 'request',
    page: from.varint(),
    url: from.text(),
    startMs: from.double(),
    durationMs: from.varint(),
    status: from.varint(),
    bytes: from.varint(),
    error: from.text() || undefined,
    contentType: from.text() || undefined,
    warc: hasPlace
      ? { thread: from.varint(), serial: from.varint(), offset: from.varint(), length: from.varint() }
      : undefined,
  }
}

function named<Name extends string>(names: readonly Name[], at: number): Name {
  if (at >= names.length) throw new RangeError('a name has no meaning')
  return names[at]
}

const textGrowth = 1.25
const textMin = 200

/** Whether rendering was worth it: a link to a page that was not known, or much more text. */
export function hasGained({ newLinks, textBefore, textAfter }: Gain): boolean {
  return newLinks > 0 || (textAfter >= textGrowth * textBefore && textAfter - textBefore >= textMin)
}

/** Collects the places in the archive. */
export function renderCheck({ places }: VerifiedCrawl): PartCheck {
  return {
    read(group: GroupBytes): void {
      for (const event of decodeRendered(group.section('rendered')))
        if (event.kind === 'request' && event.warc !== undefined)
          places.add({ url: event.url, startMs: event.startMs, place: event.warc })
    },
  }
}
