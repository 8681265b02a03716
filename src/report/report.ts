/** What a report says, apart from how it looks: figures and tables with a sentence under each. */
import type { Numbering } from './numbers.ts'
import type { Plot } from './plot.ts'

export interface Report {
  /** A short word: the name of its files begins with it. */
  readonly name: string
  readonly title: string
  /** What it is about, a paragraph each. */
  readonly lead: readonly string[]
  /** What was looked at, in name and value. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly sections: readonly Section[]
  /** Where the sources slip or are silent, and what was done about it. */
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
  /** Unique in the report: part of addresses and file names. */
  readonly id: string
  readonly plot: Plot
  /** What is seen, from the data. */
  readonly caption: string
}

export interface Column {
  readonly title: string
  /** How its numbers are written; a column of words has none. */
  readonly numbering?: Numbering
  /** Neighbouring columns of the same group stand under one head, such as `published`. */
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

/** How a report came to be: enough to make it again. */
export interface Origin {
  readonly command: string
  readonly seed?: number
  readonly version: string
  /** As it is to be shown: whoever writes the page knows the clock. */
  readonly date: string
}

export function blocksOf(report: Report): (Figure | Table)[] {
  return report.sections.flatMap(({ blocks }) => blocks)
}
