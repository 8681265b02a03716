/** A row of the table of options (option-table.ts), and how rows are written. */
import { anyText, type ValueKind } from '../../lib/value-kinds.ts'

interface Row {
  readonly about: string
  /**
   * The name in the library, if different; `cli`: only the command line and config files have this option.
   */
  readonly library?: string
  /** The library has the opposite: `followNofollow` is `obeyNofollow: false`. */
  readonly isNegated?: boolean
  /** The option that this one is an alias of. The help omits aliases. */
  readonly aliasOf?: string
}

interface ValueRow<T> extends Row {
  readonly form: 'value' | 'list'
  /** The name of the value in the help. */
  readonly placeholder: string
  readonly kind: ValueKind<T>
  /** A path; in a config file it is relative to that file. */
  readonly isPath?: boolean
  /** Help text of `--no-name`, if the option has it. */
  readonly aboutNo?: string
}

/** on: `--name` makes it true. off: `--no-name` makes it false. toggle: both. */
interface FlagRow extends Row {
  readonly form: 'on' | 'off' | 'toggle'
  /** Help text of a toggle's `--no-name`. */
  readonly aboutNo?: string
}

export type OptionRow = ValueRow<unknown> | FlagRow

export const value = <T>(placeholder: string, kind: ValueKind<T>, about: string) => ({
  form: 'value' as const,
  placeholder,
  kind,
  about,
})
export const valueOrNo = <T>(placeholder: string, kind: ValueKind<T>, about: string, aboutNo: string) => ({
  ...value(placeholder, kind, about),
  aboutNo,
})
export const list = <T>(placeholder: string, kind: ValueKind<T>, about: string) => ({
  ...value(placeholder, kind, `${about}; may be repeated`),
  form: 'list' as const,
})
export const path = (placeholder: string, about: string) => ({
  ...value(placeholder, anyText('a path'), about),
  isPath: true,
})
export const on = (about: string) => ({ form: 'on' as const, about })
export const off = (about: string) => ({ form: 'off' as const, about })
export const toggle = (about: string, aboutNo: string) => ({ form: 'toggle' as const, about, aboutNo })

export const alias = <R extends Row>(aliasOf: string, row: R) => ({ ...row, aliasOf })
export const cliOnly = <R extends Row>(row: R) => ({ ...row, library: 'cli' as const })
export const inLibrary = <L extends string, R extends Row>(library: L, row: R) => ({ ...row, library })
