/** The options of a crawl as options of a command, and the merged result: the command line overrides the config file. */
import type { Command } from 'commander'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import { crawlTable, type OptionName } from '../../crawler/options/option-table.ts'
import * as tables from '../table-options.ts'

/** Adds all options of the table, or those named, under their headings. */
export function withCrawlOptions(command: Command, names?: readonly OptionName[]): Command {
  return tables.withTable(command, crawlTable, { names, common: ['cluster', 'name'] })
}

/** The options that a later session of a crawl may change. */
export function laterOptions(session: 'resume' | 'recrawl'): OptionName[] {
  const names = crawlTable.namesWhere(({ later }) => later === 'both' || later === session) as OptionName[]
  return names.filter((name) => name !== 'out')
}

/** The options given by the user. */
export function typedOptions(command: Command): CrawlCliOptions {
  return tables.typedOptions(command, crawlTable)
}

/** Refuses options that contradict each other. */
export function checkContradictions(given: CrawlCliOptions): void {
  tables.checkContradictions(crawlTable, given)
}

/** Refuses typed options that have no effect. A file may have them for the sake of a command line. */
export function checkDependent(typed: CrawlCliOptions, all?: CrawlCliOptions): void {
  tables.checkDependent(crawlTable, typed, all)
}

/**
 * Merges a file and a command line, each free of contradictions. The command line overrides the same option
 * in the file, and an option there that contradicts it.
 */
export function mergedOptions(file: CrawlCliOptions, typed: CrawlCliOptions): CrawlCliOptions {
  const silenced = new Set<string>()
  for (const { one, other } of crawlTable.contradictions) {
    if (crawlTable.speaks(typed, one)) silenced.add(other)
    if (crawlTable.speaks(typed, other)) silenced.add(one)
  }
  const kept = Object.entries(file).filter(([name]) => !silenced.has(name))
  return { ...(Object.fromEntries(kept) as CrawlCliOptions), ...typed }
}
