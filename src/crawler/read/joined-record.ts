/** The records of all shards of a crawl on a cluster as one, with the page numbers of the whole crawl. */
import { keptRows } from '../page-fields.ts'
import type { FoundRecord } from '../record/found-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { ExportSource } from './export/export-source.ts'
import type { PagesRecord } from './whole-crawl.ts'

const pageFields = keptRows.filter(([, { page }]) => page === true).map(([name]) => name)

export class JoinedRecord implements PagesRecord {
  readonly #parts: ExportSource['parts']
  /** By page: its part, and its number there. */
  readonly #part: Uint16Array
  readonly #page: Uint32Array
  readonly known: number

  constructor({ parts, crawl }: ExportSource) {
    this.#parts = parts
    this.known = crawl.count
    this.#part = new Uint16Array(crawl.count)
    this.#page = new Uint32Array(crawl.count)
    for (const [part, { record, pageOf }] of parts.entries()) {
      for (let recorded = 0; recorded < record.known; recorded++) {
        const page = pageOf(recorded)
        if (page < 0) continue
        this.#part[page] = part
        this.#page[page] = recorded
      }
    }
  }

  get groups(): number {
    return this.#parts.reduce((sum, { record }) => sum + record.groups, 0)
  }

  found(page: number): FoundRecord {
    const { record, pageOf } = this.#parts[this.#part[page]]
    const found = record.found(this.#page[page])
    const parent = found.parent === undefined ? undefined : pageOf(found.parent)
    return { ...found, parent: parent === undefined || parent < 0 ? undefined : parent }
  }

  outcome(page: number): OutcomeRecord | undefined {
    for (const outcome of this.versions(page)) return outcome
    return undefined
  }

  *versions(page: number): Generator<OutcomeRecord> {
    const { record, pageOf } = this.#parts[this.#part[page]]
    for (const outcome of record.versions(this.#page[page])) {
      const joined: Record<string, unknown> = { ...outcome }
      for (const name of pageFields)
        if (joined[name] !== undefined) joined[name] = pageOf(joined[name] as number)
      yield joined as unknown as OutcomeRecord
    }
  }

  *pages(): Generator<readonly [FoundRecord, OutcomeRecord | undefined]> {
    for (let page = 0; page < this.known; page++) yield [this.found(page), this.outcome(page)]
  }

  *outcomes(): Generator<readonly [page: number, OutcomeRecord]> {
    for (let page = 0; page < this.known; page++) {
      const outcome = this.outcome(page)
      if (outcome !== undefined) yield [page, outcome]
    }
  }
}
