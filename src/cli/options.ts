/**
 * Parsers and option groups shared by several commands. A bad value gives a one-line message: the value and
 * what was expected.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ReadGraphOptions } from '../webgraph/formats/index.ts'
import { RankwardError } from '../lib/errors.ts'
import { between, ValueError, whole, type ValueKind } from '../lib/value-kinds.ts'
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
export function numberFrom(min: number, max = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value >= min && value <= max) return value
    throw new InvalidArgumentError(
      `Expected a number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}.`,
    )
  }
}

/** A number strictly between the two bounds. */
export function numberBetween(low: number, high: number): (text: string) => number {
  return parserOf(between(low, high))
}

/** The value of `--seeds`. */
export function idList(text: string): number[] {
  return text.split(',').map((id) => {
    if (!/^\s*\d+\s*$/.test(id))
      throw new RankwardError('USAGE', `--seeds takes page ids separated by commas, not "${id}".`)
    return Number(id)
  })
}

export interface JsonOption {
  readonly json?: boolean
}

export function withJsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document instead of text')
}

export interface OutputOptions extends JsonOption {
  readonly progress?: boolean
}

/** For commands that may take long. */
export function withOutputOptions(command: Command): Command {
  return withJsonOption(command)
    .addOption(new Option('--progress', 'show progress on standard error even if that is not a terminal'))
    .addOption(new Option('--no-progress', 'show no progress'))
}

export interface WritingOptions {
  readonly overwrite?: boolean
}

/** For commands that write files: without it, `checkOutputs` refuses to replace existing ones. */
export function withWritingOptions(command: Command): Command {
  return command.option('--overwrite', 'replace output files that already exist')
}

export interface CellOptions {
  readonly rawCells?: boolean
}

export function withCellOptions(command: Command): Command {
  return command.option(
    '--raw-cells',
    'write text cells unescaped, including control characters and text that a spreadsheet takes for a formula',
  )
}

export interface ReadingOptions {
  readonly urls?: string
  readonly keepSelf?: boolean
  readonly keepRepeats?: boolean
  readonly cache?: boolean
}

export function withReadingOptions(command: Command): Command {
  return command
    .option(
      '--urls <file>',
      "a URL list (line i is the URL of node i) or Common Crawl's vertices; plain or gzip",
    )
    .option('--keep-self', 'keep links from a page to itself')
    .option('--keep-repeats', 'keep repeated links of a page')
    .option(
      '--no-cache',
      'do not keep the compact form of a large text file in the folder for caches (~/.cache/rankward)',
    )
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
