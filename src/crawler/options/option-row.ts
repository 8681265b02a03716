/** The rows of a crawl's options (`lib/option-rows.ts`), with the rules of later sessions and of shards. */
import type { AnyRow, OptionRow, OptionsOf } from '../../lib/option-rows.ts'
import type { RowSet } from '../../lib/option-table.ts'
import type { CrawlCliOptions, CrawlOptions, CrawlSettings, ResumeOptions } from './crawl-options.ts'

export { inLibrary, list, off, on, path, toggle, typed, value, valueOrNo } from '../../lib/option-rows.ts'
export type { CliOf, OptionRow, OptionsOf, SettingsOf } from '../../lib/option-rows.ts'

/** What a row of a crawl says beside what all rows say. */
export interface CrawlMeta {
  /** Reads the file that the command line gives. `cli`: all options of the command line. */
  readonly read?: (file: string, cli: CrawlCliOptions) => Promise<unknown>
  /** The setting as it is shown, without secrets. */
  readonly shown?: (setting: never) => unknown
  /** Sessions that may change it after the crawl has begun: `resume`, `recrawl` or both. */
  readonly later?: 'both' | 'resume' | 'recrawl'
  /** It may be changed while the crawl runs. */
  readonly live?: LiveOption
  /** Why shards cannot have it. */
  readonly notOnShards?: string
}

/** A file, or several, that each worker of a cluster reads from its own disk (`worker-files.ts`). */
export interface WorkerFile {
  /** Their paths in the settings, or digests in place of them. */
  readonly paths: (settings: CrawlSettings) => readonly string[]
  readonly with: (settings: CrawlSettings, paths: readonly string[]) => CrawlSettings
}

/** Of an option whose setting is the path. */
export function workerFile(name: keyof CrawlSettings): WorkerFile {
  return {
    paths: ({ [name]: path }) => (typeof path === 'string' ? [path] : []),
    with: (settings, [path]) => ({ ...settings, [name]: path }),
  }
}

/** How an option that may be changed while the crawl runs is shown to people. */
export interface LiveOption {
  /** Of its field, with the unit: `Time, minutes`. */
  readonly label: string
  /** The value times this is the value in the field. Default: 1. */
  readonly factor?: number
  /** A value in words: `at most 60 pages`. */
  readonly said: (value: number) => string
  /** A budget, which may be removed: of what there is no limit then. */
  readonly unlimited?: string
  /** The value in the settings, if it is not a setting of its own; undefined if the crawl cannot have it. */
  readonly of?: (settings: never) => number | undefined
}

export type Rows = Readonly<Record<string, AnyRow & CrawlMeta>>

/** Options of the command line and of a config file. */
interface TypedOptions {
  readonly cli: CrawlCliOptions
  /** Of the crawl that is continued. */
  readonly before?: CrawlSettings | undefined
  /** An option as a user gives it: `--items`, `--set onPageTime`. */
  readonly shown: (name: string) => string
}

/** The options of one part of a crawl. */
export interface OptionSet extends RowSet {
  /** Of the help and of the config template. */
  readonly heading: Heading
  readonly rows: Rows
  /** Options of the command line and of config files only. */
  readonly cliRows?: Readonly<Record<string, OptionRow & CrawlMeta>>
  /** Settings that are made of several options. */
  readonly settings?: (options: CrawlOptions) => object
  /** The same for a later session, where they may be changed. */
  readonly resumed?: (before: CrawlSettings, options: ResumeOptions) => object
  /** Refuses options without effect. */
  readonly check?: (options: CrawlOptions) => void
  /** Refuses options of the command line, in its words, before anything else is done. */
  readonly typed?: (typed: TypedOptions) => void | Promise<void>
  /** Fields for the record in place of settings that may contain passwords. */
  readonly recorded?: (settings: CrawlSettings) => object
  /** Refuses settings that contradict each other, of a new crawl or of a resumed one. */
  readonly agree?: (settings: CrawlSettings) => void
  /** Refuses settings that the shards of a cluster cannot have. */
  readonly onShards?: (settings: CrawlSettings) => void
  /** By option. */
  readonly workerFiles?: Readonly<Record<string, WorkerFile>>
}

/** In the order of the help. */
export const headings = [
  'What to crawl:',
  'What to look for:',
  'What to extract:',
  'When to stop (at the first limit reached):',
  'Requisites of pages:',
  'Pages that need JavaScript:',
  'In what order:',
  'How politely:',
  'Requests:',
  'Fetching pages again:',
  'Duplicate URLs and pages:',
  'Output:',
  'Watching it:',
  'Running:',
] as const
type Heading = (typeof headings)[number]

/** The options that a later session may change. */
export type LaterOf<R, Session extends 'resume' | 'recrawl'> = Pick<
  OptionsOf<R>,
  { [Name in keyof R]: R[Name] extends { later: 'both' | Session } ? Name : never }[keyof R]
>
