/** The settings that can be changed while a crawl runs. */
import { grouped } from '../../../lib/amounts.ts'
import { settingFields, type ControlState, type SettingName } from '../api/index.ts'

const valueOf: Readonly<Record<SettingName, (state: ControlState) => number | undefined>> = {
  pages: ({ budgets }) => budgets.pages,
  coverage: ({ budgets }) => budgets.coverage,
  seconds: ({ budgets }) => budgets.seconds,
  bytes: ({ budgets }) => budgets.bytes,
  failures: ({ budgets }) => budgets.failures,
  waitSeconds: ({ waitSeconds }) => waitSeconds,
  waitFactor: ({ waitFactor }) => waitFactor,
  connections: ({ connections }) => connections,
  perDay: ({ perDay }) => perDay,
}

const fields = (Object.keys(settingFields) as SettingName[]).map((name) => ({
  name,
  value: valueOf[name],
  ...settingFields[name],
}))

/** In units of the form, without the noise of the conversion. */
const shown = (value: number | undefined, factor: number): string =>
  value === undefined ? '' : String(Number((value * factor).toPrecision(12)))

interface Change {
  readonly name: SettingName
  readonly value: number | null
  /** `Pages at most: 2,000 → 5,000` */
  readonly text: string
}

/** What differs between the state and the values of the form. */
export function changesOf(state: ControlState, values: ReadonlyMap<string, string>): Change[] {
  return fields.flatMap(({ name, label, factor, isBudget, value }) => {
    const before = shown(value(state), factor)
    const after = (values.get(name) ?? '').trim()
    if (after === before || (after === '' && !isBudget)) return []
    const words = (text: string): string => (text === '' ? 'none' : numberText(Number(text)))
    return [
      {
        name,
        value: after === '' ? null : Number((Number(after) / factor).toPrecision(12)),
        text: `${label}: ${words(before)} → ${words(after)}`,
      },
    ]
  })
}

const numberText = (value: number): string =>
  Number.isInteger(value) && value < 1e15 ? grouped(value) : String(value)

/** The inputs of the form: names, labels and attributes. */
export function settingInputs(state: ControlState) {
  return fields
    .filter(({ name }) => name !== 'perDay' || state.perDay !== undefined)
    .map(({ name, label, min, max, isWhole, isBudget, factor, value }) => ({
      name,
      label,
      step: isWhole && factor === 1 ? '1' : 'any',
      min: shown(min, factor),
      max: max * factor > 1e15 ? undefined : shown(max, factor),
      required: !isBudget,
      placeholder: isBudget ? 'no limit' : undefined,
      // What is being typed stays.
      defaultValue: shown(value(state), factor),
    }))
}
