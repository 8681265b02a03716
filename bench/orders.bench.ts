/**
 * How much `corrected-pagerank` closes of the gap between the best published order of a web and `omniscient`, by average
 * cumulative PageRank, mean of two starts: on real webs, on generated ones, and on webs made from documentation.
 *
 *   apt-get download sqlite3-doc && dpkg-deb -x sqlite3-doc_*.deb ROOTS/sqlite3-doc    # and so on
 *   npm run bench -- orders --roots ROOTS --webs WEBS [--min 0] [--max 6500] [--starts 2]
 *
 * Makes the web of each folder in ROOTS once, in WEBS.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { repetitions } from '../src/simulator/repeats.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { cumulativeImportance } from '../src/webgraph/measures/cumulative-importance.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { makeFolderWebs } from './folder-web.ts'
import {
  generatedWeb,
  markdownTable,
  numberOption,
  realWeb,
  tell,
  textOption,
  type NamedWeb,
} from './webs.ts'

/** Those of `rankward experiment orders`, and backlinks. */
const published = [
  'breadth-first',
  'backlink-count',
  'pagerank',
  'batch-pagerank',
  'partial-pagerank',
  'opic',
  'rankmass',
]
const own = 'corrected-pagerank'
const realWebs = ['hollins', 'california', 'wikispeedia', 'uci-ics', 'uci-ics-open', 'cnr-2000']
/** The constants were chosen on real webs, on generated ones and on documentation of at most this many pages. */
const tunedPagesMax = 2200

export const ordersBenchmark: Benchmark = async (size) => {
  const rows: Record<string, string | number>[] = []
  let check = 0
  for await (const { name, web } of webs(size)) {
    const averages = await averagesOf({ name, web }, size === 'small' ? 1 : numberOption('starts', 2))
    const [best] = published.toSorted((a, b) => averages[b] - averages[a])
    const gap = averages['omniscient'] - averages[best]
    const ahead = averages[own] - averages[best]
    const isHeldOut = !realWebs.includes(name) && web.graph.pages > tunedPagesMax
    rows.push({
      web: name,
      'held out': isHeldOut ? 'yes' : 'no',
      pages: web.graph.pages,
      'best published': best,
      'its average': averages[best].toFixed(4),
      [own]: averages[own].toFixed(4),
      omniscient: averages['omniscient'].toFixed(4),
      ahead: ahead.toFixed(4),
      'gap closed': gap > 1e-6 ? `${Math.round((100 * ahead) / gap)}%` : '–',
    })
    check += averages[own] + averages[best]
    if (size === 'full') tell(JSON.stringify(rows.at(-1)))
  }
  rows.sort((a, b) => String(b['held out']).localeCompare(String(a['held out'])))
  if (size === 'full') console.log(`${markdownTable(rows)}\n`)
  return { rows, check }
}

/** The average cumulative PageRank of each strategy. */
async function averagesOf({ web }: NamedWeb, starts: number): Promise<Record<string, number>> {
  const averages: Record<string, number> = {}
  const repeated = repetitions(web, { count: starts, seed: 1 })
  for (const { seeds } of repeated) {
    const simulated = await prepareWeb(web, { seeds, damping: 0.85, needsUrls: true })
    for (const strategy of [...published, own, 'omniscient']) {
      const { order } = await runSimulation(simulated, { strategy })
      const { average } = cumulativeImportance(order, simulated.pageRank)
      averages[strategy] = (averages[strategy] ?? 0) + average / repeated.length
    }
  }
  return averages
}

async function* webs(size: 'small' | 'full'): AsyncGenerator<NamedWeb> {
  if (size === 'small') {
    yield generatedWeb(1000)
    return
  }
  const min = numberOption('min', 0)
  const max = numberOption('max', 6500)
  for await (const named of allWebs()) {
    const { pages } = named.web.graph
    if (pages >= min && pages <= max) yield named
  }
}

async function* allWebs(): AsyncGenerator<NamedWeb> {
  const [roots, made] = [textOption('roots'), textOption('webs')]
  if (roots !== undefined && made !== undefined) makeFolderWebs(roots, made)
  for (const file of made === undefined ? [] : readdirSync(made).toSorted()) {
    if (!file.endsWith('.edges.tsv.gz')) continue
    const path = join(made!, file)
    const urls = path.replace('.edges.tsv.gz', '.urls.txt.gz')
    yield { name: basename(file, '.edges.tsv.gz'), web: await readGraph(path, { urls }) }
  }
  for (const name of realWebs) {
    const real = await realWeb(name)
    if (real !== undefined) yield real
  }
}

await benchmarkMain(import.meta.url, ordersBenchmark)
