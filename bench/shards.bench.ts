/**
 * Order quality on several shards and workers, in a simulated cluster without faults, against the single engine: the average
 * cumulative PageRank of whole crawls, and with `--goal 0.9` the downloads to that proven coverage.
 *
 *   npm run bench -- shards --web uci-ics-open --strategies exact-rankmass,opic --shards 1,16 --workers 1,8
 */
import { lastOnly } from '../src/engine/patience.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { judge } from '../src/simulator/judgement.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import {
  generatedWeb,
  markdownTable,
  numberOption,
  realWeb,
  tell,
  textOption,
  type NamedWeb,
} from './webs.ts'

interface Figures {
  readonly value: number
  readonly seconds: number
}

export const shardsBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const goal = numberOption('goal', 0)
  const strategies = listOption('strategies', isSmall ? 'exact-rankmass,opic' : 'exact-rankmass')
  const shards = listOption('shards', isSmall ? '1,4' : '1,4,16,64').map(Number)
  const workers = listOption('workers', isSmall ? '2' : '1,4,8').map(Number)
  const speed = numberOption('speed', goal > 0 ? 1 : 100)
  const patience = numberOption('patience', lastOnly)
  const named = isSmall ? generatedWeb(2_000) : await webOfName(textOption('web') ?? 'uci-ics')
  if (named === undefined) return { rows: [], check: 0 }
  const { name, web } = named
  const seeds = [bestSeed(web.graph).seed]
  const prepared = await prepareWeb(web, { seeds, damping: 0.85, needsHistory: false })
  const measure = (options: RunOptions): Promise<Figures> => figures(prepared, options)
  const goalOptions = goal > 0 ? { coverage: goal } : {}
  const rows: Record<string, string | number>[] = []
  let check = 0
  for (const strategy of strategies) {
    const single = await measure({ strategy, ...goalOptions })
    tell(`${name}, ${strategy}: ${single.value} on one engine`)
    for (const count of workers) {
      const row: Record<string, string | number> = {
        web: name,
        strategy,
        workers: count,
        'one engine': shown(single.value),
      }
      for (const each of shards) {
        if (each < count && each > 1) continue
        if (each === 1 && count > 1) continue
        const cluster = { shards: each, workers: count, speed } as const
        const { value, seconds } = await measure({ strategy, ...goalOptions, patience, cluster })
        row[`${each} shards`] = `${shown(value)} (${(value / single.value).toFixed(4)})`
        check += value
        tell(
          `${name}, ${strategy}, ${each} shards, ${count} workers: ${value}, ${Math.round(seconds)} virtual seconds`,
        )
      }
      rows.push(row)
    }
  }
  if (!isSmall) console.log(`${markdownTable(rows)}\n`)
  return { rows, check }
}

const shown = (value: number): string => (value < 1 ? value.toFixed(5) : String(value))

/** The downloads to the goal, or else the average cumulative PageRank. */
async function figures(web: SimulatedWeb, options: RunOptions): Promise<Figures> {
  const record = await runSimulation(web, options)
  const seconds = record.cluster?.seconds ?? 0
  if (options.coverage !== undefined) return { value: record.order.length, seconds }
  const { averageCumulativePagerank } = await judge(web, record, options)
  return { value: averageCumulativePagerank, seconds }
}

function webOfName(name: string): Promise<NamedWeb | undefined> {
  return name === 'generated' ? Promise.resolve(generatedWeb(numberOption('pages', 100_000))) : realWeb(name)
}

function listOption(name: string, otherwise: string): string[] {
  return (textOption(name) ?? otherwise).split(',')
}

await benchmarkMain(import.meta.url, shardsBenchmark)
