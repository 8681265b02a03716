/**
 * The options of a command, from sets of rows. A row's key is its name in the library. On the command line and in config files it has
 * the same name, unless the row gives another; the flag is that name with dashes: `maxDepth` is `--max-depth`.
 */
import { anObject, checkOptions, either, flag, listOf, ofKind, type OptionCheck } from './option-checks.ts'
import type { AnyRow, Contradiction, OptionRow, Rows } from './option-rows.ts'
import { ValueError } from './value-kinds.ts'

/** Options that belong together. */
export interface RowSet {
  /** Of the help. */
  readonly heading: string
  readonly rows: Rows
  /** The library has these options in an object of this name. */
  readonly within?: string
  /** Options of the command line and of config files only. */
  readonly cliRows?: Readonly<Record<string, OptionRow>>
  readonly contradictions?: readonly Contradiction[]
}

/** An option of the command line. */
export interface ListedOption<Row = object> {
  readonly row: OptionRow & Row
  /** Its name in the library; undefined if it has none there. */
  readonly library: string | undefined
  readonly within: string | undefined
  readonly heading: string
}

/** Options of the command line and their values. */
type Given = Readonly<Record<string, unknown>>

/** `Row`: what this command says about an option beside what all rows say. */
export class OptionTable<Row = object> {
  /** By name on the command line and in config files, in the order of the help. */
  readonly options: ReadonlyMap<string, ListedOption<Row>>
  readonly contradictions: readonly Contradiction[]

  /** `headings`: in the order of the help. */
  constructor(sets: readonly RowSet[], headings: readonly string[]) {
    const listed = sets.flatMap((set) => listedOptions<Row>(set))
    this.options = new Map(
      listed.toSorted(
        ([, one], [, other]) => headings.indexOf(one.heading) - headings.indexOf(other.heading),
      ),
    )
    this.contradictions = sets.flatMap((set) => set.contradictions ?? [])
  }

  /** Names on the command line of the options for which this holds. */
  namesWhere(holds: (row: OptionRow & Row) => boolean): string[] {
    return [...this.options].filter(([, { row }]) => holds(row)).map(([name]) => name)
  }

  /** An option as a user gives it: `--wait`, `--no-warc`, `--set damping`. */
  shown(name: string): string {
    const row = this.options.get(name)?.row
    if (row?.level === 'config') return `--set ${name}`
    return row?.form === 'off' ? flagOf(name).replace('--', '--no-') : flagOf(name)
  }

  /** True if the option is given with an effect: `"json": false` and `"warc": true` in a file have none. */
  speaks(given: object, name: string): boolean {
    const value = (given as Given)[name]
    return value !== undefined && value !== (this.options.get(name)?.row.form === 'off')
  }

  /** The options of the library that these give, without those whose value is in a file. */
  libraryValues(given: object): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const [name, { row, library, within }] of this.options) {
      const value = (given as Given)[name]
      if (library === undefined || row.isFile === true || value === undefined) continue
      const object = within === undefined ? values : ((values[within] ??= {}) as Record<string, unknown>)
      object[library] = row.isNegated === true ? value !== true : value
    }
    return values
  }
}

function listedOptions<Row>({ heading, rows, within, cliRows = {} }: RowSet): [string, ListedOption<Row>][] {
  const ofLibrary = Object.entries(rows).flatMap(([library, row]): [string, ListedOption][] =>
    row.form === 'library' ? [] : [[row.cli ?? library, { row, library, within, heading }]],
  )
  const ofCli = Object.entries(cliRows).map(([name, row]): [string, ListedOption] => [
    name,
    { row, library: undefined, within: undefined, heading },
  ])
  return [...ofLibrary, ...ofCli] as [string, ListedOption<Row>][]
}

/** `maxDepth` as `--max-depth`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The value that an option has by default, as a user writes it; undefined if it is none or depends on others. */
export function usualValue({ usual, default: setting }: OptionRow): string | number | undefined {
  if (usual !== undefined) return usual
  return typeof setting === 'number' || typeof setting === 'string' ? setting : undefined
}

/** What an option does, with its default. */
export function aboutOf(row: OptionRow): string {
  const usual = 'kind' in row ? usualValue(row) : undefined
  if (usual === undefined || row.about.includes('default')) return row.about
  return `${row.about} (default: ${usual})`
}

const isFalse: OptionCheck = (value) => {
  if (value !== false) throw new ValueError('false')
}

/** The library's check of an option. */
function checkOf(row: AnyRow): OptionCheck {
  if (row.check !== undefined) return row.check
  if (!('kind' in row)) return flag
  const check = ofKind(row.kind)
  if (row.form === 'list') return listOf(check)
  return row.aboutNo === undefined ? check : either(isFalse, check)
}

/** The library's checks of these options, by their names there. */
export function checksOf(rows: Rows): Record<string, OptionCheck> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, checkOf(row)]))
}

/** The check of an object of options. `of` is its name: `simulate: time`. */
export function objectCheck(of: string, rows: Rows): OptionCheck {
  const checks = checksOf(rows)
  return (value) => {
    anObject(value)
    checkOptions(of, value as Given, checks)
  }
}
