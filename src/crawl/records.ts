/**
 * What a crawl remembers on disk beside its facts, each kind under a letter of its own:
 *
 *   f  batch        facts, in order: the journal
 *   u  page         where a page was found, how deep, and its URL
 *   o  page         what came when it was asked for
 *   s  site         the site's name
 *   r  origin       its robots.txt
 *   w  thread       how far the thread's WARC files go
 *   t               totals
 *   i               how many pages have a word, where the crawl has a topic
 *
 * Numbers in keys stand with the highest byte first, so that the order of the keys is theirs.
 */
import type { RobotsRecord } from '../worlds/real/robots-cache.ts'

export type { RobotsRecord } from '../worlds/real/robots-cache.ts'

export const kinds = {
  facts: 'f',
  found: 'u',
  outcome: 'o',
  site: 's',
  robots: 'r',
  warc: 'w',
  totals: 't',
  words: 'i',
}

/** How a page became known. */
export interface FoundRecord {
  readonly url: string
  /** The page that linked to it first; undefined: a seed. */
  readonly parent: number | undefined
  readonly depth: number
}

/** What came when a page was asked for, or why it never was. */
export interface OutcomeRecord {
  /** Milliseconds of the epoch, and how long it took. */
  readonly at: number
  readonly ms: number
  readonly status: number
  /** Of the strategy, when it was taken. */
  readonly score: number
  /** Its last request was the how manieth of all requests for pages; 0: it was never asked for. */
  readonly order: number
  readonly bytes: number
  readonly attempts?: number | undefined
  readonly type?: string | undefined
  readonly title?: string | undefined
  /** Why it failed: `http-404`, `timeout`, `robots`, … */
  readonly error?: string | undefined
  readonly errorText?: string | undefined
  readonly truncated?: string | undefined
  /** How the response violates HTTP/1.1: `bare-lf`, `repeated-length`, … */
  readonly faults?: readonly string[] | undefined
  /** What is wrong with its content coding: `not-coded`, `damaged`, … */
  readonly miscoded?: string | undefined
  readonly noindex?: boolean | undefined
  readonly nofollow?: boolean | undefined
  readonly canonical?: string | undefined
  readonly location?: string | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  readonly duplicateOf?: number | undefined
  /** Is only its text the same as the other's? */
  readonly sameText?: boolean | undefined
  /** Does it link to the same pages as the page that it repeats: `siteOriginal`, else `duplicateOf`? */
  readonly sameLinks?: boolean | undefined
  /** The first page of its own site with the same body. */
  readonly siteOriginal?: number | undefined
  /** A copy within its site, found on such a copy. `known`: its links to unknown pages were not followed. */
  readonly copyOnCopy?: 'followed' | 'known' | undefined
  /** How many links that were. */
  readonly unfollowed?: number | undefined
  /** The page that said nearly the same before, and how similar it is. */
  readonly nearDuplicateOf?: number | undefined
  readonly similarity?: number | undefined
  /** Of a page that is no copy: by which later ones are found to be like it. Base64. */
  readonly sketch?: string | undefined
  /** Where the crawl has a topic: its likeness to that or its score, and whether it is hot. */
  readonly relevance?: number | undefined
  readonly hot?: boolean | undefined
  /** Links to follow, links out of scope, links too deep. */
  readonly links?: number | undefined
  readonly outside?: number | undefined
  readonly tooDeep?: number | undefined
  /** A word of the fingerprint of its text without digits. */
  readonly shape?: number | undefined
  /** Fingerprints of body, text and set of links: six words. */
  readonly prints?: readonly number[] | undefined
  /** Where it is archived: thread, serial number of the file, offset, length, id of the record. */
  readonly warc?: readonly [thread: number, serial: number, offset: number, length: number, id: string]
}

export interface WarcEnd {
  readonly serial: number
  readonly length: number
}

/** The same bytes on every machine: words with the lowest byte first. */
export function encodeSketch(sketch: Uint32Array): string {
  const bytes = Buffer.allocUnsafe(4 * sketch.length)
  sketch.forEach((word, i) => bytes.writeUInt32LE(word, 4 * i))
  return bytes.toString('base64')
}

export function decodeSketch(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64')
  return Uint32Array.from({ length: bytes.length >>> 2 }, (_, i) => bytes.readUInt32LE(4 * i))
}

export function keyOf(kind: string, number: number): Uint8Array {
  const key = Buffer.allocUnsafe(5)
  key[0] = kind.charCodeAt(0)
  key.writeUInt32BE(number, 1)
  return key
}

export function nameKey(kind: string, name: string): Uint8Array {
  return Buffer.from(kind + name)
}

export function numberOfKey(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(1)
}

const noParent = 0xffffffff

/** Depth in one byte, parent in four, then the URL. */
export function encodeFound({ url, parent, depth }: FoundRecord): Uint8Array {
  const bytes = Buffer.allocUnsafe(5 + Buffer.byteLength(url))
  bytes[0] = Math.min(depth, 255)
  bytes.writeUInt32LE(parent ?? noParent, 1)
  bytes.write(url, 5)
  return bytes
}

export function decodeFound(bytes: Uint8Array): FoundRecord {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parent = buffer.readUInt32LE(1)
  return {
    depth: buffer[0],
    parent: parent === noParent ? undefined : parent,
    url: buffer.toString('utf8', 5),
  }
}

export function encodeJson(value: OutcomeRecord | RobotsRecord | WarcEnd | object): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

export function decodeJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}
