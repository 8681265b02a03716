/**
 * Parsers and option groups shared by several commands. A bad value gives a one-line message: the value and
 * what was expected.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ReadGraphOptions } from '../webgraph/formats/index.ts'
import { off, on, path, toggle, type CliOf, type OptionRow, type Rows } from '../lib/option-rows.ts'
import { aboutOf, flagOf } from '../lib/option-table.ts'
import { atLeast, between, ValueError, whole, type ValueKind } from '../lib/value-kinds.ts'
import { safeJson } from './terminal.ts'

/** A kind of value as a commander parser. */
export function parserOf<T>(kind: ValueKind<T>): (text: string) => T {
  return (text) => {
    try {
      return kind.read(text)
    } catch (error) {
      throw error instanceof ValueError ? new InvalidArgumentError(error.message) : error
    }
  }
}

const suggestions = new WeakMap<Option, readonly string[]>()

/** Values for shell completion, for an option that accepts others too or lists them in its description. */
export function suggest(option: Option, known: readonly string[]): Option {
  suggestions.set(option, known)
  return option
}

export function suggestionsOf(option: Option): readonly string[] {
  return option.argChoices ?? suggestions.get(option) ?? []
}

export function wholeNumber({ min, max }: { min?: number; max?: number } = {}): (text: string) => number {
  return parserOf(whole(min, max))
}

/** A number of at least `min` and, if given, at most `max`. */
export function numberFrom(min: number, max?: number): (text: string) => number {
  return parserOf(atLeast(min, max))
}

/** A number strictly between the two bounds. */
export function numberBetween(low: number, high: number): (text: string) => number {
  return parserOf(between(low, high))
}

/** The value of `--seeds`: ids of a stored web. */
export const idsValue: ValueKind<readonly number[]> = {
  read: (text) => {
    const ids = text.split(',')
    if (!ids.every((id) => /^\s*\d+\s*$/.test(id)))
      throw new ValueError('page ids separated by commas, such as 0,17')
    return ids.map(Number)
  },
  json: ['string'],
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

/** Adds options of the command line to a command. */
export function withRows(command: Command, rows: Readonly<Record<string, OptionRow>>): Command {
  for (const [name, row] of Object.entries(rows))
    for (const option of optionsOf(name, row)) command.addOption(option)
  return command
}

const jsonRows = {
  json: on('print one JSON document instead of text', { level: 'common' }),
} satisfies Rows
export type JsonOption = CliOf<typeof jsonRows>

export function withJsonOption(command: Command): Command {
  return withRows(command, jsonRows)
}

export const outputRows = {
  ...jsonRows,
  progress: toggle('show progress on standard error even if that is not a terminal', 'show no progress', {
    level: 'common',
  }),
} satisfies Rows
export type OutputOptions = CliOf<typeof outputRows>

/** For commands that may take long. */
export function withOutputOptions(command: Command): Command {
  return withRows(command, outputRows)
}

export const writingRows = {
  overwrite: on('replace output files that already exist', { level: 'common' }),
} satisfies Rows
export type WritingOptions = CliOf<typeof writingRows>

/** For commands that write files: without it, `checkOutputs` refuses to replace existing ones. */
export function withWritingOptions(command: Command): Command {
  return withRows(command, writingRows)
}

export const cellRows = {
  rawCells: on(
    'write text cells unescaped, including control characters and text that a spreadsheet takes for a formula',
  ),
} satisfies Rows
export type CellOptions = CliOf<typeof cellRows>

export function withCellOptions(command: Command): Command {
  return withRows(command, cellRows)
}

export const readingRows = {
  urls: path('file', "a URL list (line i is the URL of node i) or Common Crawl's vertices; plain or gzip", {
    level: 'common',
  }),
  keepSelf: on('keep links from a page to itself'),
  keepRepeats: on('keep repeated links of a page'),
  cache: off(
    'do not keep the compact form of a large text file in the folder for caches (~/.cache/rankward)',
  ),
} satisfies Rows
export type ReadingOptions = CliOf<typeof readingRows>

export function withReadingOptions(command: Command): Command {
  return withRows(command, readingRows)
}

export function readOptions(options: ReadingOptions): ReadGraphOptions {
  return {
    urls: options.urls,
    keepSelf: options.keepSelf === true,
    keepRepeats: options.keepRepeats === true,
    cache: options.cache !== false,
  }
}

/** One JSON document on standard output. */
export function printJson(document: unknown): void {
  process.stdout.write(`${safeJson(JSON.stringify(document, null, 2))}\n`)
}
