/**
 * Writes a crawl's exchanges into WARC files with a CDXJ index beside each. Files are named by a prefix and a
 * serial number, never by data from the web, and a new file is started when the current one has reached its
 * size. Each write returns its position, for the crawl's record; after a crash, the last position in that
 * record says where to truncate the torn tail (`resume`).
 *
 *   crawl-00000.warc.gz   warcinfo, (request, response | revisit, conversion?)*
 *   crawl-00000.cdxj      a line for each response and revisit
 *
 * Records are written in batches, and are in the file and on disk after `sync` or `close`; their positions are known before. Writes are
 * synchronous: the writer runs in a worker.
 */
import { randomUUID, hash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../lib/assert.ts'
import { cdxjLine, indexPathOf, sortedLines } from './cdxj.ts'
import { incompleteIndex, unreadableWarc, unwritableWarc } from './failure.ts'
import { GzipWriter, RecordBatch } from './gzip-writer.ts'
import { httpHead, type HttpMessage } from './http-block.ts'
import { fieldLine, recordBytes, recordEndBytes, recordUri, warcDate, type RecordDraft } from './record.ts'
import type { Truncation } from './record.ts'
import { readWarc } from './reader.ts'
import { indexWithin, truncateTail, writeIndex } from './tail.ts'
import { base32 } from '../../lib/base32.ts'

export interface WarcWriterOptions {
  folder: string
  /** Letters, digits, dots, dashes and underscores. */
  prefix: string
  /** The part of the names after the serial number; may also have tildes. Default: none. */
  suffix?: string
  /** A file that has reached this size is finished; an exchange is never split. */
  bytesMax?: number
  /** Gzip level, 1 to 9; 0 writes plain .warc files. */
  level?: number
  /** Fields of each file's warcinfo: software, operator, robots, … */
  info?: Readonly<Record<string, string>>
  /** Returns a new UUID at each call. */
  newId?: () => string
  /**
   * Continue this file, truncated to this length: the last recorded position. `indexBytes`: the bytes that the lines of
   * its index must have; unchecked unless given.
   */
  resume?: { serial: number; length: number; indexBytes?: number }
}

/** The end of a WARC file. */
export interface WarcFileEnd {
  readonly serial: number
  readonly length: number
  /** Bytes of the lines of its index. */
  readonly indexBytes: number
}

export interface RecordPlace {
  readonly file: string
  readonly serial: number
  readonly offset: number
  readonly length: number
  readonly id: string
  readonly payloadDigest: string | undefined
}

export interface Exchange {
  readonly url: string
  readonly dateMs: number
  readonly ip?: string | undefined
  readonly request?: HttpMessage | undefined
  readonly response: HttpMessage
  readonly status: number
  readonly mime: string
  readonly truncated?: Truncation | undefined
  /** Precomputed, to avoid computing it again. */
  readonly payloadDigest?: string | undefined
  /** The same payload is already archived: a revisit record without the body is written. */
  readonly sameAs?: Revisited | undefined
}

/** The record that has the payload of a revisit. */
export interface Revisited {
  /** Undefined if only an index of its archive is known. */
  readonly id: string | undefined
  readonly url: string
  readonly dateMs: number
  /** The server responded with 304; otherwise the payloads have the same digest. */
  readonly notModified?: boolean | undefined
  /** Of the record; used after a 304, which has no payload of its own. */
  readonly payloadDigest?: string | undefined
}

/** Lines of the index that wait in memory. */
const indexLinesMax = 1000
const revisitProfile = 'http://netpreserve.org/warc/1.1/revisit/'

export class WarcWriter {
  readonly #options: Required<Omit<WarcWriterOptions, 'resume'>>
  readonly #batch: RecordBatch
  /** Of records in the batch, and of some before. Written after their records. */
  #indexLines: string[] = []
  #serial: number
  #file: number | undefined
  #index: number | undefined
  #offset = 0
  #indexBytes = 0
  #finished: WarcFileEnd[] = []
  /** The line that says to which file a record belongs. */
  #warcinfoLine = ''

  constructor({ resume, ...options }: WarcWriterOptions) {
    assert(
      /^[\w.-]+$/.test(options.prefix) &&
        !options.prefix.startsWith('.') &&
        /^[\w.~-]*$/.test(options.suffix ?? ''),
      'a WARC prefix must be a plain name',
    )
    this.#options = { suffix: '', bytesMax: 1_000_000_000, level: 6, info: {}, newId: randomUUID, ...options }
    const { level } = this.#options
    const gzip = level === 0 ? undefined : new GzipWriter(level)
    this.#batch = new RecordBatch(gzip, (bytes) => this.#write(this.#file!, bytes))
    this.#serial = resume ? resume.serial : -1
    if (resume && resume.length > 0) this.#reopen(resume.length, resume.indexBytes)
    else if (resume) this.#beginAnew()
  }

  /** The end of the current file; its serial number is -1 before the first. */
  get end(): WarcFileEnd {
    return { serial: this.#serial, length: this.#offset, indexBytes: this.#indexBytes }
  }

  /** The files that have reached their size since the last call. */
  takeFinished(): readonly WarcFileEnd[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Writes request and response (or revisit) consecutively; the position is that of the response. */
  exchange(exchange: Exchange, dateMsOfFile = exchange.dateMs): RecordPlace {
    this.#ready(dateMsOfFile)
    const { url, dateMs, ip, request, response, status, mime, truncated, sameAs } = exchange
    const id = this.#options.newId()
    const uri = recordUri(id)
    const date = warcDate(dateMs)
    const about = `${fieldLine('WARC-Target-URI', url)}${fieldLine('WARC-IP-Address', ip)}`
    const digest =
      sameAs?.notModified === true
        ? sameAs.payloadDigest
        : (exchange.payloadDigest ?? sha1Digest(response.body))
    if (request) this.#request(request, `${about}WARC-Concurrent-To: ${uri}\r\n`, date)
    const head = httpHead(response, truncated === undefined)
    // A 304 is stored whole; of other revisits, the body is left out.
    const cut = truncated ?? (sameAs && sameAs.notModified !== true ? 'length' : undefined)
    const { offset, length } = this.#append({
      type: sameAs ? 'revisit' : 'response',
      uri,
      date,
      contentType: 'application/http;msgtype=response',
      fields:
        `${about}${this.#warcinfoLine}${fieldLine('WARC-Payload-Digest', digest)}` +
        `${sameAs ? revisitLines(sameAs) : ''}${fieldLine('WARC-Truncated', cut)}`,
      block: sameAs ? [head] : [head, response.body],
    })
    const file = this.#name
    const mimeOf = sameAs ? 'warc/revisit' : mime
    const line = cdxjLine({ url, dateMs, mime: mimeOf, status, digest, length, offset, filename: file })
    this.#indexLines.push(line)
    this.#indexBytes += Buffer.byteLength(line)
    if (this.#indexLines.length === indexLinesMax) this.#flush()
    return { file, serial: this.#serial, offset, length, id, payloadDigest: digest }
  }

  /** A document that was made of a response, right after it in the same file. It is not in the index: replay makes its own. */
  conversion({ url, dateMs, of, html }: { url: string; dateMs: number; of: string; html: Buffer }): void {
    this.#append({
      type: 'conversion',
      uri: recordUri(this.#options.newId()),
      date: warcDate(dateMs),
      contentType: 'text/html; charset=utf-8',
      fields:
        `${fieldLine('WARC-Target-URI', url)}${fieldLine('WARC-Refers-To', recordUri(of))}` +
        `${this.#warcinfoLine}${fieldLine('WARC-Payload-Digest', sha1Digest(html))}`,
      block: [html],
    })
  }

  /** Metadata of a capture, as lines `name: value`. */
  metadata(about: {
    url: string
    dateMs: number
    concurrentTo?: string
    facts: Record<string, string>
  }): RecordPlace {
    this.#ready(about.dateMs)
    const id = this.#options.newId()
    const concurrentTo = about.concurrentTo === undefined ? undefined : recordUri(about.concurrentTo)
    const place = this.#append({
      type: 'metadata',
      uri: recordUri(id),
      date: warcDate(about.dateMs),
      contentType: 'application/warc-fields',
      fields: `${fieldLine('WARC-Target-URI', about.url)}${fieldLine('WARC-Concurrent-To', concurrentTo)}${this.#warcinfoLine}`,
      block: [warcFields(about.facts)],
    })
    return { ...place, file: this.#name, serial: this.#serial, id, payloadDigest: undefined }
  }

  /** Everything written is on disk when this returns. */
  sync(): void {
    this.#flush()
    try {
      if (this.#file !== undefined) fsyncSync(this.#file)
      if (this.#index !== undefined) fsyncSync(this.#index)
    } catch (cause) {
      throw unwritableWarc(join(this.#options.folder, this.#name), cause)
    }
  }

  /** Finishes the current file and sorts its index. The next exchange starts a new one. */
  close(): void {
    if (this.#file === undefined) return
    this.sync()
    closeSync(this.#file)
    closeSync(this.#index!)
    this.#file = this.#index = undefined
    const index = this.#indexPath()
    writeIndex(index, sortedLines(readFileSync(index, 'latin1')), 'latin1')
  }

  #request(request: HttpMessage, fields: string, date: string): void {
    this.#append({
      type: 'request',
      uri: recordUri(this.#options.newId()),
      date,
      contentType: 'application/http;msgtype=request',
      fields: `${fields}${this.#warcinfoLine}`,
      block: [httpHead(request), request.body],
    })
  }

  #ready(dateMs: number): void {
    if (this.#file !== undefined && this.#offset >= this.#options.bytesMax) {
      this.#finished.push(this.end)
      this.close()
    }
    if (this.#file !== undefined) return
    this.#serial++
    this.#open('wx')
    this.#offset = this.#indexBytes = 0
    const uri = recordUri(this.#options.newId())
    this.#warcinfoLine = fieldLine('WARC-Warcinfo-ID', uri)
    this.#append({
      type: 'warcinfo',
      uri,
      date: warcDate(dateMs),
      contentType: 'application/warc-fields',
      fields: fieldLine('WARC-Filename', this.#name),
      block: [warcFields({ ...this.#options.info, format: 'WARC File Format 1.1' })],
    })
  }

  #reopen(length: number, indexBytes: number | undefined): void {
    const path = join(this.#options.folder, this.#name)
    // Before anything is truncated: it may be a file of another origin.
    const first = readWarc(path).next().value
    if (first?.type !== 'warcinfo') throw unreadableWarc(path, 0, 'the first record is not a warcinfo')
    this.#warcinfoLine = fieldLine('WARC-Warcinfo-ID', recordUri(first.id))
    const lines = indexWithin(this.#indexPath(), length)
    if (indexBytes !== undefined && indexBytes !== Buffer.byteLength(lines))
      throw incompleteIndex(this.#indexPath(), Buffer.byteLength(lines), indexBytes)
    truncateTail(path, length)
    writeIndex(this.#indexPath(), lines)
    this.#open('a')
    this.#indexBytes = Buffer.byteLength(lines)
    this.#offset = length
  }

  /** The crash happened before any page in this file was recorded: the file is rewritten under its name. */
  #beginAnew(): void {
    for (const path of [join(this.#options.folder, this.#name), this.#indexPath()])
      rmSync(path, { force: true })
    this.#serial--
  }

  #open(flags: 'wx' | 'a'): void {
    const path = join(this.#options.folder, this.#name)
    try {
      this.#file = openSync(path, flags)
      this.#index = openSync(this.#indexPath(), flags)
    } catch (cause) {
      throw unwritableWarc(path, cause)
    }
    assert(flags === 'wx' || fstatSync(this.#file).size > 0, 'a WARC file to continue is empty')
  }

  #append(draft: RecordDraft): { offset: number; length: number } {
    const record = recordBytes(draft)
    const length = this.#batch.add(record, record.length - draft.block.at(-1)!.length - recordEndBytes)
    const offset = this.#offset
    this.#offset += length
    return { offset, length }
  }

  #flush(): void {
    this.#batch.flush()
    if (this.#indexLines.length === 0) return
    const lines = Buffer.from(this.#indexLines.join(''))
    this.#indexLines = []
    this.#write(this.#index!, lines)
  }

  #write(file: number, bytes: Uint8Array): void {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    } catch (cause) {
      throw unwritableWarc(join(this.#options.folder, this.#name), cause)
    }
  }

  get #name(): string {
    const { prefix, suffix, level } = this.#options
    return `${prefix}-${String(this.#serial).padStart(5, '0')}${suffix}.warc${level === 0 ? '' : '.gz'}`
  }

  #indexPath(): string {
    return join(this.#options.folder, indexPathOf(this.#name))
  }
}

function revisitLines({ id, url, dateMs, notModified }: Revisited): string {
  return (
    fieldLine(
      'WARC-Profile',
      `${revisitProfile}${notModified ? 'server-not-modified' : 'identical-payload-digest'}`,
    ) +
    fieldLine('WARC-Refers-To', id === undefined ? undefined : recordUri(id)) +
    fieldLine('WARC-Refers-To-Target-URI', url) +
    fieldLine('WARC-Refers-To-Date', warcDate(dateMs))
  )
}

function warcFields(facts: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(facts).map(
    ([name, value]) => `${name}: ${value.replace(/[\r\n\0]+/g, ' ')}\r\n`,
  )
  return Buffer.from(lines.join(''))
}

/** `sha1:` digests in base32, as every WARC tool writes them. */

export function sha1Digest(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}
