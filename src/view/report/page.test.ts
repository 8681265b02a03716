import { expect, it } from 'vitest'
import { xmlElements } from '../../../test/xml-checker.ts'
import { pageHtml, reportFiles } from './page.tsx'
import type { Report } from './report.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

const report: Report = {
  name: 'test',
  title: `A test ${hostile}`,
  lead: [hostile],
  facts: [[hostile, hostile]],
  sections: [
    {
      title: hostile,
      about: hostile,
      blocks: [
        {
          kind: 'figure',
          id: 'one',
          caption: `Seen: ${hostile}`,
          plot: {
            title: hostile,
            x: { label: hostile, numbering: 'count', scale: 'log' },
            y: { label: 'P_CS', numbering: 'share' },
            series: [
              {
                name: hostile,
                points: [
                  [1, 2 / 3],
                  [10, 1 / 3],
                ],
              },
              { name: '=cmd()', points: [[1, 1]] },
            ],
          },
        },
        {
          kind: 'table',
          id: 'two',
          title: hostile,
          columns: [
            { title: 'name' },
            { title: 'ours', numbering: 'share', group: 'here' },
            { title: 'theirs', numbering: 'count', group: 'there' },
          ],
          rows: [
            [hostile, 0.123_456_789, 1_234_567],
            ['none', null, null],
          ],
          caption: 'Both.',
        },
      ],
    },
  ],
  remarks: [hostile],
}
const origin = {
  command: `rankward experiment '${hostile}'`,
  seed: 7,
  version: '1.2.3',
  date: '2026-01-31 12:05 UTC',
}
const html = pageHtml(report, origin)
const tags = html.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []

it('nothing from outside becomes markup', () => {
  expect(html).not.toMatch(/<script>alert|<img/)
  expect(tags.filter((tag) => /onerror|alert/.test(tag.replaceAll(/"[^"]*"/g, '')))).toEqual([])
  expect(html.match(/<script/g)).toHaveLength(2)
  const [svg] = /<svg class="wide"[^]*?<\/svg>/.exec(html)!
  expect(xmlElements(svg)).not.toContain('script')
})

it('the page needs no network', () => {
  const addresses = tags.flatMap((tag) =>
    [...tag.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address]) => address),
  )
  expect(addresses.length).toBeGreaterThan(2)
  for (const address of addresses) expect(address).toMatch(/^(#|data:)/)
  expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|url\((?!#)|@import/)
})

it('the page has its command, version and date', () => {
  for (const words of ['1.2.3', '2026-01-31 12:05 UTC', '<dt>seed</dt><dd>7</dd>', 'rankward experiment'])
    expect(html).toContain(words)
})

it('the data files have all digits, and the download links hold the same', () => {
  const [page, figure, table] = reportFiles(report, origin)
  expect([page.name, figure.name, table.name]).toEqual(['test.html', 'test-one.csv', 'test-two.csv'])
  expect(figure.text).toContain(`,1,${2 / 3}\r\n`)
  expect(figure.text).toContain(`,10,${1 / 3}\r\n`)
  expect(table.text).toContain('here: ours,there: theirs\r\n')
  expect(table.text).toContain(',0.123456789,1234567\r\n')
  expect(table.text).toContain('none,,\r\n')
  const links = [...html.matchAll(/href="data:text\/csv;charset=utf-8,([^"]*)"/g)].map(([, text]) =>
    decodeURIComponent(text.replaceAll('&#39;', "'")),
  )
  expect(links).toEqual([figure.text, table.text])
})

it('a text that a spreadsheet would run is no formula', () => {
  expect(reportFiles(report, origin)[1].text).toContain("\r\n'=cmd(),1,1\r\n")
})

it('tables show rounded numbers under heads, and a dash where there is none', () => {
  const shown = html.replaceAll(/ data-value="[^"]*"/g, '')
  expect(shown).toContain('<td class="number from">0.1235</td><td class="number from">1,234,567</td>')
  expect(html).toMatch(/ data-value="0\.1234\d+">0\.1235</)
  expect(html).toContain('<td class="number from">–</td>')
  expect(html).toContain('<th class="group from" scope="colgroup" colspan="1">here</th>')
})
