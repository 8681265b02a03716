/** The settings that can be changed while a crawl runs. */
import type { ControlRequests, ControlState } from '../api/index.ts'
import { html, setText } from './element.ts'
import { count } from './format.ts'

type Settings = ControlRequests['settings']

interface Field {
  readonly name: keyof Settings
  readonly label: string
  /** The server's unit in units of the form: coverage is shown in percent. */
  readonly factor: number
  readonly step: string
  readonly min: number
  /** True: an empty field removes it. */
  readonly isBudget: boolean
  readonly value: (state: ControlState) => number | undefined
}

const fields: readonly Field[] = [
  {
    name: 'pages',
    label: 'Pages at most',
    factor: 1,
    step: '1',
    min: 1,
    isBudget: true,
    value: ({ budgets }) => budgets.pages,
  },
  {
    name: 'coverage',
    label: 'Coverage, %',
    factor: 100,
    step: 'any',
    min: 0,
    isBudget: true,
    value: ({ budgets }) => budgets.coverage,
  },
  {
    name: 'seconds',
    label: 'Time, minutes',
    factor: 1 / 60,
    step: 'any',
    min: 0,
    isBudget: true,
    value: ({ budgets }) => budgets.seconds,
  },
  {
    name: 'bytes',
    label: 'Bytes, MB',
    factor: 1e-6,
    step: 'any',
    min: 0,
    isBudget: true,
    value: ({ budgets }) => budgets.bytes,
  },
  {
    name: 'failures',
    label: 'Failures at most',
    factor: 1,
    step: '1',
    min: 0,
    isBudget: true,
    value: ({ budgets }) => budgets.failures,
  },
  {
    name: 'waitSeconds',
    label: 'Gap, seconds',
    factor: 1,
    step: 'any',
    min: 0,
    isBudget: false,
    value: ({ waitSeconds }) => waitSeconds,
  },
  {
    name: 'waitFactor',
    label: 'Gap, × last download',
    factor: 1,
    step: 'any',
    min: 0,
    isBudget: false,
    value: ({ waitFactor }) => waitFactor,
  },
  {
    name: 'connections',
    label: 'Connections',
    factor: 1,
    step: '1',
    min: 1,
    isBudget: false,
    value: ({ connections }) => connections,
  },
  {
    name: 'perDay',
    label: 'Requests a day',
    factor: 1,
    step: 'any',
    min: 0,
    isBudget: false,
    value: ({ perDay }) => perDay,
  },
]

/** In units of the form, without the noise of the conversion. */
const shown = (value: number | undefined, factor: number): string =>
  value === undefined ? '' : String(Number((value * factor).toPrecision(12)))

export interface Change {
  readonly name: keyof Settings
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
          const { name, label, step, min, isBudget, factor } = field
          const id = `setting-${name}`
          const input = html('input', {
            id,
            type: 'number',
            step,
            min,
            max: name === 'coverage' ? 100 : undefined,
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
