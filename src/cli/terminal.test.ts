import { describe, expect, it } from 'vitest'
import { fitted, table } from './terminal.ts'

describe('text for a terminal', () => {
  it('breaks between words, never within one', () => {
    const text = 'The web is generated, so its true importance is known: 195 of 300 pages hold it.'
    for (let width = 40; width <= 90; width++) {
      const lines = fitted(text, width).split('\n')
      expect(lines.join(' ')).toBe(text)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    }
    expect(fitted(text, Infinity)).toBe(text)
  })

  it('continues a column below itself', () => {
    const row = '  not fetched   █▏          4.7%  321 pages wait for a larger budget, 4 unreachable'
    expect(fitted(row, 60)).toBe(
      `  not fetched   █▏          4.7%  321 pages wait for a
                                  larger budget, 4
                                  unreachable`,
    )
  })

  it('keeps words that are longer than the line, and commands, whole', () => {
    const url = `https://example.org/${'a'.repeat(60)}`
    expect(fitted(`see ${url} there`, 40)).toBe(`see\n${url}\nthere`)
    const next = `Next     rankward resume ${'crawl'.repeat(10)} --coverage 0.98`
    expect(fitted(next, 40)).toBe(next)
  })

  it('does not count styles', () => {
    const bold = `\u001b[1m${'word '.repeat(8)}end\u001b[22m`
    expect(fitted(bold, 43)).toBe(bold)
    expect(fitted(bold, 42).split('\n')).toHaveLength(2)
  })
})

describe('a table', () => {
  const columns = [
    { title: 'strategy' },
    { title: 'pages', align: 'right', isOptional: true },
    { title: 'tau', align: 'right' },
    { title: 'time', align: 'right', isOptional: true },
  ] as const
  const rows = [['opic', '4,883', '0.5', '1 s']]

  it.each([
    [Infinity, 'opic      4,883  0.5   1 s'],
    [25, 'opic     4,883 0.5  1 s'],
    [22, 'opic     4,883 0.5'],
    [14, 'opic     0.5'],
    [5, 'opic     0.5'],
  ])('of %d columns narrows its gaps, then leaves out optional columns', (width, row) => {
    expect(table(columns, rows, width).split('\n')[1]).toBe(row)
  })
})
