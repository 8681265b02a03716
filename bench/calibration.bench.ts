/**
 * Is the freshness that a crawl expects the true one? Simulated crawls of a generated web with drawn changes, and of recorded sites if a
 * folder of them is given. At a hundred moments the expected share of fresh importance is compared with the true one; moments with fewer than two
 * looks per held page, at which a crawl says that it is not known yet, do not count.
 *
 *   npm run bench -- calibration [--pages 2000] [--seed 1] [--rounds 10,30,100] [--strategies pagerank,opic,exact-rankmass] [--changes SITE,…]
 *     [--plot FILE.svg]
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { simulate } from '../src/simulator/simulator.ts'
import { readRecordedSite } from '../src/webgraph/formats/recorded-site-reader.ts'
import { webOfRecorded, type RecordedSite } from '../src/webgraph/recorded-site.ts'
import type { Point, Series } from '../src/view/pictures/plot.ts'
import { standaloneSvg } from '../src/view/report/page.tsx'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, short, textOption } from './webs.ts'

/** Rounds that a crawl of the generated web takes. */
const roundsRun = 8
const looksMin = 2
/** Parts of a crawl by which the error of the mean difference is estimated. */
const parts = 10
/** The expected share may be so far from the true one. */
const goal = 0.03

export const calibrationBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const rounds = (isSmall ? '10' : (textOption('rounds') ?? '10,30,100')).split(',').map(Number)
  const strategies = (isSmall ? 'opic' : (textOption('strategies') ?? 'pagerank,opic,exact-rankmass')).split(
    ',',
  )
  const folders = isSmall ? [] : (textOption('changes')?.split(',') ?? [])
  const sites: (RecordedSite | undefined)[] = [
    undefined,
    ...(await Promise.all(folders.map((each) => readRecordedSite(each)))),
  ]
  const rows: BenchmarkResult['rows'] = []
  const series: Series[] = []
  let check = 0
  for (const [i, site] of sites.entries()) {
    const { web } =
      site === undefined
        ? generatedWeb(isSmall ? 200 : numberOption('pages', 2000), numberOption('seed', 1))
        : { web: webOfRecorded(site) }
    for (const round of rounds) {
      const { runs } = await simulate(web, {
        strategies,
        recrawl: 'greedy',
        calibration: true,
        ...(site === undefined
          ? { rate: web.graph.pages / round, days: roundsRun * round }
          : { changes: site, round }),
      })
      for (const { strategy, freshness } of runs) {
        const { looks, expected, fresh } = freshness!.calibration!
        const points = looks.flatMap((count, at): Point[] =>
          count < looksMin ? [] : [[expected[at]!, fresh[at]]],
        )
        const errors = points.map(([x, y]) => x - y)
        const name = site === undefined ? 'generated' : basename(folders[i - 1])
        series.push({ name: `${name}, ${strategy}, ${round} days`, points, kind: 'dots' })
        rows.push({
          web: name,
          strategy,
          round,
          moments: errors.length,
          'mean difference': short(mean(errors)),
          'its standard error': short(errorOfMean(errors)),
          'mean distance': short(mean(errors.map(Math.abs))),
          'largest distance': short(Math.max(...errors.map(Math.abs))),
        })
        check += freshness!.fetches
      }
    }
  }
  const file = isSmall ? undefined : textOption('plot')
  if (file !== undefined) writeFileSync(file, picture(series))
  return { rows, check }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** By the means of ten parts of the crawl: moments close to each other are not independent, because a site changes many pages at once. */
function errorOfMean(errors: readonly number[]): number {
  const size = Math.max(1, Math.floor(errors.length / parts))
  const means = Array.from({ length: Math.min(parts, errors.length) }, (_, i) =>
    mean(errors.slice(i * size, (i + 1) * size)),
  )
  const all = mean(means)
  const variance = means.reduce((sum, each) => sum + (each - all) ** 2, 0) / (means.length - 1)
  return Math.sqrt(variance / means.length)
}

/** Every moment a dot, and the goal as a band around the diagonal. */
function picture(series: readonly Series[]): string {
  const diagonal: Series = {
    name: 'equal, and 3 points around it',
    points: [
      [0, 0],
      [1, 1],
    ],
    band: [
      [0, 0, goal],
      [goal, 0, 2 * goal],
      [1 - goal, 1 - 2 * goal, 1],
      [1, 1 - goal, 1],
    ],
    reference: true,
  }
  const axis = (label: string) => ({ label, numbering: 'share', min: 0, max: 1 }) as const
  return standaloneSvg(
    {
      title: 'Expected and true freshness',
      x: axis('share of importance expected to be fresh'),
      y: axis('share that is fresh'),
      series: [...series, diagonal],
    },
    'Expected and true freshness of simulated crawls, a hundred moments each',
  )
}

await benchmarkMain(import.meta.url, calibrationBenchmark)
