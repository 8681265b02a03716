/**
 * Holds responses until their verdict, and then writes them to the thread's WARC files in the order of the
 * verdicts. After a failed write nothing more is written, so that the files agree with the reported
 * positions.
 */
import { STATUS_CODES } from 'node:http'
import { RankwardError } from '../../../lib/errors.ts'
import { KnownDigests, type DigestTable } from '../../../web/warc/known-digests.ts'
import { WarcWriter, type Revisited, type WarcFileEnd } from '../../../web/warc/warc-writer.ts'
import type { ArchiveEnd, Kept, ThreadSettings, Verdict } from '../../world/messages.ts'
import { giveBack } from '../../../web/http/body-bytes.ts'
import { essence } from '../../../web/http/html-type.ts'
import type { HttpResponse } from '../../../web/http/exchange.ts'
import type { HeaderPair } from '../../../web/http/request-headers.ts'
import { headerPairs, headWithoutCookies } from '../../../web/http/response-headers.ts'
import { notKept, type Archive, type ArchiveBroken, type HeldExchange } from '../../fetch/archive.ts'

/** The settings of the archive of a thread. */
export interface WarcSettings {
  readonly folder: string
  /** The beginning of the names of the thread's files; `rankward-THREAD` by default. */
  readonly prefix?: string | undefined
  /** Their part after the serial number. */
  readonly suffix?: string | undefined
  readonly bytesMax: number
  readonly level: number
  readonly info: Readonly<Record<string, string>>
  /** Payloads of other archives, which are not written again. */
  readonly known?: DigestTable | undefined
  readonly resume: WarcFileEnd | undefined
}

const noBody = new Uint8Array(0)

export const makeArchive = (
  warc: WarcSettings,
  settings: ThreadSettings,
  onBroken: (broken: ArchiveBroken) => void,
): Archive => new WarcArchive(settings, warc, onBroken)

class WarcArchive implements Archive {
  /** Undefined if the files of an earlier run could not be continued. */
  readonly #writer: WarcWriter | undefined
  readonly #onBroken: (broken: ArchiveBroken) => void
  /** Whether Set-Cookie headers are left out. */
  readonly #dropsCookies: boolean
  readonly #held = new Map<number, HeldExchange>()
  readonly #known: KnownDigests | undefined
  #isBroken = false

  constructor(
    { thread, cookies }: Pick<ThreadSettings, 'thread' | 'cookies'>,
    warc: WarcSettings,
    onBroken: (broken: ArchiveBroken) => void,
  ) {
    const { folder, prefix = `rankward-${thread}`, suffix = '', bytesMax, level, info, resume } = warc
    this.#onBroken = onBroken
    this.#known = warc.known && new KnownDigests(warc.known)
    this.#dropsCookies = cookies === 'kept'
    const options = { folder, prefix, suffix, bytesMax, level, info }
    this.#writer = this.#try(() => new WarcWriter(resume ? { ...options, resume } : options))
  }

  hold(id: number, exchange: HeldExchange): void {
    if (!this.#isBroken) this.#held.set(id, exchange)
  }

  attach(id: number, made: Buffer): void {
    const held = this.#held.get(id)
    if (held !== undefined) this.#held.set(id, { ...held, made })
  }

  keep({ id, drop = false, sameAs }: Verdict): Kept | undefined {
    const held = this.#held.get(id)
    this.#held.delete(id)
    if (this.#isBroken) return undefined
    if (held === undefined) return notKept(id)
    const kept = drop ? notKept(id) : this.#try(() => this.#write(id, held, sameAs))
    giveBack(held.completed.response.body)
    return kept
  }

  sync(): ArchiveEnd | undefined {
    return this.#try(() => {
      this.#writer!.sync()
      return { ...this.#writer!.end, finished: this.#writer!.takeFinished() }
    })
  }

  close(): void {
    this.#held.clear()
    if (!this.#isBroken) this.#try(() => this.#writer!.close())
  }

  #write(id: number, held: HeldExchange, sameAs: Verdict['sameAs']): Kept {
    const { completed, sent, contentType, payloadDigest, made } = held
    const { request, response, address } = completed
    const { startMs, status, body, truncated } = response
    const known = this.#elsewhere(held, sameAs)
    // The same decoded body may have been transferred in another encoding: then it is another payload.
    const isRevisit = status === 304 || (sameAs?.payloadDigest ?? payloadDigest) === payloadDigest
    const place = this.#writer!.exchange({
      url: request.url,
      dateMs: startMs,
      ip: address,
      request: { ...sent, body: noBody },
      response: {
        startLine: statusLine(response),
        ...this.#headOf(response),
        body,
      },
      status,
      mime: essence(contentType) || 'unk',
      truncated,
      payloadDigest,
      sameAs: known ?? (sameAs && isRevisit ? { ...sameAs, notModified: status === 304 } : undefined),
    })
    if (made !== undefined)
      this.#writer!.conversion({ url: request.url, dateMs: startMs, of: place.id, html: made })
    const { serial, offset, length } = place
    return { id, serial, offset, length, recordId: place.id, payloadDigest: place.payloadDigest }
  }

  /**
   * The capture of another archive with the payload of this response. It comes before one of this crawl, which may be a revisit of
   * it: readers do not follow revisits of revisits.
   */
  #elsewhere({ completed, payloadDigest }: HeldExchange, sameAs: Verdict['sameAs']): Revisited | undefined {
    const { status, body, truncated } = completed.response
    const notModified = status === 304
    const digest = notModified ? sameAs?.payloadDigest : payloadDigest
    const hasPayload = notModified || (body.length > 0 && truncated === undefined)
    const known = hasPayload && digest !== undefined ? this.#known?.find(digest) : undefined
    return known && { ...known, id: undefined, notModified, payloadDigest: digest }
  }

  /** The head as received, or the headers if there is none. */
  #headOf({ headers, head }: HttpResponse): { headers: HeaderPair[]; head: Buffer | undefined } {
    if (head !== undefined) return { headers: [], head: this.#dropsCookies ? headWithoutCookies(head) : head }
    const pairs = headerPairs(headers)
    const isDropped = ([name]: HeaderPair): boolean =>
      this.#dropsCookies && name.toLowerCase() === 'set-cookie'
    return { headers: pairs.filter((pair) => !isDropped(pair)), head }
  }

  #try<Result>(write: () => Result): Result | undefined {
    if (this.#isBroken) return undefined
    try {
      return write()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.#isBroken = true
      this.#held.clear()
      const code = error instanceof RankwardError ? error.code : 'FILE_UNWRITABLE'
      this.#onBroken({ code, message: error.message })
      return undefined
    }
  }
}

/** HTTP/2 has no reason phrase; the line has the form that WARC readers expect. */
function statusLine({ status, reason }: HttpResponse): string {
  return `HTTP/1.1 ${status} ${reason === '' ? (STATUS_CODES[status] ?? '') : reason}`
}
