/** What the record says of pages that were fetched, for the world to compare later pages with. */
import type { LinkPrint } from '../worlds/real/copies.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { PageRecords } from '../worlds/real/real-world-options.ts'
import type { RecordWriter } from '../record/record-writer.ts'

export class FetchedPages implements PageRecords {
  readonly #record: RecordWriter
  readonly #pages: PageTable

  constructor(record: RecordWriter, pages: PageTable) {
    this.#record = record
    this.#pages = pages
  }

  archived(page: number): { id: string; url: string; dateMs: number } | undefined {
    const outcome = this.#record.outcome(page)
    if (outcome?.warc === undefined) return undefined
    return { id: outcome.warc.id, url: this.#pages.url(page), dateMs: outcome.startMs }
  }

  isRedirect(page: number): boolean {
    return this.#record.outcome(page)?.location !== undefined
  }

  isSiteCopy(page: number): boolean {
    return this.#record.outcome(page)?.siteOriginal !== undefined
  }

  linkPrint(page: number): LinkPrint | undefined {
    const prints = this.#record.outcome(page)?.prints
    return prints?.length === 6 ? [prints[4], prints[5]] : undefined
  }
}
