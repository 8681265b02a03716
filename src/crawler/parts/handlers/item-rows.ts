/** The items of page handlers as rows, in the order of their record. */
import type { CrawlPart } from '../../read/export/export-source.ts'
import { batchesOf, type RowColumn } from '../../read/export/table.ts'
import type { PartTable } from '../shown.ts'
import { decodeHandled } from './handled-record.ts'

interface ItemRow {
  readonly page: number
  readonly url: string
  readonly item: string
}

const columns: readonly RowColumn<ItemRow>[] = [
  { name: 'page', type: 'int', isFull: true, of: ({ page }) => page },
  { name: 'url', type: 'text', isFull: true, of: ({ url }) => url },
  { name: 'item', type: 'json', isFull: true, of: ({ item }) => item },
]

async function* itemRows({ record, pageOf }: CrawlPart): AsyncGenerator<ItemRow> {
  for await (const { page, items } of record.entries('handled', decodeHandled)) {
    if (items.length === 0) continue
    const { url } = record.found(page)
    for (const item of Buffer.from(items).toString().trimEnd().split('\n'))
      yield { page: pageOf(page), url, item }
  }
}

export const itemTable: PartTable = {
  row: 'item',
  columns,
  isWanted: ({ handler }) => handler !== undefined,
  batches: (part, _naming, batchRows) => batchesOf(columns, itemRows(part), batchRows),
}
