import { expect, it } from 'vitest'
import { ImportanceSums, partSecondsOf } from '../../webgraph/measures/importance-parts.ts'
import { depthFigure, depthTable, gatheredFigure, meansFigure, timeTable } from './importance-parts.ts'

const hour = 3600
const day = 24 * hour

it('a crawl of days is shown by day, a shorter one by hour, minute or second', () => {
  expect([8 * day, 20 * hour, 3 * hour, 1200, 100, 20, 2].map(partSecondsOf)).toEqual([
    day,
    hour,
    600,
    60,
    10,
    1,
    0.1,
  ])
  for (const seconds of [0, 1e-3, 1, 59, 1e4, 1e6, 1e9])
    expect(seconds / partSecondsOf(seconds)).toBeLessThanOrEqual(24)
})

const parts = [
  { pages: 1, pageRank: 0.4, rankMass: 0.2 },
  { pages: 0, pageRank: 0, rankMass: 0 },
  { pages: 3, pageRank: 0.4, rankMass: 0.2 },
]

it('shares are of the fetched pages, and means are relative to theirs', () => {
  const course = { partSeconds: day, parts }
  const series = gatheredFigure('a', '', course).plot.series.map(({ name, points }) => [name, points])
  const half = [
    [0, 0],
    [1, 50],
    [2, 50],
    [3, 100],
  ]
  const quarter = half.map(([at, share]) => [at, share === 50 ? 25 : share])
  expect(series).toEqual([
    ['PageRank', half],
    ['RankMass', half],
    ['pages', quarter],
  ])
  const [means] = meansFigure('b', '', course).plot.series
  expect(means.points.map(([x, y]) => [x, Number(y.toFixed(9))])).toEqual([
    [0.5, 2],
    [2.5, 0.666666667],
  ])
  expect(timeTable('c', '', course).rows.map((row) => row.slice(0, 4))).toEqual([
    [1, 1, 25, 50],
    [2, 0, 25, 50],
    [3, 3, 100, 100],
  ])
})

it('parts without a name are shown by time', () => {
  const table = timeTable('c', '', { partSeconds: 600, parts })
  expect(table.columns[0]).toEqual({ title: 'until', numbering: 'seconds' })
  expect(table.rows.map(([until]) => until)).toEqual([600, 1200, 1800])
})

it('a measure that is 0 everywhere is left out', () => {
  const ranked = parts.map(({ pages, pageRank }) => ({ pages, pageRank }))
  const { series } = gatheredFigure('a', '', { partSeconds: 1, parts: ranked }).plot
  expect(series.map(({ name }) => name)).toEqual(['PageRank', 'pages'])
})

it('very deep pages are one part', () => {
  const sums = new ImportanceSums()
  for (let depth = 0; depth < 40; depth++) sums.add(depth, 1 / 40, 0)
  const { rows } = depthTable('d', '', sums.parts)
  expect(rows).toHaveLength(26)
  expect(rows.at(-1)).toEqual(['25 or more', 15, 37.5, expect.closeTo(1, 9)])
  expect(depthFigure('e', '', sums.parts).caption).toContain('depth 25 or more')
})
