/** Compares the file of items with the items in the record, while that is read, and rebuilds it from there. */
import { plural } from '../../../lib/amounts.ts'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { writeWhole } from '../../../lib/files/whole-file.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { decodeHandled, type HandledRecord } from './handled-record.ts'
import type { PartFindings } from '../../read/verify/findings.ts'
import type { CheckedCrawl } from '../shown.ts'

export class ItemCheck {
  readonly #path: string
  readonly #name: string
  readonly #file: number | undefined
  readonly #bytes: number
  #items = 0
  /** Bytes of the items in the record. */
  #end = 0
  /** Pages whose items are in the file, of those that should be, and where the first difference is. */
  #same = 0
  #different = 0
  #differentAt: number | undefined
  /** Whether a part of a page's items is there, at the end of the file. */
  #isPart = false

  private constructor(path: string, folder: string) {
    this.#path = path
    const name = relative(folder, path)
    this.#name = name.startsWith('..') ? path : name
    this.#file = existsSync(path) ? openSync(path, 'r') : undefined
    this.#bytes = this.#file === undefined ? 0 : statSync(path).size
  }

  /** Undefined if the crawl has no file of items. */
  static of({ path, file }: CrawlFolder): ItemCheck | undefined {
    const { handler } = file.options
    if (handler === undefined || handler.items === '-') return undefined
    const at = handler.items ?? join(path, 'items.jsonl')
    // A pipe or device has nothing to compare.
    return !existsSync(at) || statSync(at).isFile() ? new ItemCheck(at, path) : undefined
  }

  handled({ items, itemCount, end }: HandledRecord): void {
    this.#items += itemCount
    this.#end = end
    if (items.length === 0) return
    const start = end - items.length
    if (start >= this.#bytes) return
    const expected = items.subarray(0, this.#bytes - start)
    if (!this.#at(start, expected.length).equals(expected)) {
      this.#different++
      this.#differentAt ??= start
    } else if (expected.length === items.length) this.#same++
    else this.#isPart = true
  }

  finish(findings: PartFindings, crawl: CheckedCrawl): void {
    if (this.#file !== undefined) closeSync(this.#file)
    if (this.#file === undefined && this.#end === 0) return
    findings.files = this.#file === undefined ? 0 : 1
    findings.bytes = this.#bytes
    findings.checked = plural(this.#items, 'item')
    const what = this.#problem(crawl)
    if (what === undefined) {
      if (this.#bytes < this.#end)
        findings.notes.push(
          `${this.#name} has ${this.#bytes} of ${this.#end} bytes; the next resume completes it.`,
        )
      return
    }
    // A file is ours if it has anything of what the record has, at its place.
    const isOwn = this.#bytes === 0 || this.#same > 0 || this.#isPart
    if (!isOwn) {
      findings.damaged(
        this.#name,
        `${what} It may be a file of another origin: move it away to have it rebuilt.`,
      )
      return
    }
    findings.damaged(this.#name, what, () => this.#rebuild(crawl.record))
  }

  #problem({ hasEnded, isRunning }: CheckedCrawl): string | undefined {
    if (this.#different > 0)
      return `The items of ${plural(this.#different, 'page')} are not those of the record; the first begin at byte ${this.#differentAt}.`
    if (this.#bytes > this.#end && !isRunning)
      return `${plural(this.#bytes - this.#end, 'byte')} that the crawl did not write follow its last item.`
    if (this.#bytes >= this.#end || !hasEnded) return undefined
    return this.#file === undefined
      ? `It is missing, with ${plural(this.#items, 'item')}.`
      : `It ends at byte ${this.#bytes}; the items in the record have ${this.#end} bytes.`
  }

  #at(start: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length;) {
      const read = readSync(this.#file!, bytes, done, length - done, start + done)
      if (read === 0) break
      done += read
    }
    return bytes
  }

  #rebuild(record: CrawlRecord): Promise<void> {
    return writeWhole(this.#path, (partial) => writeFile(partial, itemsOf(record)))
  }
}

async function* itemsOf(record: CrawlRecord): AsyncGenerator<Uint8Array> {
  for await (const { items } of record.entries('handled', decodeHandled)) yield items
}
