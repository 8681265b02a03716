/** The settings that can be changed while a crawl runs. */
import { settingFields, type ControlState, type SettingName } from '../api/index.ts'
import { html, setText } from './element.ts'
import { count } from './format.ts'

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
    const words = (text: string): string => (text === '' ? 'none' : count3(Number(text)))
    return [
      {
        name,
        value: after === '' ? null : Number((Number(after) / factor).toPrecision(12)),
        text: `${label}: ${words(before)} → ${words(after)}`,
      },
    ]
  })
}

const count3 = (value: number): string =>
  Number.isInteger(value) && value < 1e15 ? count(value) : String(value)

export class SettingsForm {
  readonly element: HTMLFormElement
  readonly #inputs = new Map<string, HTMLInputElement>()
  readonly #message = html('p', { class: 'soft', role: 'status' })

  constructor(state: ControlState) {
    const shownFields = fields.filter(({ name }) => name !== 'perDay' || state.perDay !== undefined)
    this.element = html(
      'form',
      { class: 'stack tight' },
      html(
        'div',
        { class: 'fields' },
        ...shownFields.map((field) => {
          const { name, label, min, max, isWhole, isBudget, factor } = field
          const id = `setting-${name}`
          const input = html('input', {
            id,
            type: 'number',
            step: isWhole && factor === 1 ? '1' : 'any',
            min: shown(min, factor),
            max: max * factor > 1e15 ? undefined : shown(max, factor),
            required: !isBudget,
            placeholder: isBudget ? 'no limit' : undefined,
            value: shown(field.value(state), factor),
          })
          this.#inputs.set(name, input)
          return html('div', { class: 'field' }, html('label', { for: id }, label), input)
        }),
      ),
      html('div', { class: 'buttons start' }, html('button', { type: 'submit' }, 'Change…'), this.#message),
    )
  }

  values(): Map<string, string> {
    return new Map([...this.#inputs].map(([name, { value }]) => [name, value]))
  }

  say(text: string): void {
    setText(this.#message, text)
  }
}
