/**
 * A row says everything about one option of a crawl. Its key is the name in the library, and the comment above it is what an editor
 * shows there. Flag, help, config file, template, checks, settings and the rules of later sessions follow from the row.
 */
import type { OptionCheck } from '../../lib/option-checks.ts'
import { anyText, type ValueKind } from '../../lib/value-kinds.ts'
import type { CrawlOptions, CrawlSettings, ResumeOptions } from './crawl-options.ts'

/** common: in `--help`; all: in `--help-all`; config: no flag, but `--set name=value`. */
type Level = 'common' | 'all' | 'config'

interface Meta {
  /** Default: all. */
  readonly level?: Level
  /** The name on the command line and in config files, if different: values have units there, so names do not. */
  readonly cli?: string
  /** The library has the opposite: `followNofollow` is `obeyNofollow: false`. */
  readonly isNegated?: true
  /** The command line gives a file, whose content the library takes. */
  readonly isFile?: true
  /** Sessions that may change it after the crawl has begun: `resume`, `recrawl` or both. */
  readonly later?: 'both' | 'resume' | 'recrawl'
  /** Shards cannot have it yet, or it needs the whole web in one engine. */
  readonly isLocal?: true
  /** The library's check and type, if the library takes other values than the command line. */
  readonly check?: TypedCheck<unknown>
  /** The setting if the option is not given; a function if it depends on other options. */
  readonly default?: unknown
  /** The setting for a value. */
  readonly becomes?: (given: never) => unknown
  /** Not a setting of its own: others are made of it, or it is about one session. */
  readonly isSetting?: false
  /** The default in words, where it is not a setting or has a unit. */
  readonly usual?: string | number
  /** For the config template, where there is no default. */
  readonly example?: unknown
  /** About one run of the command: the config template leaves it out. */
  readonly isOfRun?: true
  /** The option without which it has no effect, by its name on the command line. */
  readonly needs?: string
}

/** A check of values of this type. */
export type TypedCheck<T> = OptionCheck & { readonly type?: T }

interface ValueRow<T> extends Meta {
  readonly form: 'value' | 'list'
  readonly about: string
  /** The name of the value in the help. */
  readonly placeholder: string
  readonly kind: ValueKind<T>
  /** A path; in a config file it is relative to that file. */
  readonly isPath?: boolean
  /** Help text of `--no-name`, if the option has it. */
  readonly aboutNo?: string
}

/** on: `--name` makes it true. off: `--no-name` makes it false. toggle: both. */
interface FlagRow extends Meta {
  readonly form: 'on' | 'off' | 'toggle'
  readonly about: string
  /** Help text of a toggle's `--no-name`. */
  readonly aboutNo?: string
}

/** An option of the library alone. */
export interface LibraryRow extends Meta {
  readonly form: 'library'
  readonly check: TypedCheck<unknown>
}

/** An option of the command line. */
export type OptionRow = ValueRow<unknown> | FlagRow
export type Rows = Readonly<Record<string, OptionRow | LibraryRow>>

/** The parts of a row that types depend on. */
export interface Value<T, Form extends 'value' | 'list' = 'value'> {
  readonly form: Form
  readonly about: string
  readonly placeholder: string
  readonly kind: ValueKind<T>
}

export const value = <T, const M extends Meta = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  more?: M,
) => ({ form: 'value', placeholder, kind, about, ...more }) as unknown as Value<T> & M

export const valueOrNo = <T, const M extends Meta = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  aboutNo: string,
  more?: M,
) => ({ ...value(placeholder, kind, about, more), aboutNo }) as Value<T> & M & { readonly aboutNo: string }

export const list = <T, const M extends Meta = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  more?: M,
) =>
  ({
    ...value(placeholder, kind, `${about}; may be repeated`, more),
    form: 'list',
  }) as unknown as Value<T, 'list'> & M

export const path = <const M extends Meta = object>(placeholder: string, about: string, more?: M) => ({
  ...value(placeholder, anyText('a path'), about, more),
  isPath: true as const,
})

const flagOfForm =
  <const Form extends FlagRow['form']>(form: Form) =>
  <const M extends Meta = object>(about: string, more?: M) =>
    ({ form, about, ...more }) as unknown as { readonly form: Form; readonly about: string } & M
export const on = flagOfForm('on')
export const off = flagOfForm('off')
export const toggle = (about: string, aboutNo: string, more: Meta) =>
  ({ form: 'toggle' as const, about, aboutNo, ...more }) satisfies FlagRow

export const inLibrary = <T, const M extends Meta = object>(check: TypedCheck<T>, more?: M) =>
  ({ form: 'library', check, ...more }) as unknown as {
    readonly form: 'library'
    readonly check: TypedCheck<T>
  } & M

export const typed = <T>(check: OptionCheck): TypedCheck<T> => check

/** Two options, by their names on the command line, and why they cannot be given together. */
export interface Contradiction {
  readonly one: string
  readonly other: string
  readonly why: string
}

/** The options of one part of a crawl. */
export interface OptionSet {
  /** Of the help and of the config template. */
  readonly heading: Heading
  readonly rows: Rows
  /** Options of the command line and of config files only. */
  readonly cliRows?: Readonly<Record<string, OptionRow>>
  readonly contradictions?: readonly Contradiction[]
  /** Settings that are made of several options. */
  readonly settings?: (options: CrawlOptions) => object
  /** The same for a later session, where they may be changed. */
  readonly resumed?: (before: CrawlSettings, options: ResumeOptions) => object
  /** Refuses options without effect. */
  readonly check?: (options: CrawlOptions) => void
  /** Refuses settings that contradict each other, of a new crawl or of a resumed one. */
  readonly agree?: (settings: CrawlSettings) => void
}

/** In the order of the help. */
export const headings = [
  'What to crawl:',
  'What to look for:',
  'What to extract:',
  'When to stop (at the first limit reached):',
  'Requisites of pages:',
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

/** The value on the command line and in a config file. */
type CliValue<Row> = Row extends { form: 'list'; kind: ValueKind<infer T> }
  ? readonly T[]
  : Row extends { form: 'value'; kind: ValueKind<infer T>; aboutNo: string }
    ? T | false
    : Row extends { form: 'value'; kind: ValueKind<infer T> }
      ? T
      : boolean

/** The value in the library. */
type LibraryValue<Row> = Row extends { check: TypedCheck<infer T> } ? T : CliValue<Row>

/** The options of the library with these rows. */
export type OptionsOf<R> = { readonly [Name in keyof R]?: LibraryValue<R[Name]> | undefined }

type SettingNames<R> = {
  [Name in keyof R]: R[Name] extends { isSetting: false } ? never : Name
}[keyof R]
type SettingValue<Row> = Row extends { becomes: (given: never) => infer T } ? T : LibraryValue<Row>
type Required<R> = {
  [Name in SettingNames<R>]: R[Name] extends { default: unknown } ? Name : never
}[SettingNames<R>]

/** The settings that follow from single rows: present if they have a default. */
export type SettingsOf<R> = { readonly [Name in Required<R>]: SettingValue<R[Name]> } & {
  readonly [Name in Exclude<SettingNames<R>, Required<R>>]?: SettingValue<R[Name]> | undefined
}

/** The options that a later session may change. */
export type LaterOf<R, Session extends 'resume' | 'recrawl'> = Pick<
  OptionsOf<R>,
  { [Name in keyof R]: R[Name] extends { later: 'both' | Session } ? Name : never }[keyof R]
>

type CliName<Name, Row> = Row extends { form: 'library' }
  ? never
  : Row extends { cli: infer Other }
    ? Other
    : Name
/** The options of the command line and of config files with these rows. */
export type CliOf<R> = {
  readonly [Name in keyof R as CliName<Name, R[Name]> & string]?: CliValue<R[Name]> | undefined
}
