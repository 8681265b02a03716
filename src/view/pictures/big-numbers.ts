/** A few large numbers side by side, each with its name and a remark: the first thing to read on a page. */
import { escaped } from './markup.ts'

export interface BigNumber {
  readonly name: string
  /** As displayed, with its unit. */
  readonly value: string
  readonly remark?: string | undefined
}

export function bigNumbersHtml(numbers: readonly BigNumber[]): string {
  const items = numbers.map(
    ({ name, value, remark }) =>
      `<div><dt>${escaped(name)}</dt><dd><strong>${escaped(value)}</strong>${remark === undefined ? '' : `<span>${escaped(remark)}</span>`}</dd></div>`,
  )
  return `<dl class="big">${items.join('\n')}</dl>`
}
