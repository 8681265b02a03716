/** The requisites of a crawl as rows, in the order of their outcomes; those that wait come last. */
import { warcName, type WarcNaming } from '../../record/warc-name.ts'
import { batchesOf, type Column, type Value } from '../../read/export/table.ts'
import type { PartTable } from '../shown.ts'
import { recordedRequisites, type RecordedRequisite } from './requisite-record.ts'

interface RequisiteColumn extends Column {
  of(row: RecordedRequisite, naming: WarcNaming): Value
}

const requisiteColumns: readonly RequisiteColumn[] = [
  { name: 'url', type: 'text', isFull: true, of: ({ url }) => url },
  { name: 'page', type: 'int', isFull: true, of: ({ page }) => page },
  { name: 'depth', type: 'int', isFull: true, of: ({ depth }) => depth },
  { name: 'state', type: 'name', isFull: true, of: stateOf },
  { name: 'status', type: 'int', of: ({ outcome }) => outcome?.status || undefined },
  { name: 'error', type: 'text', of: ({ outcome }) => outcome?.error },
  { name: 'fetched_at', type: 'time', of: ({ outcome }) => outcome?.startMs },
  { name: 'content_type', type: 'text', of: ({ outcome }) => outcome?.contentType },
  { name: 'bytes', type: 'long', of: ({ outcome }) => outcome?.bytes },
  { name: 'duration_ms', type: 'int', of: ({ outcome }) => outcome?.durationMs },
  { name: 'location', type: 'text', of: ({ outcome }) => outcome?.location },
  {
    name: 'warc_file',
    type: 'text',
    of: ({ outcome }, naming) => outcome?.warc && warcName(outcome.warc, naming),
  },
  { name: 'warc_offset', type: 'long', of: ({ outcome }) => outcome?.warc?.offset },
  { name: 'warc_length', type: 'long', of: ({ outcome }) => outcome?.warc?.length },
]

function stateOf({ outcome }: RecordedRequisite): string {
  if (outcome === undefined) return 'waiting'
  if (outcome.error === undefined) return outcome.location === undefined ? 'fetched' : 'redirect'
  return outcome.status > 0 ? 'failed' : 'refused'
}

export const requisiteTable: PartTable = {
  row: 'requisite',
  columns: requisiteColumns,
  isWanted: ({ requisites }) => requisites !== undefined,
  batches: ({ record, pageOf }, naming, batchRows) => {
    const columns = requisiteColumns.map((column) => ({
      ...column,
      of: (row: RecordedRequisite): Value =>
        column.name === 'page' ? pageOf(row.page) : column.of(row, naming),
    }))
    return batchesOf(columns, recordedRequisites(record), batchRows)
  },
}
