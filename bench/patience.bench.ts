/**
 * What patience (S73) saves and costs: downloads and virtual time until a share of the importance is held, for several θ. With the
 * RankMass family the share is guaranteed; with others it is the share of the true PageRank.
 *
 *   npm run bench -- patience [--webs uci-ics,hollins,…] [--strategies exact-rankmass,opic,…] [--wait 15] [--connections 64]
 *     [--patience 0,0.01,0.05,0.1] [--pages 30000]
 *
 * A web may be a folder of recorded changes: --webs ../shared/data/changes/nlab.
 */
import { basename } from 'node:path'
import { hasRecordedChanges, readRecordedSite } from '../src/webgraph/formats/recorded-site-reader.ts'
import { webOfRecorded } from '../src/webgraph/recorded-site.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { runSimulation, type RunRecord } from '../src/simulator/run.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { generatedWeb, numberOption, realWeb, tell, textOption, type NamedWeb } from './webs.ts'

const levels = [0.5, 0.8, 0.9, 0.95, 0.98]

export const patienceBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const strategies = isSmall
    ? ['exact-rankmass', 'opic']
    : (textOption('strategies') ?? 'exact-rankmass').split(',')
  const shares = (isSmall ? '0,0.1,1' : (textOption('patience') ?? '0,0.01,0.05,0.1,0.3'))
    .split(',')
    .map(Number)
  const wait = isSmall ? 15 : numberOption('wait', 15)
  const connections = isSmall ? 8 : numberOption('connections', 64)
  const rows: Record<string, string | number>[] = []
  let check = 0
  for await (const { name, web } of webs(isSmall)) {
    const simulated = await prepareWeb(web, { seeds: [bestSeed(web.graph).seed], damping: 0.85 })
    for (const strategy of strategies) {
      for (const patience of shares) {
        const time = { connections, wait }
        const record = await runSimulation(simulated, {
          strategy,
          patience,
          time,
          coverage: coverageOf(strategy),
        })
        const reached = levels.map((level) => reachedAt(simulated, record, level))
        rows.push({
          web: name,
          strategy,
          θ: patience,
          ...Object.fromEntries(levels.map((level, i) => [level, textOf(record, reached[i])])),
        })
        check += reached.reduce((sum: number, pages) => sum + (pages ?? 0), 0)
        if (!isSmall) tell(Object.values(rows.at(-1)!).join(' | '))
      }
    }
  }
  return { rows, check }
}

/** A crawl with a guarantee ends at the last level. */
function coverageOf(strategy: string): number | undefined {
  return /rankmass/.test(strategy) ? levels.at(-1) : undefined
}

/** The number of downloads with which the level is reached. */
function reachedAt(web: SimulatedWeb, { guaranteed, order }: RunRecord, level: number): number | undefined {
  if (guaranteed.length > 0) {
    const at = guaranteed.findIndex((share) => share >= level)
    return at < 0 ? undefined : at
  }
  let held = 0
  for (let i = 0; i < order.length; i++) if ((held += web.pageRank[order[i]]) >= level) return i + 1
  return undefined
}

function textOf({ time }: RunRecord, pages: number | undefined): string {
  return pages === undefined || pages === 0 ? '–' : `${pages}, ${Math.round(time!.seconds[pages - 1])} s`
}

async function* webs(isSmall: boolean): AsyncGenerator<NamedWeb> {
  if (isSmall) {
    yield generatedWeb(1_000)
    return
  }
  for (const name of (textOption('webs') ?? 'uci-ics,hollins,california,generated').split(',')) {
    const web = name === 'generated' ? generatedWeb(numberOption('pages', 30_000)) : await storedWeb(name)
    if (web !== undefined) yield web
  }
}

/** By the name of an edge list, or the path of a folder of recorded changes: the site as it was at the end. */
async function storedWeb(name: string): Promise<NamedWeb | undefined> {
  if (!hasRecordedChanges(name)) return realWeb(name)
  return { name: basename(name), web: webOfRecorded(await readRecordedSite(name)) }
}

await benchmarkMain(import.meta.url, patienceBenchmark)
