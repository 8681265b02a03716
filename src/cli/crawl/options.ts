/**
 * The table of options as options of a command, and the merged result: the command line overrides the config
 * file.
 */
import { type Command, Option } from 'commander'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import type { OptionRow } from '../../crawler/options/option-row.ts'
import {
  aboutOf,
  contradictions,
  flagOf,
  namesWhere,
  options,
  shownOption,
  type OptionName,
} from '../../crawler/options/option-table.ts'
import { RankwardError } from '../../lib/errors.ts'
import { withLevels } from '../levels.ts'
import { parserOf, suggest } from '../options.ts'

/** Adds all options of the table, or those named, under their headings. */
export function withCrawlOptions(command: Command, names?: readonly OptionName[]): Command {
  for (const [name, { row, heading }] of options) {
    if (names !== undefined && !names.includes(name)) continue
    command.optionsGroup(heading)
    for (const option of optionsOf(name, row)) command.addOption(option)
  }
  return withLevels(command, {
    heading: 'Running:',
    common: [...namesWhere(({ level }) => level === 'common'), 'cluster', 'name'],
    settable: namesWhere(({ level }) => level === 'config'),
  })
}

/** The options that a later session of a crawl may change. */
export function laterOptions(session: 'resume' | 'recrawl'): OptionName[] {
  return namesWhere(({ later }) => later === 'both' || later === session).filter((name) => name !== 'out')
}

/** A row as options of a command. */
export function optionsOf(name: string, row: OptionRow): Option[] {
  const flag = flagOf(name)
  const no = flag.replace('--', '--no-')
  switch (row.form) {
    case 'on':
      return [new Option(flag, row.about)]
    case 'off':
      return [new Option(no, row.about)]
    case 'toggle':
      return [new Option(flag, row.about), new Option(no, row.aboutNo)]
    default: {
      const { kind, placeholder, form, aboutNo } = row
      const option = new Option(`${flag} <${placeholder}>`, aboutOf(row))
      suggest(option, kind.known ?? [])
      const read = parserOf(kind)
      // Commander passes the previous value; for a single value, the last one counts.
      return [
        option.argParser((text, before: unknown) =>
          form === 'list' ? [...((before as unknown[] | undefined) ?? []), read(text)] : read(text),
        ),
        ...(aboutNo === undefined ? [] : [new Option(no, aboutNo)]),
      ]
    }
  }
}

/** The options given by the user, without commander's own defaults (`--no-x` defaults to true). */
export function typedOptions(command: Command): CrawlCliOptions {
  const typed = [...options.keys()]
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => [name, command.getOptionValue(name) as unknown])
  return Object.fromEntries(typed) as CrawlCliOptions
}

/** True if the option is given with an effect: `"json": false` and `"warc": true` in a file have none. */
function speaks(given: CrawlCliOptions, name: string): boolean {
  const value: unknown = given[name as OptionName]
  return value !== undefined && value !== (options.get(name as OptionName)?.row.form === 'off')
}

/** Refuses options that contradict each other. */
export function checkContradictions(given: CrawlCliOptions): void {
  for (const { one, other, why } of contradictions) {
    if (speaks(given, one) && speaks(given, other))
      throw new RankwardError('USAGE', `${shownOption(one)} and ${shownOption(other)} ${why}.`)
  }
}

/** Refuses typed options that have no effect. A file may have them for the sake of a command line. */
export function checkDependent(typed: CrawlCliOptions, all: CrawlCliOptions = typed): void {
  for (const [name, { row }] of options) {
    if (row.needs !== undefined && typed[name] !== undefined && all[row.needs as OptionName] === undefined)
      throw new RankwardError('USAGE', `${shownOption(name)} needs ${shownOption(row.needs)}.`)
  }
}

/**
 * Merges a file and a command line, each free of contradictions. The command line overrides the same option
 * in the file, and an option there that contradicts it.
 */
export function mergedOptions(file: CrawlCliOptions, typed: CrawlCliOptions): CrawlCliOptions {
  const silenced = new Set<string>()
  for (const { one, other } of contradictions) {
    if (speaks(typed, one)) silenced.add(other)
    if (speaks(typed, other)) silenced.add(one)
  }
  const kept = Object.entries(file).filter(([name]) => !silenced.has(name))
  return { ...(Object.fromEntries(kept) as CrawlCliOptions), ...typed }
}
