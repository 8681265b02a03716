/**
 * All options of a crawl, from the rows of its parts. The command line, its help, the config file and its template, the library's
 * checks, the settings and the rules of later sessions follow from this table.
 */
import { OptionTable, type ListedOption } from '../../lib/option-table.ts'
import { allParts } from '../parts/all-parts.ts'
import type { CrawlCliOptions } from './crawl-options.ts'
import { headings, type CrawlMeta, type OptionSet, type Rows } from './option-row.ts'
import { politenessOptions, requestOptions } from './request-options.ts'
import { againOptions, runningOptions, watchOptions } from './running-options.ts'
import { orderOptions, scopeOptions, stopOptions, urlOptions } from './scope-options.ts'

export const optionSets: readonly OptionSet[] = [
  scopeOptions,
  urlOptions,
  stopOptions,
  orderOptions,
  politenessOptions,
  requestOptions,
  againOptions,
  watchOptions,
  runningOptions,
  ...allParts.flatMap(({ options }) => options ?? []),
]

/** By name in the library. */
export const libraryRows: ReadonlyMap<string, Rows[string]> = new Map(
  optionSets.flatMap(({ rows }) => Object.entries(rows)),
)

export type OptionName = keyof CrawlCliOptions

export const crawlTable = new OptionTable<CrawlMeta>(optionSets, headings)

/** By name on the command line and in config files, in the order of the help. */
export const options = crawlTable.options as ReadonlyMap<OptionName, ListedOption<CrawlMeta>>

/** The options, by their names in the library, that shards cannot have, and why. */
export const localOptions: ReadonlyMap<string, string> = new Map(
  [...libraryRows].flatMap(([name, { notOnShards }]) =>
    notOnShards === undefined ? [] : [[name, notOnShards]],
  ),
)

/** An option as a user gives it: `--wait`, `--no-warc`, `--set damping`. */
export function shownOption(name: string): string {
  return crawlTable.shown(name)
}
