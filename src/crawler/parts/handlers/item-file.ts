/**
 * The items of a crawl as JSON lines. They are appended after the group of their page is durable, and the record has them
 * too, so the file is always the beginning of the text that the record defines:
 *
 *   items in the record   ─────────────────────────▶ end
 *   items.jsonl           ──────────────────▶ length      a kill in between: a resume appends the rest
 *
 * So no item is lost or written twice, whenever the process is killed. A file that was moved away is written again.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { RankwardError } from '../../../lib/errors.ts'
import type { HandledRecord } from './handled-record.ts'

/** In place of a path. */
const standardOutput = '-'

/** The items in the record. */
interface RecordedItems {
  /** Bytes of all items. */
  readonly end: number
  /** The number of the last group. */
  readonly last: number
  /** Those of the groups after this number, in order. */
  readonly after: (group: number) => AsyncIterable<HandledRecord>
}

/** How many of the last groups are searched for the end of the file first. */
const groupsFirst = 256

export class ItemFile {
  readonly #path: string
  #file: FileHandle | undefined

  private constructor(path: string) {
    this.#path = path
  }

  /** Completes the file from the record. Throws `FOREIGN_FILES` if it has other content. */
  static async open(path: string, recorded: RecordedItems): Promise<ItemFile> {
    const items = new ItemFile(path)
    if (path === standardOutput || !isRegular(path)) return items
    const length = existsSync(path) ? statSync(path).size : 0
    if (length > recorded.end) throw foreign(path)
    if (length < recorded.end) await items.#complete(length, recorded)
    return items
  }

  async append(handled: Iterable<HandledRecord>): Promise<void> {
    for (const { items } of handled) if (items.length > 0) await this.#write(items)
  }

  async close(): Promise<void> {
    await this.#file?.datasync().catch(() => {})
    await this.#file?.close()
    this.#file = undefined
  }

  async #complete(length: number, recorded: RecordedItems): Promise<void> {
    for (let back = groupsFirst; ; back *= 16) {
      const after = Math.max(0, recorded.last - back)
      let isFirst = true
      let isTooLate = false
      for await (const { end, items } of recorded.after(after)) {
        const start = end - items.length
        // The record with the last byte of the file proves whose file it is.
        isTooLate ||= isFirst && after > 0 && start > Math.max(0, length - 1)
        isFirst = false
        if (isTooLate) break
        if (length > start && length <= end) this.#check(items.subarray(0, length - start), start)
        if (end > length) await this.#write(items.subarray(Math.max(0, length - start)))
      }
      if (!isTooLate && (!isFirst || after === 0)) return
    }
  }

  #check(expected: Uint8Array, offset: number): void {
    const found = Buffer.alloc(expected.length)
    const file = openSync(this.#path, 'r')
    try {
      readSync(file, found, 0, found.length, offset)
    } finally {
      closeSync(file)
    }
    if (!found.equals(expected)) throw foreign(this.#path)
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#path === standardOutput) {
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
      })
      return
    }
    try {
      this.#file ??= await open(this.#path, 'a')
      await this.#file.writeFile(bytes)
    } catch (cause) {
      throw new RankwardError(
        'FILE_UNWRITABLE',
        `The items cannot be written to ${this.#path} (${(cause as Error).message}). They are in the record: a resume writes them.`,
        { cause },
      )
    }
  }
}

/** A pipe or device has no earlier content. */
function isRegular(path: string): boolean {
  return !existsSync(path) || statSync(path).isFile()
}

function foreign(path: string): RankwardError {
  return new RankwardError(
    'FOREIGN_FILES',
    `${path} has content that this crawl did not write: it is damaged, or of another origin. \`rankward verify DIR --repair\` rebuilds a damaged file. Otherwise move it away, or give another file with --items; all items of the crawl are then written again.`,
  )
}
