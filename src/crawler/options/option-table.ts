/**
 * All options of a crawl, from the rows of its parts. The command line, its help, the config file and its template, the library's
 * checks, the settings and the rules of later sessions follow from this table.
 *
 * A row's key is its name in the library. On the command line and in config files it has the same name, unless the row gives another;
 * the flag is that name with dashes: `maxDepth` is `--max-depth`.
 */
import * as partSets from '../parts/options.ts'
import type { CrawlCliOptions } from './crawl-options.ts'
import { headings, type OptionRow, type OptionSet, type Rows } from './option-row.ts'
import { politenessOptions, proxyOptions, requestOptions } from './request-options.ts'
import { againOptions, runningOptions, watchOptions } from './running-options.ts'
import { orderOptions, scopeOptions, stopOptions, urlOptions } from './scope-options.ts'

export const optionSets: readonly OptionSet[] = [
  scopeOptions,
  urlOptions,
  stopOptions,
  orderOptions,
  politenessOptions,
  requestOptions,
  proxyOptions,
  againOptions,
  watchOptions,
  runningOptions,
  ...Object.values<OptionSet>(partSets),
]

/** By name in the library. */
export const libraryRows: ReadonlyMap<string, Rows[string]> = new Map(
  optionSets.flatMap(({ rows }) => Object.entries(rows)),
)

export type OptionName = keyof CrawlCliOptions

/** An option of the command line. */
export interface ListedOption {
  readonly row: OptionRow
  /** Its name in the library; undefined if it has none there. */
  readonly library: string | undefined
  readonly heading: string
}

function listed({ heading, rows, cliRows = {} }: OptionSet): [OptionName, ListedOption][] {
  const ofLibrary = Object.entries(rows).flatMap(([library, row]): [string, ListedOption][] =>
    row.form === 'library' ? [] : [[row.cli ?? library, { row, library, heading }]],
  )
  const ofCli = Object.entries(cliRows).map(([name, row]): [string, ListedOption] => [
    name,
    { row, library: undefined, heading },
  ])
  return [...ofLibrary, ...ofCli] as [OptionName, ListedOption][]
}

const byHeading = optionSets
  .flatMap(listed)
  .toSorted(([, one], [, other]) => indexOf(one.heading) - indexOf(other.heading))

function indexOf(heading: string): number {
  return (headings as readonly string[]).indexOf(heading)
}

/** By name on the command line and in config files, in the order of the help. */
export const options: ReadonlyMap<OptionName, ListedOption> = new Map(byHeading)

/** Names of options on the command line for which this holds. */
export function namesWhere(holds: (row: OptionRow) => boolean): OptionName[] {
  return byHeading.filter(([, { row }]) => holds(row)).map(([name]) => name)
}

/** The options, by their names in the library, that shards cannot have. */
export const localOptions: readonly string[] = [...libraryRows]
  .filter(([, row]) => row.isLocal === true)
  .map(([name]) => name)

export const contradictions = optionSets.flatMap((set) => set.contradictions ?? [])

/** `maxDepth` as `--max-depth`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** An option as a user gives it: `--wait`, `--no-warc`, `--set damping`. */
export function shownOption(name: string): string {
  const row = options.get(name as OptionName)?.row
  if (row?.level === 'config') return `--set ${name}`
  return row?.form === 'off' ? flagOf(name).replace('--', '--no-') : flagOf(name)
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
