/**
 * The table of options as options of a command, and the merged result: the command line overrides the config
 * file.
 */
import { type Command, Option } from 'commander'
import { RankwardError } from '../../lib/errors.ts'
import {
  flagOf,
  optionGroups,
  optionRows,
  type CrawlCliOptions,
  type OptionName,
} from '../../crawler/options/option-table.ts'
import type { OptionRow } from '../../crawler/options/option-row.ts'
import { commonOptions } from '../../crawler/options/shown-options.ts'
import { withLevels } from '../levels.ts'
import { parserOf, suggest } from '../options.ts'

/** Adds all options of the table, or those named, under the headings of their groups. */
export function withCrawlOptions(command: Command, names?: readonly OptionName[]): Command {
  for (const [heading, rows] of Object.entries(optionGroups)) {
    command.optionsGroup(heading)
    for (const [name, row] of Object.entries(rows) as [OptionName, OptionRow][]) {
      if (names !== undefined && !names.includes(name)) continue
      for (const option of optionsOf(name, row)) command.addOption(option)
    }
  }
  return withLevels(command, {
    heading: 'Running:',
    common: [...commonOptions, 'cluster', 'name'],
    settable: [],
  })
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
      const option = new Option(`${flag} <${placeholder}>`, row.about).hideHelp(row.aliasOf !== undefined)
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
  const typed = [...optionRows.keys()]
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => [name, command.getOptionValue(name) as unknown])
  return Object.fromEntries(typed) as CrawlCliOptions
}

interface Contradiction {
  readonly one: OptionName
  readonly other: OptionName
  readonly why: string
}

/** Without an effect if nothing is archived. */
const archiveOptions = [
  'warcSize',
  'warcLevel',
  'warcPrefix',
  'dedupAgainst',
  'index',
  'archiveCookies',
  'operator',
  'description',
  'collection',
] as const

const contradictions: readonly Contradiction[] = [
  { one: 'connections', other: 'robots', why: 'are aliases: give one of them' },
  { one: 'connections', other: 'concurrency', why: 'are aliases: give one of them' },
  { one: 'robots', other: 'concurrency', why: 'are aliases: give one of them' },
  {
    one: 'json',
    other: 'events',
    why: 'both write to standard output: give one (the last event has the totals too)',
  },
  ...archiveOptions.map((other) => ({
    one: 'warc' as const,
    other,
    why: 'contradict each other: leave one of them out',
  })),
  ...(['proxy', 'proxies'] as const).flatMap((one) =>
    (['dns', 'connectTo'] as const).map((other) => ({
      one,
      other,
      why: 'contradict each other: behind a proxy, the proxy resolves names',
    })),
  ),
  { one: 'traps', other: 'patience', why: 'contradict each other: patience avoids traps that are detected' },
  { one: 'dryRun', other: 'events', why: 'contradict each other: nothing happens in a dry run' },
]

/** True if the option is given with an effect: `"json": false` and `"warc": true` in a file have none. */
function speaks(options: CrawlCliOptions, name: OptionName): boolean {
  const value = options[name]
  return value !== undefined && value !== (optionRows.get(name)?.form === 'off')
}

const shown = (name: OptionName): string =>
  optionRows.get(name)?.form === 'off' ? flagOf(name).replace('--', '--no-') : flagOf(name)

/** Refuses options that contradict each other. */
export function checkContradictions(options: CrawlCliOptions): void {
  for (const { one, other, why } of contradictions) {
    if (speaks(options, one) && speaks(options, other))
      throw new RankwardError('USAGE', `${shown(one)} and ${shown(other)} ${why}.`)
  }
}

/** Options without an effect unless another one is given. */
const dependent = [
  ['dashboardToken', 'dashboard'],
  ['dashboardName', 'dashboard'],
  ['logLevel', 'log'],
] as const

/** Refuses typed options that have no effect. A file may have them for the sake of a command line. */
export function checkDependent(typed: CrawlCliOptions, all: CrawlCliOptions = typed): void {
  for (const [name, needed] of dependent) {
    if (typed[name] !== undefined && all[needed] === undefined)
      throw new RankwardError('USAGE', `${flagOf(name)} needs ${flagOf(needed)}.`)
  }
}

/**
 * Merges a file and a command line, each free of contradictions. The command line overrides the same option
 * in the file, and an option there that contradicts it.
 */
export function mergedOptions(file: CrawlCliOptions, typed: CrawlCliOptions): CrawlCliOptions {
  const silenced = new Set<OptionName>()
  for (const { one, other } of contradictions) {
    if (speaks(typed, one)) silenced.add(other)
    if (speaks(typed, other)) silenced.add(one)
  }
  const kept = Object.entries(file).filter(([name]) => !silenced.has(name as OptionName))
  return { ...(Object.fromEntries(kept) as CrawlCliOptions), ...typed }
}
