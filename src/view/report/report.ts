/** The contents of a report, separate from its rendering: figures and tables, each with a caption. */
import type { Numbering } from '../../lib/amounts.ts'
import type { Plot } from '../pictures/plot.ts'
import type { ShareParts } from '../pictures/share-bar.tsx'
import type { Cell, Column } from '../pictures/table.tsx'
import type { MapPart } from '../pictures/treemap.tsx'

export type { Cell, Column } from '../pictures/table.tsx'

export interface Report {
  /** A short word; prefix of its file names. */
  readonly name: string
  readonly title: string
  /** The introduction, one string per paragraph. */
  readonly lead: readonly string[]
  /** The result at a glance. With it, the facts are at the end of the page. */
  readonly summary?: Summary | undefined
  /** The subject, as names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly sections: readonly Section[]
  /** Errors or gaps in the sources, and how they were handled. */
  readonly remarks: readonly string[]
  /** Write text cells of the data files unescaped (`lib/text-cell.ts`). */
  readonly rawCells?: boolean | undefined
}

export interface BigNumber {
  readonly name: string
  /** As displayed, with its unit. */
  readonly value: string
  readonly remark?: string | undefined
}

export interface Summary {
  readonly numbers: readonly BigNumber[]
  readonly bar: {
    /** Unique on the page. */
    readonly id: string
    readonly title: string
    readonly bar: ShareParts
    readonly caption: string
  }
}

export interface Section {
  readonly title: string
  readonly about?: string
  readonly blocks: readonly (Figure | Table | Picture)[]
}

export interface Figure {
  readonly kind: 'figure'
  /** Unique in the report; part of anchors and file names. */
  readonly id: string
  readonly plot: Plot
  /** The caption, from the data. */
  readonly caption: string
}

/** A treemap. Its data is in a table of the same section. */
export interface Picture {
  readonly kind: 'picture'
  readonly id: string
  readonly title: string
  readonly parts: readonly MapPart[]
  readonly caption: string
}

export interface Table {
  readonly kind: 'table'
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly caption: string
  /** Wider than the text, where the screen is. */
  readonly isWide?: boolean | undefined
}

/** The origin of a report: enough to reproduce it. */
export interface Origin {
  readonly command: string
  readonly seed?: number
  readonly version: string
  /** The displayed time; the caller formats it. */
  readonly date: string
}

/** One section, as a list. */
export const section = (title: string, blocks: Section['blocks']): Section[] => [{ title, blocks }]

/** Columns by title: the kind of their numbers, or null for words. */
export function columnsOf(numberings: Readonly<Record<string, Numbering | null>>): Column[] {
  return Object.entries(numberings).map(([title, numbering]) =>
    numbering === null ? { title } : { title, numbering },
  )
}

/** The figures and tables, which have data. */
export function blocksOf(report: Report): (Figure | Table)[] {
  return report.sections.flatMap(({ blocks }) => blocks.filter((block) => block.kind !== 'picture'))
}
