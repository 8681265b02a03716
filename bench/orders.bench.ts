/**
 * How much `corrected-pagerank` closes of the gap between the best published order of a web and `omniscient`, by average
 * cumulative PageRank, mean of two starts: on webs made from documentation, on real webs and on generated ones.
 *
 *   npm run bench -- orders --webs WEBS --debian [--min 0] [--max 6500] [--starts 2]
 *   npm run bench -- orders --webs WEBS --roots ROOTS     with a web for each folder of HTML files in ROOTS
 *
 * `--debian` first makes the webs of documentation-list.ts that the folder WEBS lacks: on Debian 12, by `apt-get download`.
 */
import { generatedWebs } from '../src/papers/order-trials.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { repetitions } from '../src/simulator/repeats.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { cumulativeImportance } from '../src/webgraph/measures/cumulative-importance.ts'
import type { Web } from '../src/webgraph/web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { documentation } from './documentation-list.ts'
import { makeDocumentationWebs, websOf } from './documentation-webs.ts'
import { makeFolderWebs } from './folder-web.ts'
import {
  flag,
  generatedWeb,
  markdownTable,
  numberOption,
  realWeb,
  tell,
  textOption,
  type NamedWeb,
} from './webs.ts'

/** Those of `rankward experiment orders`, and backlinks. */
export const published = [
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
/** On a web with a smaller gap, every order is as good as any: its share says nothing. */
export const gapMin = 0.0003
export const behindMin = 0.001

interface Measured {
  readonly web: string
  /** The part that the web had in the choice of constants, and the program that made its pages. */
  readonly part: string
  readonly maker: string
  readonly pages: number
  readonly best: string
  readonly averages: Readonly<Record<string, number>>
  readonly ahead: number
  readonly gap: number
}

export const ordersBenchmark: Benchmark = async (size) => {
  const measured: Measured[] = []
  const starts = size === 'small' ? 1 : numberOption('starts', 2)
  for await (const { name, web } of webs(size)) {
    measured.push(await measure(name, web, starts))
    if (size === 'full') tell(JSON.stringify(rowOf(measured.at(-1)!)))
  }
  const telling = measured.filter(({ gap }) => gap >= gapMin)
  const rows = [...summaries(telling, 'part'), ...summaries(telling, 'maker'), ...measured.map(rowOf)]
  if (size === 'full') {
    for (const by of ['part', 'maker'] as const) console.log(`${markdownTable(summaries(telling, by))}\n`)
    console.log(`${markdownTable(measured.map(rowOf))}\n`)
  }
  const check = measured.reduce((sum, { averages, best }) => sum + averages[own] + averages[best], 0)
  return { rows, check }
}

async function measure(name: string, web: Web, starts: number): Promise<Measured> {
  const averages = await averagesOf(web, starts)
  const [best] = published.toSorted((a, b) => averages[b] - averages[a])
  const { part, maker } = documentation.find((each) => each.name === name) ?? {
    part: 'tuned on before',
    maker: realWebs.includes(name) ? 'real' : 'generated',
  }
  const ahead = averages[own] - averages[best]
  const gap = averages['omniscient'] - averages[best]
  return { web: name, part, maker, pages: web.graph.pages, best, averages, ahead, gap }
}

/** The average cumulative PageRank of each strategy. */
async function averagesOf(web: Web, starts: number): Promise<Record<string, number>> {
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

type Row = Record<string, string | number>

const percent = (share: number): string => `${Math.round(100 * share)}%`

function rowOf({ web, part, maker, pages, best, averages, ahead, gap }: Measured): Row {
  return {
    web,
    part,
    maker,
    pages,
    'best published': best,
    'its average': averages[best].toFixed(4),
    [own]: averages[own].toFixed(4),
    omniscient: averages['omniscient'].toFixed(4),
    ahead: ahead.toFixed(4),
    'gap closed': gap >= gapMin ? percent(ahead / gap) : '–',
  }
}

function summaries(measured: readonly Measured[], by: 'part' | 'maker'): Row[] {
  return [...new Set(measured.map((each) => each[by]))].map((value) => {
    const those = measured.filter((each) => each[by] === value)
    const shares = those.map(({ ahead, gap }) => ahead / gap).toSorted((a, b) => a - b)
    const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)
    return {
      [by]: value,
      webs: those.length,
      'gap closed, mean': percent(sum(shares) / shares.length),
      median: percent((shares[(shares.length - 1) >> 1] + shares[shares.length >> 1]) / 2),
      'of the sum of all gaps': percent(
        sum(those.map(({ ahead }) => ahead)) / sum(those.map(({ gap }) => gap)),
      ),
      [`behind by more than ${behindMin}`]: those.filter(({ ahead }) => ahead < -behindMin).length,
    }
  })
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
  if (made !== undefined && flag('debian')) makeDocumentationWebs(made)
  if (made !== undefined && roots !== undefined) makeFolderWebs(roots, made)
  if (made !== undefined) yield* websOf(made)
  for (const generated of generatedWebs(3000, 1)) yield generated()
  for (const name of realWebs) {
    const real = await realWeb(name)
    if (real !== undefined) yield real
  }
}

await benchmarkMain(import.meta.url, ordersBenchmark)
