/**
 * What an archive has for a URL: the newest version, or that of a time, with status, headers and body as recorded. Of a revisit record,
 * the body is that of the record that it refers to.
 */
import { RankwardError } from '../../lib/errors.ts'
import { readWarcAt } from '../warc/reader.ts'
import type { WarcRecord } from '../warc/warc-record.ts'
import type { Archive } from './archive-files.ts'

export interface StoredResponse {
  readonly status: number
  readonly reason: string
  /** As recorded, without those that frame the body. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly dateMs: number
}

/** `firstMs`: the archive has only later versions, the oldest of this time. */
export interface NotStored {
  readonly firstMs?: number | undefined
}

/** Captures of the same payload that are tried; a URL may have thousands. */
const originalsMax = 32

export class StoredResponses {
  readonly #archive: Archive
  readonly #atMs: number

  /** `atMs`: versions after this time are not used. */
  constructor(archive: Archive, atMs = Infinity) {
    this.#archive = archive
    this.#atMs = atMs
  }

  /** Throws `BAD_WARC` or `BAD_GZIP` if the archive has it but it cannot be read. */
  find(url: string): StoredResponse | NotStored {
    const { captures } = this.#archive
    let firstMs: number | undefined
    for (const capture of captures.of(url)) {
      firstMs = captures.dateMs(capture)
      if (firstMs > this.#atMs) continue
      const record = this.#read(capture, url)
      return record.type === 'revisit' ? this.#revisited(record, url, firstMs) : responseOf(record, firstMs)
    }
    return { firstMs }
  }

  #read(capture: number, url: string): WarcRecord {
    const { captures, paths } = this.#archive
    const { file, offset } = captures.place(capture)
    const [record] = readWarcAt(paths[file], [offset])
    if (record.targetUri !== undefined && captures.isSame(url, record.targetUri)) return record
    throw new RankwardError(
      'BAD_WARC',
      `${paths[file]} has another record at byte ${offset} than its index says. Remove the index to have the file read as a whole.`,
    )
  }

  /** A 304 is replaced by the response that it confirms; other revisits have their own head. */
  #revisited(revisit: WarcRecord, url: string, dateMs: number): StoredResponse {
    const original = this.#original(revisit, url, dateMs)
    if (original === undefined)
      throw new RankwardError(
        'BAD_WARC',
        `The body of ${url} is in another archive (${revisit.field('WARC-Refers-To-Target-URI') ?? 'not named'}). Serve both together.`,
      )
    const { headers, body, ...head } = responseOf(original, dateMs)
    const own = responseOf(revisit, dateMs)
    const isNotModified = own.status === 304 || own.status === 0
    return isNotModified ? { ...head, headers, body } : { ...own, body }
  }

  /** The nearest capture that is not a revisit itself, and has the same payload if both say what they have. */
  #original(revisit: WarcRecord, url: string, dateMs: number): WarcRecord | undefined {
    const { captures } = this.#archive
    const target = revisit.field('WARC-Refers-To-Target-URI')?.replace(/^<(.*)>$/, '$1') ?? url
    const given = Date.parse(revisit.field('WARC-Refers-To-Date') ?? '')
    const aimMs = Number.isNaN(given) ? dateMs : given
    const distance = (capture: number): number => Math.abs(captures.dateMs(capture) - aimMs)
    const nearest = [...captures.of(target)].toSorted((a, b) => distance(a) - distance(b))
    const digest = revisit.field('WARC-Payload-Digest')
    for (const capture of nearest.slice(0, originalsMax)) {
      const record = this.#read(capture, target)
      const other = record.field('WARC-Payload-Digest')
      const isOther = digest !== undefined && other !== undefined && digest !== other
      if (record.type !== 'revisit' && !isOther) return record
    }
    return undefined
  }
}

/** Of one hop, or of the transfer that the archive has undone. Also those under which archives keep them. */
const dropped =
  /^(?:x-archive-orig-)?(?:transfer-encoding|content-length|connection|keep-alive|proxy-connection|trailer|upgrade)$/i

function responseOf(record: WarcRecord, dateMs: number): StoredResponse {
  if (record.type === 'resource') {
    const headers = [['Content-Type', record.field('Content-Type') ?? 'application/octet-stream'] as const]
    return { status: 200, reason: 'OK', headers, body: record.block, dateMs }
  }
  const { startLine = '', headers = [] } = record.http() ?? {}
  const [, status = '0', reason = ''] = /^HTTP\/\S+[\t ]+(\d{3})[\t ]*(.*)$/i.exec(startLine) ?? []
  return {
    status: Number(status),
    reason,
    headers: headers.filter(([name]) => !dropped.test(name)),
    body: record.payload(),
    dateMs,
  }
}
