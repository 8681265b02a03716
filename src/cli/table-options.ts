/** A table of options as options of a command, and the values that the user gives. */
import type { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import type { OptionTable } from '../lib/option-table.ts'
import { withLevels } from './levels.ts'
import { optionsOf } from './options.ts'

interface TableOptions {
  /** Default: all options of the table. */
  readonly names?: readonly string[] | undefined
  /** Options of the command that are not in the table, and that `--help` shows. */
  readonly common?: readonly string[]
}

/** Adds options under their headings, at three levels. */
export function withTable(
  command: Command,
  table: OptionTable,
  { names, common = [] }: TableOptions = {},
): Command {
  for (const [name, { row, heading }] of table.options) {
    if (names !== undefined && !names.includes(name)) continue
    command.optionsGroup(heading)
    for (const option of optionsOf(name, row)) command.addOption(option)
  }
  return withLevels(command, {
    heading: 'Running:',
    common: [...table.namesWhere(({ level }) => level === 'common'), ...common],
    settable: table.namesWhere(({ level }) => level === 'config'),
  })
}

/** The options given by the user, without commander's own defaults (`--no-x` defaults to true). */
export function typedOptions(command: Command, { options }: OptionTable): object {
  const typed = [...options.keys()]
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => [name, command.getOptionValue(name) as unknown])
  return Object.fromEntries(typed) as object
}

/** Refuses options that contradict each other. */
export function checkContradictions(table: OptionTable, given: object): void {
  for (const { one, other, why } of table.contradictions) {
    if (table.speaks(given, one) && table.speaks(given, other))
      throw new RankwardError('USAGE', `${table.shown(one)} and ${table.shown(other)} ${why}.`)
  }
}

/** Refuses typed options that have no effect. A file may have them for the sake of a command line. */
export function checkDependent(table: OptionTable, typed: object, all = typed): void {
  const valueOf = (given: object, name: string): unknown => (given as Record<string, unknown>)[name]
  for (const [name, { row }] of table.options) {
    if (row.needs === undefined || valueOf(typed, name) === undefined) continue
    const [other, value] = row.needs.split('=')
    const found = valueOf(all, other)
    if (value === undefined ? found !== undefined : found === value) continue
    throw new RankwardError(
      'USAGE',
      `${table.shown(name)} needs ${[table.shown(other), value].filter((word) => word !== undefined).join(' ')}.`,
    )
  }
}
