/**
 * Speed of a crawl under the virtual clock. Events are the ends of latencies, transfers and rests of sites:
 * three per page at c = 1.
 *
 *   npm run bench -- timed-world [--pages 10000000] [--no-real]
 *
 * The last column compares with the same crawl without a clock.
 */
import { bestSeed } from '../src/webgraph/reachability.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { flag, generatedWeb, numberOption, realWeb, short, tell, timed, type NamedWeb } from './webs.ts'

const settings: readonly { connections: number; wait: number; bandwidth?: number }[] = [
  { connections: 64, wait: 15 },
  { connections: 1000, wait: 15 },
  { connections: 1000, wait: 15, bandwidth: 2_000_000 },
]

export const timedWorldBenchmark: Benchmark = async (size) => {
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for await (const { name, web } of webs(size)) {
    const seeds = [bestSeed(web.graph).seed]
    const simulated = await prepareWeb(web, { seeds, damping: 0.85 })
    const strategy = 'larger-sites-first'
    // The first run warms the code up.
    await runSimulation(simulated, { strategy, pages: 20_000, time: settings[0] })
    const bare = await timed(() => runSimulation(simulated, { strategy }))
    for (const time of settings) {
      const options: RunOptions = { strategy, time }
      const { seconds, result } = await timed(() => runSimulation(simulated, options))
      const { total, bytes, activeConnectionsMean } = result.time!.summary
      const row = {
        web: name,
        ...time,
        pages: result.order.length,
        'virtual days': short(total / 86_400),
        'robots busy': short(activeConnectionsMean),
        seconds: short(seconds),
        'k events/s': short((3 * result.order.length) / seconds / 1e3),
        'engine B/page': short(result.engineBytes / result.order.length),
        'time against no clock': short(seconds / bare.seconds),
      }
      if (size === 'full') tell(JSON.stringify(row))
      rows.push(row)
      check += bytes
    }
  }
  return { rows, check }
}

async function* webs(size: 'small' | 'full'): AsyncGenerator<NamedWeb> {
  if (size === 'small') {
    yield generatedWeb(2_000)
    return
  }
  const real = flag('no-real') ? undefined : await realWeb('cnr-2000')
  if (real !== undefined) yield real
  const pages = numberOption('pages', 10_000_000)
  if (pages > 0) yield generatedWeb(pages)
}

await benchmarkMain(import.meta.url, timedWorldBenchmark)
