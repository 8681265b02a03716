/**
 * The config file of `crawl`: a JSON object with the names of the options, and `seeds`; comments and trailing
 * commas are allowed. It is validated strictly against the table of options: an unknown key is an error.
 */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { unreadable } from '../../lib/files/byte-source.ts'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import { options as allOptions, type OptionName } from '../../crawler/options/option-table.ts'
import { JsonError, parseCommentedJson, type CommentedJson } from '../../lib/commented-json.ts'
import { RankwardError } from '../../lib/errors.ts'
import { nearest } from '../../lib/nearest.ts'
import { describeValue } from '../../lib/option-checks.ts'
import { ValueError, type ValueKind } from '../../lib/value-kinds.ts'
import { isModulePath } from '../../engine/user-code/strategy-module.ts'
import { safe } from '../terminal.ts'

interface CrawlConfig {
  readonly seeds: readonly string[]
  readonly options: CrawlCliOptions
}

/** All keys that a file may have. A file cannot refer to another one. */
export const configKeys: readonly string[] = [
  'seeds',
  ...[...allOptions.keys()].filter((name) => name !== 'config'),
]

export async function readConfig(path: string): Promise<CrawlConfig> {
  const config = configOf(await textOf(path), path)
  return { ...config, options: withPathsFrom(dirname(path), config.options) }
}

/** All mistakes in a config file, one line each; empty if there are none. */
export async function configMistakes(path: string): Promise<string[]> {
  return parsed(await textOf(path), path).mistakes
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
}

/** Parses the text of a config file; `path` is for messages. Throws the first mistake. */
export function configOf(text: string, path: string): CrawlConfig {
  const {
    config,
    mistakes: [first, ...more],
  } = parsed(text, path)
  if (first === undefined) return config
  const others = more.length === 0 ? '' : ` ${more.length} more: see \`rankward check ${path}\`.`
  throw new RankwardError('BAD_CONFIG', first + others)
}

function parsed(text: string, path: string): { config: CrawlConfig; mistakes: string[] } {
  const mistakes: string[] = []
  const options: Record<string, unknown> = {}
  let seeds: readonly string[] = []
  const bad = (line: number | undefined, message: string): void => {
    mistakes.push(`${path}:${line === undefined ? '' : `${line}:`} ${message}`)
  }
  let json: CommentedJson
  try {
    json = parseCommentedJson(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    bad(error.line, `not valid JSON: ${safe(error.message)}.`)
    return { config: { seeds, options }, mistakes }
  }
  if (kindOf(json.value) !== 'an object') {
    bad(undefined, `expected a JSON object of options, not ${kindOf(json.value)}.`)
    return { config: { seeds, options }, mistakes }
  }
  for (const [key, value] of Object.entries(json.value as object)) {
    const line = json.lines.get(key)
    if (!configKeys.includes(key)) {
      bad(line, unknownKey(key))
      continue
    }
    try {
      if (key === 'seeds') seeds = seedList(value)
      else options[key] = optionOf(key as OptionName, value)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      bad(line, `"${key}" is ${safe(describeValue(value))}. ${error.message}`)
    }
  }
  return { config: { seeds, options }, mistakes }
}

function unknownKey(key: string): string {
  const meant = nearest(key.replace(/^-+/, ''), configKeys)
  const advice =
    meant === undefined
      ? 'The keys are the names of the options: see `rankward crawl --help-all`.'
      : `Did you mean "${meant}"?`
  return `there is no option "${safe(key)}". ${advice}`
}

function seedList(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((seed) => typeof seed === 'string')) return value
  throw new ValueError('an array of URLs')
}

function optionOf(name: OptionName, value: unknown): unknown {
  const { row } = allOptions.get(name)!
  if (!('kind' in row)) {
    if (typeof value === 'boolean') return value
    throw new ValueError('true or false')
  }
  const { kind, form, aboutNo } = row
  if (aboutNo !== undefined && value === false) return false
  if (form === 'value') return single(kind, value)
  // A list with one value may be written without brackets.
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => single(kind, one))
}

/** A value of the wrong type is refused with the message of its kind. */
function single(kind: ValueKind<unknown>, value: unknown): unknown {
  return kind.read(kind.json.includes(typeof value as 'number' | 'string') ? String(value) : '')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Paths in a file are relative to the file. */
function withPathsFrom(folder: string, options: CrawlCliOptions): CrawlCliOptions {
  const isPath = (name: string, value: unknown): boolean => {
    const row = allOptions.get(name as OptionName)?.row
    return (
      (row !== undefined && 'isPath' in row && row.isPath && !(name === 'cookies' && value === 'on')) ||
      (name === 'strategy' && isModulePath(String(value)))
    )
  }
  const inFolder = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(inFolder) : fromFolder(folder, value as string)
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, isPath(name, value) ? inFolder(value) : value]),
  )
}

/** Paths stay short: `crawls/a` in `./my.json` stays `crawls/a`, and `-` is standard output. */
function fromFolder(folder: string, path: string): string {
  return folder === '.' || path === '-' ? path : resolve(folder, path)
}
