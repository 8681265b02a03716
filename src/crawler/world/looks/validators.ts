/**
 * Conditional requests, and which sites may get them. A look sends the validator of the previous look:
 * `If-None-Match` if there is an ETag, otherwise `If-Modified-Since`. Every eighth look at a page is
 * unconditional. Full responses are audits: they show whether the validator was right. A site with two
 * lies in its last 32 audits gets no conditional requests any more.
 *
 * The validators themselves are not kept in memory. The record of a page's last look holds them, and has to
 * be read for its fingerprints anyway. A look that ends in 304 records the validators of the response, or
 * else those that it sent, so the last record is enough. In memory: one byte per page and six per site.
 */
import { GrowingUint32, GrowingUint8 } from '../../../lib/growing-array.ts'
import type { StateCodec } from '../../../lib/state.ts'
import { writtenSeconds } from '../../../web/html/written-date.ts'

/** The validators of a response. */
export interface Validator {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** A look at a page that was held before and that got a response. Times are seconds of the epoch. */
export interface HeldLook {
  readonly page: number
  readonly site: number
  /** 304, or the status of a full response. */
  readonly status: number
  /** Was the request conditional? */
  readonly isConditional: boolean
  /** Has the content changed since the previous look? */
  readonly isChanged: boolean
  /** Has any byte of the body changed? */
  readonly isOtherBody: boolean
  /** Of the previous look, and of this one. */
  readonly before: Validator
  readonly now: Validator
  readonly lastLookAt: number
  readonly at: number
  /** The `Date` of the response. */
  readonly date?: string | undefined
}

/** What a look showed about validators. */
interface LookEvidence {
  readonly isLie: boolean
  /** Seconds from the change to the look, if the site's Last-Modified can be trusted. */
  readonly changedAgo: number | undefined
}

/** Every look with a number divisible by this one is unconditional. */
export const auditEvery = 8
const looksMask = auditEvery - 1
/** In a page's byte: a 304 has confirmed the current validator. */
const isConfirmed = 8

const liesMax = 2
const breaksMax = 2
/** A Last-Modified this close to Date is the time of the response, not of a change. */
const nowSeconds = 5

const nothing: LookEvidence = { isLie: false, changedAgo: undefined }

export class Validators {
  /** By page: looks so far, modulo eight, and `isConfirmed`. */
  readonly #pages = new GrowingUint8()
  /** By site: a bit for each of the last 32 audits, 1 for a lie. */
  readonly #audits = new GrowingUint32(64)
  /** By site: 1 after too many lies. */
  readonly #liars = new GrowingUint8()
  /** By site: implausible values of Last-Modified. */
  readonly #breaks = new GrowingUint8()

  /** What the next look at a page sends: at most one of the two. */
  conditions(page: number, site: number, { etag, lastModified }: Validator): Validator {
    this.#pages.ensure(page)
    const isAudit = (this.#pages.array[page] & looksMask) === looksMask
    if (isAudit || this.isLiar(site)) return {}
    if (etag !== undefined) return { etag }
    return lastModified === undefined ? {} : { lastModified }
  }

  /** The first look at a page, or the first after it was gone. */
  first(page: number): void {
    this.#pages.ensure(page)
    this.#pages.array[page] = 1
  }

  /** A later look that got a response: 304 or a full one. */
  looked(look: HeldLook): LookEvidence {
    const { page, site, status } = look
    this.#pages.ensure(page)
    const byte = this.#pages.array[page]
    const looks = (byte + 1) & looksMask
    if (status === 304) {
      const isSame = look.now.etag === undefined || look.now.etag === look.before.etag
      this.#pages.array[page] = looks | (isSame ? isConfirmed : 0)
      return nothing
    }
    this.#pages.array[page] = looks
    const isLie = this.#audit(look, (byte & isConfirmed) !== 0)
    return { isLie, changedAgo: this.#changedAgo(look, site) }
  }

  /** Does this site get no conditional requests any more? */
  isLiar(site: number): boolean {
    return site < this.#liars.length && this.#liars.array[site] !== 0
  }

  /** Is the site's Last-Modified no evidence any more? */
  isUndated(site: number): boolean {
    return site < this.#breaks.length && this.#breaks.array[site] >= breaksMax
  }

  #audit(look: HeldLook, wasConfirmed: boolean): boolean {
    const { site, before, now, isConditional } = look
    if (before.etag === undefined && before.lastModified === undefined) return false
    const isSameStrong = before.etag !== undefined && before.etag === now.etag && isStrong(before.etag)
    const isLie =
      (isSameStrong && look.isOtherBody) || (wasConfirmed && look.isChanged && isSameValidator(before, now))
    if (isConditional && !isSameStrong && !isLie) return false
    this.#audits.ensure(site)
    this.#liars.ensure(site)
    const audits = ((this.#audits.array[site] << 1) | (isLie ? 1 : 0)) >>> 0
    this.#audits.array[site] = audits
    if (ones(audits) >= liesMax) this.#liars.array[site] = 1
    return isLie
  }

  #changedAgo(look: HeldLook, site: number): number | undefined {
    const { at, lastLookAt, isChanged, now, date } = look
    if (now.lastModified === undefined || this.isUndated(site)) return undefined
    const modified = writtenSeconds(now.lastModified)
    if (modified === undefined) return undefined
    const responded = date === undefined ? at : (writtenSeconds(date) ?? at)
    const isAfterLook = modified > lastLookAt
    const isPlausible =
      modified < at && Math.abs(responded - modified) > nowSeconds && isAfterLook === isChanged
    if (isPlausible) return isChanged ? at - modified : undefined
    this.#breaks.ensure(site)
    this.#breaks.array[site]++
    return undefined
  }

  transfer(state: StateCodec): void {
    state.section('validators', 1)
    state.growing(this.#pages)
    state.growing(this.#audits)
    state.growing(this.#liars)
    state.growing(this.#breaks)
  }

  get byteLength(): number {
    return [this.#pages, this.#audits, this.#liars, this.#breaks].reduce(
      (sum, { array }) => sum + array.byteLength,
      0,
    )
  }
}

function isSameValidator(before: Validator, now: Validator): boolean {
  if (before.etag !== undefined || now.etag !== undefined) return before.etag === now.etag
  return before.lastModified !== undefined && before.lastModified === now.lastModified
}

function isStrong(etag: string): boolean {
  return !etag.startsWith('W/')
}

function ones(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count++
  return count
}
