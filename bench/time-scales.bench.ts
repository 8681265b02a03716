/**
 * Does a crawl that fetches pages again depend on the unit of time? One generated web changes once in about 20 days, in 16 hours or in 100
 * seconds (the median page), and the budget fetches every page in 30 days, a day or an hour. The regret must be the same. For comparison,
 * with a fixed horizon of 60 days.
 *
 *   npm run bench -- time-scales [--pages 2000] [--rounds 5] [--policy greedy,mass]
 */
import { hashId, unit } from '../src/lib/hash.ts'
import { normalQuantile } from '../src/lib/normal-quantile.ts'
import { simulate } from '../src/simulator/simulator.ts'
import { idOf } from '../src/webgraph/web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, short, textOption } from './webs.ts'

const roundDays = { 'an hour': 1 / 24, 'a day': 1, '30 days': 30 }
const rateSalt = 10

export const timeScalesBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const { web } = generatedWeb(isSmall ? 60 : numberOption('pages', 2000))
  const { pages } = web.graph
  const rounds = isSmall ? 4 : numberOption('rounds', 5)
  const policies = (textOption('policy') ?? 'greedy,mass').split(',')
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const [round, days] of Object.entries(roundDays)) {
    const z = (page: number): number => normalQuantile(unit(hashId(idOf(web, page), rateSalt)))
    const changeRates = Float64Array.from(
      { length: pages },
      (_, page) => (Math.exp(Math.log(1 / 20) + 2 * z(page)) * 30) / days,
    )
    const options = { rate: pages / days, days: rounds * days, from: 0.6 * rounds * days, changeRates }
    const { runs } = await simulate(web, { ...options, recrawl: policies })
    const { runs: fixed } = await simulate(web, { ...options, recrawl: policies, horizon: 60 })
    runs.forEach(({ recrawl, freshness }, i) => {
      rows.push({
        round,
        policy: recrawl!,
        'weighted freshness': short(freshness!.weighted),
        regret: short(freshness!.regret!),
        'regret with a horizon of 60 days': short(fixed[i].freshness!.regret!),
      })
      check += freshness!.fetches
    })
  }
  return { rows, check }
}

await benchmarkMain(import.meta.url, timeScalesBenchmark)
