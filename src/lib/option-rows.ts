/**
 * A row says everything about one option of `crawl` or `simulate`. Its key is the name in the library, and the comment above it is
 * what an editor shows there. Types, checks, flags, help, completion and config files follow from the rows.
 */
import type { OptionCheck } from './option-checks.ts'
import { anyText, type ValueKind } from './value-kinds.ts'

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
  /** The option without which it has no effect, by its name on the command line; `frontier=mercator` if it needs that value. */
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
interface LibraryRow extends Meta {
  readonly form: 'library'
  readonly check: TypedCheck<unknown>
}

/** An option of the command line. */
export type OptionRow = ValueRow<unknown> | FlagRow
export type AnyRow = OptionRow | LibraryRow
export type Rows = Readonly<Record<string, AnyRow>>

/**
 * What follows makes rows. What else a row says is checked where it becomes part of a table (`satisfies Rows`), so that a command may
 * have more to say about its options. `NoInfer`: the table must not widen the types of a row.
 */

/** The parts of a row that types depend on. */
export interface Value<T, Form extends 'value' | 'list' = 'value'> {
  readonly form: Form
  readonly about: string
  readonly placeholder: string
  readonly kind: ValueKind<T>
}
export interface Flag<Form extends FlagRow['form']> {
  readonly form: Form
  readonly about: string
}
export interface InLibrary<T> {
  readonly form: 'library'
  readonly check: TypedCheck<T>
}

export const value = <T, const M extends object = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  more?: M,
): Value<T> & NoInfer<M> =>
  ({ form: 'value', placeholder, kind, about, ...more }) as unknown as Value<T> & NoInfer<M>

export const valueOrNo = <T, const M extends object = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  aboutNo: string,
  more?: M,
): Value<T> & NoInfer<M> & { readonly aboutNo: string } => ({
  ...value(placeholder, kind, about, more),
  aboutNo,
})

export const list = <T, const M extends object = object>(
  placeholder: string,
  kind: ValueKind<T>,
  about: string,
  more?: M,
): Value<T, 'list'> & NoInfer<M> =>
  ({
    ...value(placeholder, kind, `${about}; may be repeated`, more),
    form: 'list',
  }) as unknown as Value<T, 'list'> & NoInfer<M>

export const path = <const M extends object = object>(
  placeholder: string,
  about: string,
  more?: M,
): Value<string> & NoInfer<M> & { readonly isPath: true } => ({
  ...value(placeholder, anyText('a path'), about, more),
  isPath: true,
})

const flagOfForm =
  <const Form extends FlagRow['form']>(form: Form) =>
  <const M extends object = object>(about: string, more?: M): Flag<Form> & NoInfer<M> =>
    ({ form, about, ...more }) as unknown as Flag<Form> & NoInfer<M>
export const on = flagOfForm('on')
export const off = flagOfForm('off')
export const toggle = <const M extends object = object>(
  about: string,
  aboutNo: string,
  more?: M,
): Flag<'toggle'> & NoInfer<M> & { readonly aboutNo: string } => ({
  ...flagOfForm('toggle')(about, more),
  aboutNo,
})

export const inLibrary = <T, const M extends object = object>(
  check: TypedCheck<T>,
  more?: M,
): InLibrary<T> & NoInfer<M> => ({ form: 'library', check, ...more }) as unknown as InLibrary<T> & NoInfer<M>

export const typed = <T>(check: OptionCheck): TypedCheck<T> => check

/** Two options, by their names on the command line, and why they cannot be given together. */
export interface Contradiction {
  readonly one: string
  readonly other: string
  readonly why: string
}

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

type CliName<Name, Row> = Row extends { form: 'library' }
  ? never
  : Row extends { cli: infer Other }
    ? Other
    : Name
/** The options of the command line and of config files with these rows. */
export type CliOf<R> = {
  readonly [Name in keyof R as CliName<Name, R[Name]> & string]?: CliValue<R[Name]> | undefined
}
