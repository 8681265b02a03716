/**
 * Average cumulative PageRank and Kendall's tau of every strategy on real webs and a generated one, compared
 * with Castillo's thesis (Table 4.1: a crawl of 3.5 million pages of .cl, and for some rows of .gr), as a
 * Markdown table.
 */
import { bestSeed } from '../src/webgraph/reachability.ts'
import { judge } from '../src/simulator/judgement.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { strategies } from '../src/engine/strategies/index.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { generatedWeb, markdownTable, realWeb, tell, withLocation, type NamedWeb } from './webs.ts'

/** Average cumulative PageRank and tau in the thesis. */
const thesis: Readonly<Record<string, readonly [average: string, tau: string]>> = {
  'backlink-count': ['0.4952', '0.0157'],
  'partial-pagerank': ['0.5221', '0.0236'],
  'breadth-first': ['0.6425', '0.1293'],
  'batch-pagerank': ['0.6341', '0.1961'],
  opic: ['0.6709', '0.2229'],
  'larger-sites-first': ['0.6749', '0.2498'],
  'historical-pagerank-zero': ['0.6758', '0.3573'],
  'historical-pagerank-random': ['0.6977', '0.3689'],
  'historical-pagerank-parent': ['0.7074', '0.3520'],
  'historical-pagerank-omniscient': ['0.7731', '0.6385'],
  omniscient: ['0.7427', '0.6504'],
}

export const strategyTableBenchmark: Benchmark = async (size) => {
  const ofThesis = Object.keys(thesis)
  const others = strategies
    .filter(({ name, needs }) => needs?.includes('topic') !== true && !ofThesis.includes(name))
    .map(({ name }) => name)
  const rows: Record<string, string | number>[] = [...ofThesis, ...others, 'ideal'].map((strategy) => {
    const [average, tau] = thesis[strategy] ?? ['', '']
    return { strategy, 'thesis, avg.': average, 'thesis, τ': tau }
  })
  let check = 0
  for await (const named of webs(size)) {
    const { name, web } = named
    const prepared = await prepareWeb(web, {
      seeds: [bestSeed(web.graph).seed],
      damping: 0.85,
      needsHistory: true,
    })
    const simulated = named.generated === true ? withLocation(named, prepared) : prepared
    for (const row of rows) {
      const strategy = String(row['strategy'])
      if (strategy === 'location' && simulated.location === undefined) continue
      const options = { strategy }
      const judged = await judge(simulated, await runSimulation(simulated, options), options)
      row[`${name}, avg.`] = judged.averageCumulativePagerank.toFixed(4)
      row[`${name}, τ`] = judged.kendallTauA.toFixed(4)
      check += judged.averageCumulativePagerank + judged.kendallTauA
      if (size === 'full') tell(`${name}: ${strategy} ${row[`${name}, avg.`]} ${row[`${name}, τ`]}`)
    }
  }
  if (size === 'full') console.log(`${markdownTable(rows)}\n`)
  return { rows, check }
}

async function* webs(size: 'small' | 'full'): AsyncGenerator<NamedWeb> {
  if (size === 'small') {
    yield generatedWeb(1_000)
    return
  }
  for (const name of ['cnr-2000', 'uci-ics']) {
    const real = await realWeb(name)
    if (real !== undefined) yield real
  }
  yield generatedWeb(200_000)
}

await benchmarkMain(import.meta.url, strategyTableBenchmark)
