/** Pages and statements that try to take long: four times the size takes about four times the work. */
import { growth, workOf } from './support/work.ts'
import { describe, expect, it } from 'vitest'
import { hostilePages } from '../src/web/content/hostile-pages.cases.ts'
import { mainContent } from '../src/web/content/main-content.ts'
import { HtmlScanner } from '../src/web/html/scanner.ts'
import { parseDictionary } from '../src/web/preferences/dictionary.ts'
import { aiAgents, usePurposes } from '../src/web/preferences/known-signals.ts'
import { Licence } from '../src/web/preferences/licence.ts'
import { Reservations } from '../src/web/preferences/reservations.ts'
import { parseRobotsPreferences } from '../src/web/preferences/robots-preferences.ts'
import { headerStatements, statingHeaders } from '../src/web/preferences/statement.ts'
import { useVerdict } from '../src/web/preferences/verdict.ts'

/** Linear work grows by 4, quadratic work by 16. */
const linear = 6

it('work is counted, and tells linear from quadratic', () => {
  const scan = (html: string): unknown => new HtmlScanner().scan(Buffer.from(html), false)
  const html = '<p class=a>text</p>'
  const once = (n: number): void => void scan(html.repeat(n))
  const squared = (n: number): void => {
    for (let i = 0; i < n; i++) scan(html.repeat(n))
  }
  expect(workOf(() => once(100))).toBe(workOf(() => once(100)))
  expect(growth(100, once)).toBeCloseTo(4, 0)
  expect(growth(20, squared)).toBeGreaterThan(12)
})

describe('main content', () => {
  it.each(hostilePages)('of hostile pages takes linear work: %s', (_, size, html) => {
    const read = (n: number): unknown => mainContent(html(n), { url: 'https://a.example/' })
    expect(growth(Math.ceil(size / 200), read)).toBeLessThan(linear)
  })
})

describe('statements about use', () => {
  const agents = Object.keys(aiAgents)
  const path = `/${'a'.repeat(2000)}`
  const robots = (text: string): unknown => parseRobotsPreferences(text, 'Rankward').statementsOf(path)
  const licence = (xml: string): unknown => new Licence(xml, 'https://a.example').statementsOf(path)
  const tdmrep = (json: string): unknown => new Reservations(json).statementsOf(path)
  const headers = (value: string): unknown =>
    Object.keys(statingHeaders).map((name) => {
      const statements = headerStatements([[name, value]])
      return usePurposes.map((purpose) => useVerdict(purpose, statements))
    })
  const rule = '{"location":"/*a*a*b","tdm-reservation":1}'
  const hostile: [name: string, size: number, fullSize: number, read: (n: number) => unknown][] = [
    ...['a=(', 'a;', 'a=" ', 'a,', '(((', ' \t', 'a=n;b;', '"\\', 'noai,', ';rel="', 'a=n, '].flatMap(
      (piece) =>
        [
          [
            `a dictionary of ${JSON.stringify(piece)}`,
            500,
            300_000,
            (n: number) => parseDictionary(piece.repeat(n)),
          ],
          [`headers of ${JSON.stringify(piece)}`, 500, 300_000, (n: number) => headers(piece.repeat(n))],
        ] as [string, number, number, (n: number) => unknown][],
    ),
    [
      'patterns of Content-Usage',
      200,
      14_000,
      (n) => robots('Content-Usage: /*a*a*a*b train-ai=n\n'.repeat(n)),
    ],
    [
      'groups of AI agents',
      10,
      250,
      (n) =>
        robots(
          agents
            .map((name) => `User-agent: ${name}\nDisallow: /*a*a*a$\n`)
            .join('')
            .repeat(n),
        ),
    ],
    [
      'a group of AI agents',
      10,
      700,
      (n) =>
        robots(
          agents
            .map((name) => `User-agent: ${name}\n`)
            .join('')
            .repeat(n),
        ),
    ],
    ['one line of AI agents', 500, 70_000, (n) => robots(`User-agent: ${'GPTBot,'.repeat(n)}\nDisallow: /`)],
    ['lines of licences', 500, 40_000, (n) => robots('License: x\n'.repeat(n))],
    ...[
      '<content>',
      '<license><permits>',
      '<permits>all</permits></license>',
      '<prohibits>a b</prohibits>',
      '<content url="/*a*a*a">',
    ].map((piece): [string, number, number, (n: number) => unknown] => [
      `a licence of ${piece}`,
      200,
      20_000,
      (n) => licence(piece.repeat(n)),
    ]),
    ['one attribute of a licence', 500, 200_000, (n) => licence(`<content url="/" ${' type = '.repeat(n)}>`)],
    [
      'rules of tdmrep.json',
      100,
      20_000,
      (n) => tdmrep(`[${Array.from({ length: n }, () => rule).join(',')}]`),
    ],
    ['nested tdmrep.json', 500, 200_000, (n) => tdmrep('['.repeat(n))],
  ]

  it.each(hostile)('take linear work: %s', (_, size, fullSize, read) => {
    expect(growth(size, read)).toBeLessThan(linear)
    // Anything quadratic in a built-in function would not end.
    expect(() => read(fullSize)).not.toThrow()
  })
})
