/** The URLs in files of other crawlers and archives, as a list for `crawl --seeds-file`: canonical, each once. */
import type { Writable } from 'node:stream'
import { writeText } from '../../lib/files/whole-file.ts'
import { checkOutputs } from '../../lib/files/output-files.ts'
import { callback, checkOptions, flag, listOf, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import type { Progress } from '../../lib/progress.ts'
import { anyText, whole } from '../../lib/value-kinds.ts'
import { defaultRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { ImportCounts, type ImportedPage } from './imported-page.ts'
import { importedPages } from './imported-pages.ts'

export interface ImportOptions {
  /** The file for the list; undefined writes to `stream`. */
  readonly out?: string | undefined
  /** Replace an existing file. */
  readonly overwrite?: boolean | undefined
  /** Only pages with one of these statuses, where the file has statuses. */
  readonly status?: readonly number[] | undefined
  /** Only pages of a media type that begins with this, where the file has types. */
  readonly type?: string | undefined
  /** Where the list goes without `out`. Default: standard output. */
  readonly stream?: Writable | undefined
  readonly progress?: Progress | undefined
}

export interface ImportResult {
  /** URLs in the list. */
  readonly urls: number
  /** Pages in the files. */
  readonly pages: number
  /** Pages that were in the list already. */
  readonly repeated: number
  /** Pages that `status` and `type` leave out. */
  readonly leftOut: number
  /** Pages without an http or https URL. */
  readonly other: number
  /** Lines or records that could not be read, and where the first one is. */
  readonly bad: number
  readonly firstBad?: string | undefined
}

const checks: OptionChecks<ImportOptions> = {
  out: ofKind(anyText('a path')),
  overwrite: flag,
  status: listOf(ofKind(whole(-10_000, 999))),
  type: ofKind(anyText('a media type')),
  stream: () => {},
  progress: callback,
}

const pieceLength = 1 << 16

/** Reads URL lists, `crawl.log`, CDX, CDXJ, JSON lines, CSV, WARC and WAT files. Takes 12 to 18 bytes of memory per URL. */
export async function importUrls(
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  checkOptions('importUrls', options, checks)
  const { out, stream = process.stdout } = options
  checkOutputs([out], options)
  const list = new ImportedList(paths, options)
  if (out === undefined) {
    for await (const lines of list.pieces()) {
      if (!stream.write(lines)) await new Promise((resolve) => stream.once('drain', resolve))
    }
  } else await writeText(out, list.pieces())
  return list.result()
}

class ImportedList {
  readonly #paths: readonly string[]
  readonly #options: ImportOptions
  readonly #seen = new FingerprintTable()
  readonly #counts = new ImportCounts()
  readonly #words = new Uint32Array(2)
  #leftOut = 0
  #repeated = 0

  constructor(paths: readonly string[], options: ImportOptions) {
    this.#paths = paths
    this.#options = options
  }

  /** Many lines at a time. */
  async *pieces(): AsyncGenerator<string> {
    const counts = this.#counts
    let piece = ''
    for (const path of this.#paths) {
      for await (const page of importedPages(path, { counts, progress: this.#options.progress })) {
        piece += this.#lineOf(page)
        if (piece.length < pieceLength) continue
        yield piece
        piece = ''
      }
    }
    if (piece !== '') yield piece
  }

  /** Empty if the page is not listed. */
  #lineOf(page: ImportedPage): string {
    const { status, type } = this.#options
    const isLeftOut =
      (status !== undefined && page.status !== undefined && !status.includes(page.status)) ||
      (type !== undefined && page.type !== undefined && !page.type.startsWith(type))
    if (isLeftOut) {
      this.#leftOut++
      return ''
    }
    const url = canonicalUrl(page.url, undefined, defaultRules)
    if (url === undefined) {
      this.#counts.addBad(`the URL ${JSON.stringify(page.url.slice(0, 80))}`)
      return ''
    }
    fingerprint(url, this.#words, 0)
    const [low, high] = this.#words
    if (this.#seen.find(low, high) !== unseen) {
      this.#repeated++
      return ''
    }
    this.#seen.add(low, high)
    return `${url}\n`
  }

  result(): ImportResult {
    const { pages, other, bad, firstBad } = this.#counts
    const counts = { pages, repeated: this.#repeated, leftOut: this.#leftOut, other, bad }
    return { urls: this.#seen.count, ...counts, ...(firstBad === undefined ? {} : { firstBad }) }
  }
}
