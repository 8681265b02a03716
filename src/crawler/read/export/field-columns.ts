/** Columns that show what the record keeps of a page, made of the rows of page-fields.ts. */
import type { Field, FieldColumn } from '../../page-field.ts'
import { keptRows } from '../../page-fields.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { warcName, type WarcNaming } from '../../record/warc-name.ts'
import type { Column, Value } from './table.ts'

/** What the columns need of a row. */
export interface OutcomeRow {
  readonly outcome: OutcomeRecord | undefined
  readonly isRequested: boolean
  readonly naming: WarcNaming
  readonly urlOf: (page: number) => string
}

interface OutcomeColumn extends Column {
  /** Its meaning, as docs/reference/crawl-output.md has it. */
  readonly about?: string
  of(row: OutcomeRow): Value
}

/** By name, in the order of the tables. */
export function fieldColumns(table: 'pages' | 'versions'): Readonly<Record<string, OutcomeColumn>> {
  const columns: Record<string, OutcomeColumn> = {}
  for (const [name, field] of keptRows) {
    const { column } = field
    if (column === undefined || (table === 'pages' ? column.versions === 'only' : !column.versions)) continue
    columns[column.name] = {
      name: column.name,
      type: column.type,
      ...(table === 'versions' && column.versions === 'all' ? { isFull: true } : {}),
      about: table === 'versions' ? (column.aboutVersion ?? column.about) : column.about,
      of: valueOf(name as keyof OutcomeRecord, field, column),
    }
  }
  return columns
}

function valueOf(name: keyof OutcomeRecord, { page }: Field, column: FieldColumn): OutcomeColumn['of'] {
  const { if: condition, positive, type } = column
  return ({ outcome, isRequested, urlOf }) => {
    if (outcome === undefined) return undefined
    if (condition === 'requested' ? !isRequested : condition && outcome[condition] === undefined)
      return undefined
    const value = outcome[name] as Value
    if (type === 'flag') return value === true
    if (positive === true && value === 0) return undefined
    return page === true && value !== undefined ? urlOf(value as number) : value
  }
}

/** Where a response is archived. */
export const warcColumns: readonly OutcomeColumn[] = [
  {
    name: 'warc_file',
    type: 'text',
    of: ({ outcome, naming }) => outcome?.warc && warcName(outcome.warc, naming),
  },
  { name: 'warc_offset', type: 'long', of: ({ outcome }) => outcome?.warc?.offset },
  { name: 'warc_length', type: 'long', of: ({ outcome }) => outcome?.warc?.length },
]
