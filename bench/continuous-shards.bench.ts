/**
 * Does a cluster keep pages as fresh as one machine does, at the same rate? A generated web whose pages change, crawled by one engine and by
 * the workers of a simulated cluster: weighted freshness over the last third, and the most fetches within any second, beside the rate.
 *
 *   npm run bench -- continuous-shards [--pages 4000] [--strategies opic] [--shards 1,16,64] [--workers 1,4,8] [--rounds 8] [--rate 10]
 *
 * Times are short: a round of all pages takes minutes. What policies choose does not depend on the unit of time (S71), but messages between
 * workers take as long as on a slow web, so this is the harder case.
 */
import { runRecrawl } from '../src/simulator/recrawl-run.ts'
import type { RecrawlRecord } from '../src/simulator/look-log.ts'
import { kindOf } from '../src/simulator/run-kind.ts'
import type { RunOptions } from '../src/simulator/run.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { normalQuantile } from '../src/lib/normal-quantile.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, short, tell, textOption } from './webs.ts'

const daySeconds = 86_400
/** Of the logarithms of change rates, as of drawn ones (S63). */
const rateSpread = 2

export const continuousShardsBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const list = (name: string, small: string, full: string): string[] =>
    (isSmall ? small : (textOption(name) ?? full)).split(',')
  const pages = isSmall ? 300 : numberOption('pages', 4_000)
  const perSecond = isSmall ? 5 : numberOption('rate', 10)
  const rounds = isSmall ? 3 : numberOption('rounds', 8)
  const { name, web } = generatedWeb(pages)
  const roundDays = pages / perSecond / daySeconds
  const changeRates = Float64Array.from(
    { length: pages },
    (_, page) => Math.exp(rateSpread * normalQuantile(unit(hashId(page, 10)))) / (2 * roundDays),
  )
  const prepared = await prepareWeb(web, {
    seeds: [bestSeed(web.graph).seed],
    damping: 0.85,
    needsHistory: false,
    changeRates,
  })
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const strategy of list('strategies', 'opic', 'opic,exact-rankmass')) {
    for (const policy of list('policies', 'greedy', 'greedy')) {
      const days = rounds * roundDays
      const options: RunOptions = {
        strategy,
        recrawl: policy,
        recrawlOptions: { rate: perSecond * daySeconds, days, from: (2 / 3) * days, rest: 0, looks: true },
      }
      const one = await runRecrawl(prepared, options)
      const alone = one.freshness.weighted
      const row = { web: name, strategy, policy, shards: 0, workers: 1, ...figures(one, perSecond), ratio: 1 }
      rows.push(row)
      if (!isSmall) tell(JSON.stringify(row))
      for (const shards of list('shards', '4', '1,16,64').map(Number)) {
        for (const workers of list('workers', '2', '1,4,8').map(Number)) {
          if (workers > shards) continue
          const before = process.cpuUsage().user
          const record = await crawled(prepared, { ...options, cluster: { shards, workers } })
          const ratio = Math.round(1e4 * (record.freshness.weighted / alone)) / 1e4
          const shared = {
            web: name,
            strategy,
            policy,
            shards,
            workers,
            ...figures(record, perSecond),
            ratio,
          }
          rows.push(shared)
          check += record.freshness.fetches
          if (!isSmall)
            tell(JSON.stringify({ ...shared, cpu: short((process.cpuUsage().user - before) / 1e6) }))
        }
      }
    }
  }
  return { rows, check }
}

async function crawled(web: SimulatedWeb, options: RunOptions): Promise<RecrawlRecord> {
  return (await kindOf('cluster').run(web, options, {})) as RecrawlRecord
}

function figures(
  { freshness, looks, order }: RecrawlRecord,
  perSecond: number,
): Record<string, string | number> {
  const { days } = looks!
  const seconds = days.map((day) => day * daySeconds)
  const span = seconds[seconds.length - 1]
  return {
    weighted: Math.round(1e4 * freshness.weighted) / 1e4,
    'pages fetched': order.length,
    'of the rate': short(seconds.length / (span * perSecond)),
    'most in 10 s': mostWithin(seconds, 10),
  }
}

/** The most fetches within so many seconds. */
export function mostWithin(seconds: Float64Array, span: number): number {
  let most = 0
  for (let end = 0, start = 0; end < seconds.length; end++) {
    while (seconds[start] <= seconds[end] - span) start++
    most = Math.max(most, end - start + 1)
  }
  return most
}

await benchmarkMain(import.meta.url, continuousShardsBenchmark)
