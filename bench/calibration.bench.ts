/**
 * Is the freshness that a crawl expects the true one? Simulated crawls of a generated web with drawn changes, and of recorded sites if a
 * folder of them is given. At a hundred moments the expected share of fresh importance is compared with the true one; moments with fewer than two
 * looks per held page, at which a crawl says that it is not known yet, do not count.
 *
 *   npm run bench -- calibration [--pages 2000] [--rounds 10,30,100] [--strategies omniscient,opic,exact-rankmass] [--changes SITE,…]
 */
import { simulate } from '../src/simulator/simulator.ts'
import { readRecordedSite } from '../src/webgraph/formats/recorded-site-reader.ts'
import { webOfRecorded, type RecordedSite } from '../src/webgraph/recorded-site.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, short, textOption } from './webs.ts'

/** Rounds that a crawl of the generated web takes. */
const roundsRun = 8
const looksMin = 2

export const calibrationBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const rounds = (isSmall ? '10' : (textOption('rounds') ?? '10,30,100')).split(',').map(Number)
  const strategies = (
    isSmall ? 'opic' : (textOption('strategies') ?? 'omniscient,opic,exact-rankmass')
  ).split(',')
  const folders = isSmall ? [] : (textOption('changes')?.split(',') ?? [])
  const sites: (RecordedSite | undefined)[] = [
    undefined,
    ...(await Promise.all(folders.map((each) => readRecordedSite(each)))),
  ]
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const [i, site] of sites.entries()) {
    const { web } =
      site === undefined
        ? generatedWeb(isSmall ? 200 : numberOption('pages', 2000))
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
        const errors = looks.flatMap((count, at) => (count < looksMin ? [] : [expected[at]! - fresh[at]]))
        const mean = (values: readonly number[]): number =>
          values.reduce((sum, each) => sum + each, 0) / values.length
        rows.push({
          web: site === undefined ? 'generated' : folders[i - 1],
          strategy,
          round,
          moments: errors.length,
          'mean difference': short(mean(errors)),
          'mean distance': short(mean(errors.map(Math.abs))),
          'largest distance': short(Math.max(...errors.map(Math.abs))),
        })
        check += freshness!.fetches
      }
    }
  }
  return { rows, check }
}

await benchmarkMain(import.meta.url, calibrationBenchmark)
