/** The contents of a report, separate from its rendering: figures and tables, each with a caption. */
import type { Numbering } from './numbers.ts'
import type { Plot } from './plot.ts'

export interface Report {
  /** A short word; prefix of its file names. */
  readonly name: string
  readonly title: string
  /** The introduction, one string per paragraph. */
  readonly lead: readonly string[]
  /** The subject, as names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly sections: readonly Section[]
  /** Errors or gaps in the sources, and how they were handled. */
  readonly remarks: readonly string[]
  /** Write text cells of the data files unescaped (`lib/text-cell.ts`). */
  readonly rawCells?: boolean | undefined
}

export interface Section {
  readonly title: string
  readonly about?: string
  readonly blocks: readonly (Figure | Table)[]
}

export interface Figure {
  readonly kind: 'figure'
  /** Unique in the report; part of anchors and file names. */
  readonly id: string
  readonly plot: Plot
  /** The caption, from the data. */
  readonly caption: string
}

export interface Column {
  readonly title: string
  /** The number format; a column of words has none. */
  readonly numbering?: Numbering
  /** Neighbouring columns of the same group share a header, such as `published`. */
  readonly group?: string
}

export type Cell = string | number | null

export interface Table {
  readonly kind: 'table'
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly caption: string
}

/** The origin of a report: enough to reproduce it. */
export interface Origin {
  readonly command: string
  readonly seed?: number
  readonly version: string
  /** The displayed time; the caller formats it. */
  readonly date: string
}

export function blocksOf(report: Report): (Figure | Table)[] {
  return report.sections.flatMap(({ blocks }) => blocks)
}
