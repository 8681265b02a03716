import { describe, expect, it } from 'vitest'
import { RankwardError } from '../../lib/errors.ts'
import { PlotSvg } from '../pictures/plot-svg.tsx'
import { markup } from './page.tsx'
import { plotCsv } from './csv.ts'
import { blocksOf, type Figure, type Table } from './report.ts'
import { savedSimulation } from './saved-simulation.ts'
import { simulationReport } from './simulation-report.ts'

const curve = Array.from({ length: 100 }, (_, i) => (i + 1) / 100)
const run = (strategy: string): Record<string, unknown> => ({
  strategy,
  visited: 1000,
  averageCumulativePagerank: 0.61,
  kendallTauA: 0.2,
  curve,
  pcs: curve,
  hot: [{ rule: 'backlinks>=3', hot: 17, pst: curve }],
  rankMass: {
    guaranteed: [
      [1, 0.15],
      [1000, 0.99],
    ],
    downloadsGuaranteed: { 0.98: 900 },
    downloadsTrue: { 0.98: null },
  },
  time: {
    total: 7200,
    bytes: 1e6,
    activeConnections: [
      [0, 1],
      [7000, 0],
    ],
    activeConnectionsMean: 0.9,
  },
  seconds: 1.5,
})
const saved = (runs: unknown[]): Record<string, unknown> => ({
  file: 'web.rwg',
  graph: { pages: 1000, links: 5000, sites: 10, reachable: 990 },
  damping: 0.85,
  ideal: { averageCumulativePagerank: 0.8, curve },
  runs,
})

describe('a report on saved simulations', () => {
  it('shows all that was saved', () => {
    const report = simulationReport([savedSimulation('a.json', JSON.stringify(saved([run('opic')])))])
    expect(blocksOf(report).map(({ id }) => id)).toEqual([
      'cumulative',
      'runs',
      'hot-1',
      'pcs',
      'guaranteed',
      'rankmass',
      'active',
      'time',
    ])
  })

  it('shows the means of repeated runs with their bands', () => {
    const band = { mean: 0.6, low: 0.5, high: 0.7 }
    const curves = {
      mean: curve,
      low: curve.map((value) => value - 0.1),
      high: curve.map((value) => value + 0.1),
    }
    const repeated = {
      strategy: 'opic',
      repeats: 5,
      visited: band,
      averageCumulativePagerank: band,
      kendallTauA: band,
      curve: curves,
      pcs: curves,
      hot: [{ rule: 'top 1', hot: band, pst: curves }],
      seconds: band,
    }
    const text = JSON.stringify({ ...saved([run('opic'), run('opic')]), repeated: [repeated] })
    const report = simulationReport([savedSimulation('a.json', text)])
    expect(blocksOf(report).map(({ id }) => id)).toEqual(['cumulative', 'runs', 'hot-1', 'pcs'])
    const [figure, table] = blocksOf(report)
    expect(figure.caption).toContain('Means of 5 runs, with the 95% band of the mean.')
    const [series] = (figure as Figure).plot.series
    expect(series.band![49]).toEqual([50, 0.4, 0.6])
    expect(plotCsv((figure as Figure).plot)).toMatch(/^opic,50,0\.5,0\.4,0\.6\r$/m)
    expect((table as Table).rows[0]).toContain('0.5000 to 0.7000')
    expect(
      markup(PlotSvg({ plot: (figure as Figure).plot, layout: 'wide', id: 'a', description: '' })),
    ).toContain('class="band"')

    const broken = text.replace('"low":0.5', '"low":"x"')
    expect(() => savedSimulation('a.json', broken)).toThrow('repeated[0].visited.low is not a number')
  })

  it('names the file of each run where there are several', () => {
    const text = JSON.stringify(saved([run('opic')]))
    const report = simulationReport([savedSimulation('x/a.json', text), savedSimulation('x/b.json', text)])
    const [figure] = blocksOf(report)
    expect(figure.kind === 'figure' && figure.plot.series.map(({ name }) => name)).toEqual([
      'opic · a.json',
      'opic · b.json',
      'ideal',
      'at random',
    ])
  })

  it('draws no more lines in a plot than can be distinguished, and omits none', () => {
    const runs = Array.from({ length: 21 }, (_, i) => run(`strategy-${i}`))
    const figures = blocksOf(
      simulationReport([savedSimulation('a.json', JSON.stringify(saved(runs)))]),
    ).filter(({ id }) => id.startsWith('cumulative'))
    expect(figures.map((figure) => (figure.kind === 'figure' ? figure.plot.series.length - 2 : 0))).toEqual([
      7, 7, 7,
    ])
  })
})

describe('a file that is not a saved simulation', () => {
  const { curve: _, ...withoutCurve } = run('opic')
  it.each([
    ['no JSON', 'strategy,percent', /is not JSON/],
    ['another document', '{"pages": 3}', /not of `rankward simulate --json`/],
    ['a list', '[1]', /not of `rankward simulate --json`/],
    ['nothing run', JSON.stringify(saved([])), /no run/],
    ['a run without a curve', JSON.stringify(saved([withoutCurve])), /runs\[0\]\.curve is not a list/],
    [
      'a curve of words',
      JSON.stringify(saved([{ ...run('opic'), curve: ['a'] }])),
      /runs\[0\]\.curve is not a list of numbers/,
    ],
    [
      'a pair of three',
      JSON.stringify(saved([{ ...run('opic'), rankMass: { guaranteed: [[1, 2, 3]] } }])),
      /guaranteed\[0\] is not a pair/,
    ],
  ])('%s is refused with a line that says why', (_name, text, line) => {
    const read = (): unknown => savedSimulation('f.json', text)
    expect(read).toThrow(RankwardError)
    expect(read).toThrow(line)
    expect(read).toThrow(/^f\.json cannot be reported on: /)
  })
})
