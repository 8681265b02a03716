/** What a row of the tables in page-fields.ts says about a field of a page. */
import type { ColumnType } from './read/export/table.ts'
import type { Typed } from './record/field-code.ts'

export interface Field<From extends string = string, Value = unknown> extends FieldUse {
  /** Who supplies it. */
  readonly from: From
  /** The type of its values, and how the record writes them. */
  readonly code: Typed<Value>
  readonly column?: FieldColumn | undefined
}

export interface FieldUse {
  /** Its bit in the record, if a record may lack it; else its position among the fields that every record has. */
  readonly bit?: number
  readonly head?: number
  /** True if every result has it. */
  readonly always?: true
  /** True if few results have it: it is sent behind the others, and not at all if nothing follows. */
  readonly rare?: true
  /** The feature (`parts/`) that it belongs to. */
  readonly part?: string
  /** Its position in the lines of `tail` and `--events`, if they show it. */
  readonly tail?: number
  /** False if `explain` does not show it, or in a form of its own. */
  readonly explain?: false
  /** True if it is the number of a page: users see its URL. */
  readonly page?: true
}

/** How the export shows a field. */
export interface FieldColumn extends ColumnUse {
  readonly name: string
  readonly type: ColumnType
  /** Its meaning, as docs/reference/crawl-output.md has it. */
  readonly about: string
}

export interface ColumnUse {
  /** Empty for pages that were not requested, or that lack that field. Elsewhere a missing flag is `false`. */
  readonly if?: 'requested' | 'relevance'
  /** True if 0 means that there is no value. */
  readonly positive?: true
  /** In the table of versions: some or all rows have a value. `only`: this column is in no other table. */
  readonly versions?: 'some' | 'all' | 'only'
  /** Its meaning there, if that differs. */
  readonly aboutVersion?: string
}

export function field<From extends string, Value, const Use extends FieldUse>(
  from: From,
  code: Typed<Value>,
  use?: Use,
  column?: FieldColumn,
): Field<From, Value> & Use {
  return { ...(use as Use), from, code, column }
}

export function column(name: string, type: ColumnType, about: string, use?: ColumnUse): FieldColumn {
  return { ...use, name, type, about }
}

/** A type of values that the record does not keep. */
export const of = <Value>(): Typed<Value> => ({})

/** One of the tables. */
export type Fields = Readonly<Record<string, Field>>

/** Whether the record keeps it. */
export const isKept = ({ bit, head }: Field): boolean => (bit ?? head) !== undefined

/** Names of the fields whose rows fulfil a condition, in the order of the table. */
export function namesOf(fields: Fields, condition: (field: Field) => boolean): string[] {
  return Object.keys(fields).filter((name) => condition(fields[name]))
}

type Value<Row> = Row extends { readonly code: Typed<infer Each> } ? Each : never

/** Names of the fields whose rows have this. */
export type NamesWith<Rows extends Fields, Use> = {
  [Name in keyof Rows]: Rows[Name] extends Use ? Name : never
}[keyof Rows]

/** The values of these fields; those of `Required` are always there. */
export type Values<Rows extends Fields, Names, Required> = {
  readonly [Name in keyof Rows as Extract<Name, Names & Required>]: Value<Rows[Name]>
} & {
  readonly [Name in keyof Rows as Exclude<Extract<Name, Names>, Required>]?: Value<Rows[Name]> | undefined
}

/**
 * An object that has all these fields, without values. Its copies (`{ ...blank }`) have one hidden class. An object to which a loop
 * adds as many fields becomes a dictionary, which is several times slower; one that is parsed does not.
 */
export function blankOf(names: readonly string[]): Readonly<Record<string, undefined>> {
  const blank = JSON.parse(`{${names.map((name) => `"${name}":null`).join()}}`) as Record<string, undefined>
  for (const name of names) blank[name] = undefined
  return blank
}

/** Copies the values of these fields. */
export function copyFields(names: readonly string[], from: object, to: object): void {
  const source = from as Readonly<Record<string, unknown>>
  const target = to as Record<string, unknown>
  for (let i = 0; i < names.length; i++) {
    const value = source[names[i]]
    if (value !== undefined) target[names[i]] = value
  }
}
