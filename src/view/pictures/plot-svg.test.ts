import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { xmlElements } from '../../../test/xml-checker.ts'
import { lookOf, logPlaces, type Plot } from './plot.ts'
import { textWidth } from './words.tsx'
import { PlotSvg } from './plot-svg.tsx'
import { markup, standaloneSvg } from '../report/page.tsx'

const plot: Plot = {
  title: 'A & B',
  x: { label: 'crawled', numbering: 'percent', min: 0, max: 100 },
  y: { label: 'P_ST', numbering: 'share', min: 0, max: 1 },
  series: [
    {
      name: 'a',
      points: [
        [0, 0],
        [50, 0.5],
        [100, 1],
      ],
    },
    {
      name: 'b',
      points: [
        [0, 0],
        [50, 0.2],
        [100, 1],
      ],
    },
    {
      name: 'bound',
      points: [
        [0, 0],
        [100, 1],
      ],
      reference: true,
    },
  ],
}
const draw = (given: Plot): string[] =>
  (['wide', 'narrow'] as const).map((layout) =>
    markup(PlotSvg({ plot: given, layout, id: 'p', description: 'what it shows' })),
  )

it('a plot is well-formed XML with a title and a description', () => {
  for (const svg of [...draw(plot), standaloneSvg(plot, 'what it shows')]) {
    const elements = xmlElements(svg)
    expect(elements.slice(0, 3)).toEqual(['svg', 'title', 'desc'])
    expect(svg).toContain('A &amp; B')
    expect(svg).toContain('what it shows')
  }
})

it('values are drawn at the positions of the scale', () => {
  const [svg] = draw(plot)
  const [, , , left, right] = /data-x="(\S+) (\S+) (\S+) (\S+) (\S+)"/
    .exec(svg)!
    .slice(1)
    .map(Number)
    .with(0, 0)
  const [, , , bottom, top] = /data-y="(\S+) (\S+) (\S+) (\S+) (\S+)"/
    .exec(svg)!
    .slice(1)
    .map(Number)
    .with(0, 0)
  const middle = `L${Number(((left + right) / 2).toFixed(1))},${Number(((bottom + top) / 2).toFixed(1))}`
  expect(svg).toContain(`M${left},${bottom}${middle}L${right},${top}`)
})

it.each([
  ['0 to 9', 'linear', Array.from({ length: 10 }, (_, i) => i)],
  ['powers of 2', 'log', Array.from({ length: 10 }, (_, i) => 2 ** i)],
  ['a single value', 'linear', [5]],
] as const)('every bar is drawn whole within the plot: %s', (_, scale, values) => {
  const bars: Plot = {
    title: 'bars',
    x: { label: 'links', numbering: 'count', scale },
    y: { label: 'pages', numbering: 'count' },
    series: [{ name: 'pages', kind: 'bars', points: values.map((value) => [value, 3]) }],
  }
  for (const svg of draw(bars)) {
    const drawn = svg.slice(svg.indexOf('class="bars'))
    const [clip, ...rectangles] = [svg, ...drawn.split('<rect').slice(1)].map((part) =>
      / ?x="([\d.-]+)" y="[\d.-]+" width="([\d.]+)"/.exec(part)!.slice(1).map(Number),
    )
    expect(rectangles).toHaveLength(values.length)
    for (const [x, width] of rectangles) {
      expect(x).toBeGreaterThanOrEqual(clip[0])
      expect(x + width).toBeLessThanOrEqual(clip[0] + clip[1])
    }
  }
})

it('the first 64 looks differ in more than colour from those of the same colour, and neighbours in everything', () => {
  const looks = Array.from({ length: 64 }, (_, i) => lookOf(i, false))
  expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(64)
  looks.slice(1).forEach((look, i) => {
    expect([look.colour, look.dash, look.marker]).not.toEqual([
      looks[i].colour,
      looks[i].dash,
      looks[i].marker,
    ])
    expect(look.marker).not.toBe(looks[i].marker)
  })
})

it('every series of a legend shows its marker or its dash', () => {
  const [svg] = draw(plot)
  expect(svg.match(/class="name"/g)).toHaveLength(3)
  const legend = svg.slice(svg.indexOf('class="legend"'))
  expect(legend.match(/class="mark"/g)).toHaveLength(2)
})

it('any names and numbers make well-formed XML', () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }))
  const series = fc.record({
    name: fc.string({ unit: 'binary' }),
    points: fc.array(fc.tuple(number, number), { maxLength: 30 }),
    kind: fc.constantFrom('line', 'step', 'bars', 'dots'),
    reference: fc.boolean(),
  })
  const axis = fc.record({
    label: fc.string(),
    numbering: fc.constantFrom('percent', 'share', 'count', 'seconds', 'plain'),
    scale: fc.constantFrom('linear', 'log'),
  })
  fc.assert(
    fc.property(
      fc.record({
        title: fc.string({ unit: 'binary' }),
        x: axis,
        y: axis,
        series: fc.array(series, { maxLength: 4 }),
      }),
      (any) => {
        for (const svg of draw(any)) {
          xmlElements(svg)
          expect(svg).not.toMatch(/[ "(](NaN|Infinity)/)
        }
      },
    ),
    seeded(60),
  )
})

it('places on a logarithmic axis include both ends', () => {
  expect(logPlaces(1000, 4)).toEqual([1, 10, 100, 1000])
  expect(logPlaces(3, 50)).toEqual([1, 2, 3])
})

it('a long label at the right end of the axis ends within a narrow plot', () => {
  const seconds: Plot = { ...plot, x: { label: 'time', numbering: 'seconds', min: 0, max: 150 } }
  const [, narrow] = draw(seconds)
  const [, at] = /class="tick" x="([\d.]+)"[^>]*>2:30 min</.exec(narrow)!
  expect(Number(at) + textWidth('2:30 min', 13) / 2).toBeLessThanOrEqual(360)
})
