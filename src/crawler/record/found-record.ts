/**
 * How a page was discovered, and its encoding: about 40 bytes per page. The host is stored as a site number.
 */
import { awaySite, noSite } from '../../engine/world.ts'
import { assert } from '../../lib/assert.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { readRecord, writeRecord } from './group.ts'

export interface FoundRecord {
  readonly url: string
  /** `noSite` for the page that represents everything outside the crawl, `awaySite` for pages of other shards. */
  readonly site: number
  /** The page with the first link to it; undefined for a seed, and for a page that another shard found. */
  readonly parent: number | undefined
  readonly depth: number
  /** The anchor text of that link, if the crawl records anchors. */
  readonly anchor?: string | undefined
}

const schemes = ['http://', 'https://']
/** In place of a scheme: the URL is stored unchanged. */
const asItIs = 2
const hasParent = 4
const hasSite = 8
const isAway = 16
const hasAnchor = 32

/** `siteName` is the name of the record's site. */
export function encodeFound(into: ByteWriter, found: FoundRecord, siteName: string | undefined): void {
  const { url, site, parent, depth, anchor = '' } = found
  const scheme = schemes.findIndex((start) => siteName !== undefined && url.startsWith(start + siteName))
  const form = scheme < 0 ? asItIs : scheme
  const ofSite = site === noSite ? 0 : site === awaySite ? isAway : hasSite
  into.byte(form | (parent === undefined ? 0 : hasParent) | ofSite | (anchor === '' ? 0 : hasAnchor))
  into.byte(Math.min(depth, 255))
  if (ofSite === hasSite) into.varint(site)
  if (parent !== undefined) into.varint(parent)
  into.text(form === asItIs ? url : url.slice(schemes[form].length + siteName!.length))
  if (anchor !== '') into.text(anchor)
}

export function decodeFound(from: ByteReader, siteName: (site: number) => string): FoundRecord {
  const flags = from.byte()
  const depth = from.byte()
  const site = (flags & hasSite) !== 0 ? from.varint() : (flags & isAway) === 0 ? noSite : awaySite
  const parent = (flags & hasParent) === 0 ? undefined : from.varint()
  const rest = from.text()
  const form = flags & 3
  const url = form === asItIs ? rest : schemes[form] + siteName(site) + rest
  const found = { url, site, parent, depth }
  return (flags & hasAnchor) === 0 ? found : { ...found, anchor: from.text() }
}

/**
 * Discovered pages of a group that is not committed, in the form in which the group stores them: about 40
 * bytes per page and no object, since a crawl discovers many more pages than it fetches. Pages are added in
 * order of their numbers.
 */
export class PendingFound {
  readonly #records = new ByteWriter()
  /** Of each record: where it starts. */
  readonly #starts = new GrowingUint32(64)
  readonly #record = new ByteWriter()
  #first = 0
  #count = 0

  /** `siteName` is the name of the record's site. */
  add(page: number, found: FoundRecord, siteName: string | undefined): void {
    if (this.#count === 0) this.#first = page
    assert(page === this.#first + this.#count, 'pages must be recorded in order of their numbers')
    this.#starts.ensure(this.#count)
    this.#starts.array[this.#count++] = this.#records.length
    this.#record.clear()
    encodeFound(this.#record, found, siteName)
    writeRecord(this.#records, this.#record)
  }

  of(page: number, siteName: (site: number) => string): FoundRecord | undefined {
    const at = page - this.#first
    if (at < 0 || at >= this.#count) return undefined
    return decodeFound(readRecord(new ByteReader(this.#records.view(), this.#starts.array[at])), siteName)
  }

  /** Drops all records and keeps the memory. */
  clear(): void {
    this.#records.clear()
    this.#count = 0
  }

  /** All records, valid until the next is added. */
  get bytes(): Uint8Array {
    return this.#records.view()
  }
}
