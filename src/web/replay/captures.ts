/**
 * The captures of an archive by URL: which versions of it there are, and where each stands. About 30 bytes for each capture and 20 for
 * each URL; the URLs themselves are in the archive. A record that is read is checked against the fingerprint of its URL.
 *
 * A URL is found by its exact form. If the archive does not have that, by its canonical form: other crawlers keep escapes as
 * they were written, and a crawl requests the canonical URL.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { isUrl } from '../../lib/host.ts'
import { canonicalUrl } from '../url/canonical-url.ts'

export class Captures {
  readonly #urls = new FingerprintTable()
  /** By canonical form: the URL with another one that was added first. */
  readonly #canonical = new FingerprintTable()
  readonly #urlOfCanonical = new GrowingUint32()
  /** By capture. */
  readonly #url = new GrowingUint32()
  readonly #dateMs = new GrowingFloat64()
  readonly #file = new GrowingUint32()
  readonly #offset = new GrowingFloat64()
  /** Captures by URL, oldest first; where those of each URL begin. Undefined while captures are added. */
  #sorted: { readonly order: Uint32Array; readonly starts: Uint32Array } | undefined
  readonly #words = new Uint32Array(2)
  count = 0
  firstMs = Infinity
  lastMs = -Infinity

  get urlCount(): number {
    return this.#urls.count
  }

  add(url: string, dateMs: number, file: number, offset: number): void {
    const exact = exactUrl(url)
    if (exact === undefined || Number.isNaN(dateMs)) return
    const capture = this.count++
    for (const column of [this.#url, this.#dateMs, this.#file, this.#offset]) column.ensure(capture)
    const known = this.#numberOf(exact)
    this.#url.array[capture] = known === unseen ? this.#addUrl(exact) : known
    this.#dateMs.array[capture] = dateMs
    this.#file.array[capture] = file
    this.#offset.array[capture] = offset
    this.firstMs = Math.min(this.firstMs, dateMs)
    this.lastMs = Math.max(this.lastMs, dateMs)
    this.#sorted = undefined
  }

  /** The captures of a URL, newest first. Empty if there are none. */
  *of(url: string): Generator<number> {
    const number = this.#find(url)
    if (number === unseen) return
    this.#sorted ??= this.#sort()
    const { order, starts } = this.#sorted
    for (let at = starts[number + 1] - 1; at >= starts[number]; at--) yield order[at]
  }

  dateMs(capture: number): number {
    return this.#dateMs.array[capture]
  }

  place(capture: number): { readonly file: number; readonly offset: number } {
    return { file: this.#file.array[capture], offset: this.#offset.array[capture] }
  }

  /** Whether a record of the URL `recorded` can be what was found for `requested`. */
  isSame(requested: string, recorded: string): boolean {
    const exact = exactUrl(recorded)
    return exact !== undefined && this.#numberOf(exact) === this.#find(requested)
  }

  #find(url: string): number {
    const exact = exactUrl(url)
    if (exact === undefined) return unseen
    const number = this.#numberOf(exact)
    if (number !== unseen) return number
    const canonical = canonicalUrl(exact)
    if (canonical === undefined) return unseen
    const plain = this.#numberOf(canonical)
    if (plain !== unseen) return plain
    const other = this.#canonical.find(this.#words[0], this.#words[1])
    return other === unseen ? unseen : this.#urlOfCanonical.array[other]
  }

  /** Leaves the fingerprint in `#words`. */
  #numberOf(exact: string): number {
    fingerprint(exact, this.#words, 0)
    return this.#urls.find(this.#words[0], this.#words[1])
  }

  #addUrl(exact: string): number {
    const number = this.#urls.add(this.#words[0], this.#words[1])
    const canonical = canonicalUrl(exact)
    if (canonical === undefined || canonical === exact) return number
    fingerprint(canonical, this.#words, 0)
    if (this.#canonical.find(this.#words[0], this.#words[1]) !== unseen) return number
    const place = this.#canonical.add(this.#words[0], this.#words[1])
    this.#urlOfCanonical.ensure(place)
    this.#urlOfCanonical.array[place] = number
    return number
  }

  #sort(): { order: Uint32Array; starts: Uint32Array } {
    const urls = this.#url.array
    const starts = new Uint32Array(this.urlCount + 2)
    for (let capture = 0; capture < this.count; capture++) starts[urls[capture] + 2]++
    for (let url = 2; url < starts.length; url++) starts[url] += starts[url - 1]
    const order = new Uint32Array(this.count)
    for (let capture = 0; capture < this.count; capture++) order[starts[urls[capture] + 1]++] = capture
    for (let url = 0; url < this.urlCount; url++) {
      if (starts[url + 1] - starts[url] > 1)
        order.subarray(starts[url], starts[url + 1]).sort((a, b) => this.#compare(a, b))
    }
    return { order, starts }
  }

  /** Indexes have whole seconds: within one, the later record of a file is newer. */
  #compare(a: number, b: number): number {
    const [dates, files, offsets] = [this.#dateMs.array, this.#file.array, this.#offset.array]
    return dates[a] - dates[b] || files[a] - files[b] || offsets[a] - offsets[b]
  }
}

/** As a client requests it: by the URL standard, without fragment. Undefined for anything but http and https. */
export function exactUrl(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !isUrl(url)) return undefined
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}
