/** The settings that can be changed while a crawl runs. */
import { grouped } from '../../../lib/amounts.ts'
import type { ControlState } from '../api/index.ts'

/** In units of the form, without the noise of the conversion. */
const shown = (value: number | undefined, factor: number): string =>
  value === undefined ? '' : String(Number((value * factor).toPrecision(12)))

interface Change {
  readonly name: string
  readonly value: number | null
  /** `Pages at most: 2,000 → 5,000` */
  readonly text: string
}

/** What differs between the state and the values of the form. */
export function changesOf(state: ControlState, values: ReadonlyMap<string, string>): Change[] {
  return state.settings.flatMap(({ name, label, factor, isBudget, value }) => {
    const before = shown(value, factor)
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
  return state.settings.map(({ name, label, min, max, isWhole, isBudget, factor, value }) => ({
    name,
    label,
    step: isWhole && factor === 1 ? '1' : 'any',
    min: shown(min, factor),
    max: max === undefined ? undefined : shown(max, factor),
    required: !isBudget,
    placeholder: isBudget ? 'no limit' : undefined,
    // What is being typed stays.
    defaultValue: shown(value, factor),
  }))
}
