/**
 * Whether the weights of `corrected-pagerank` hold for webs that other programs made. The webs of a folder are grouped by the
 * program that made them. For each group, the weights are chosen again on all other groups, and judged on the group left out.
 *
 *   npm run bench -- left-out --webs WEBS [--candidates 48] [--max 2500] [--starts 2]
 *
 * WEBS as of `npm run bench -- orders`. Candidates: the present weights, and weights drawn between 0 and twice these, with a fixed seed. The
 * best has the largest mean share of the gap closed (a web counts as -100% at least), less 0.3 times the share of webs on which it is behind by
 * more than 0.001.
 */
import { chosenWeights, correctedPageRank } from '../src/engine/strategies/corrected-pagerank.ts'
import { seededRandom } from '../src/lib/random.ts'
import { repetitions } from '../src/simulator/repeats.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { cumulativeImportance } from '../src/webgraph/measures/cumulative-importance.ts'
import type { Web } from '../src/webgraph/web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { documentation } from './documentation-list.ts'
import { websOf } from './documentation-webs.ts'
import { behindMin, gapMin, published } from './orders.bench.ts'
import { generatedWeb, numberOption, short, tell, textOption, type NamedWeb } from './webs.ts'

type Weights = typeof chosenWeights

interface Judged {
  readonly maker: string
  readonly best: number
  readonly gap: number
  /** Average cumulative PageRank of each candidate. */
  readonly averages: readonly number[]
}

/** Makers of few webs are left out together. */
const groups: readonly (readonly string[])[] = [
  ['doxygen'],
  ['javadoc'],
  ['sphinx'],
  ['gtk-doc', 'docbook', 'texinfo', 'boost', 'petsc', 'fpdoc'],
]
const others = 'own, haddock, ocamldoc, qdoc, natural-docs'

export const leftOutBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const candidates = drawnWeights(isSmall ? 3 : numberOption('candidates', 48))
  const judged: Judged[] = []
  for await (const { name, web } of isSmall ? generatedWebs() : websOf(textOption('webs') ?? '.')) {
    if (web.graph.pages > numberOption('max', 2500)) continue
    const maker = documentation.find((each) => each.name === name)?.maker ?? name
    const result = await judge(maker, web, candidates, isSmall ? 1 : numberOption('starts', 2))
    if (result.gap >= gapMin) judged.push(result)
    if (!isSmall) tell(`${name}: ${result.averages.map(short).join(' ')}`)
  }
  return { rows: rowsOf(judged), check: judged.reduce((sum, { averages }) => sum + averages[0], 0) }
}

function drawnWeights(count: number): Weights[] {
  const random = seededRandom(11)
  const drawn = (weight: number): number => (2 * weight * random.below(1001)) / 1000
  const names = Object.keys(chosenWeights) as (keyof Weights)[]
  return Array.from({ length: count }, (_, i) =>
    i === 0
      ? chosenWeights
      : (Object.fromEntries(names.map((name) => [name, drawn(chosenWeights[name])])) as Weights),
  )
}

async function judge(
  maker: string,
  web: Web,
  candidates: readonly Weights[],
  starts: number,
): Promise<Judged> {
  const choices: RunOptions['strategy'][] = [
    ...published,
    'omniscient',
    ...candidates.map(
      (weights): RunOptions['strategy'] =>
        ({ damping }) =>
          correctedPageRank({ damping, weights }),
    ),
  ]
  const sums = choices.map(() => 0)
  const repeated = repetitions(web, { count: starts, seed: 1 })
  for (const { seeds } of repeated) {
    const simulated = await prepareWeb(web, { seeds, damping: 0.85, needsUrls: true })
    for (const [i, strategy] of choices.entries()) {
      const { order } = await runSimulation(simulated, { strategy })
      sums[i] += cumulativeImportance(order, simulated.pageRank).average / repeated.length
    }
  }
  const best = Math.max(...sums.slice(0, published.length))
  const gap = sums[published.length] - best
  return { maker, best, gap, averages: sums.slice(published.length + 1) }
}

interface Summary {
  readonly mean: number
  readonly median: number
  readonly behind: number
  readonly objective: number
}

/** Of one candidate for each web. */
function summaryOf(webs: readonly Judged[], candidateOf: (web: Judged) => number): Summary {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const ahead = webs.map((web) => web.averages[candidateOf(web)] - web.best)
  const closed = webs.map(({ gap }, i) => ahead[i] / gap)
  const sorted = closed.toSorted((a, b) => a - b)
  const behind = ahead.filter((each) => each < -behindMin).length
  return {
    mean: mean(closed),
    median: mean([sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]),
    behind,
    objective: mean(closed.map((share) => Math.max(-1, share))) - (0.3 * behind) / Math.max(1, webs.length),
  }
}

function rowsOf(judged: readonly Judged[]): BenchmarkResult['rows'] {
  const groupOf = ({ maker }: Judged): string =>
    groups.find((makers) => makers.includes(maker))?.join(', ') ?? others
  const names = [...new Set(judged.map(groupOf))]
  const chosen = new Map(names.map((name) => [name, bestWithout(judged, (web) => groupOf(web) === name)]))
  const candidateOf = (web: Judged): number => chosen.get(groupOf(web))!
  const row = (name: string, webs: readonly Judged[]): BenchmarkResult['rows'][number] => {
    const [refitted, present] = [summaryOf(webs, candidateOf), summaryOf(webs, () => 0)]
    return {
      'left out': name,
      webs: webs.length,
      'gap closed, mean': percent(refitted.mean),
      median: percent(refitted.median),
      behind: refitted.behind,
      'present weights, mean': percent(present.mean),
      'present, median': percent(present.median),
      'present, behind': present.behind,
      candidate: chosen.get(name) ?? '',
    }
  }
  const rows = names.map((name) =>
    row(
      name,
      judged.filter((web) => groupOf(web) === name),
    ),
  )
  return [...rows, row('all, each left out in turn', judged)]
}

/** The best candidate on the webs that are not left out. */
function bestWithout(judged: readonly Judged[], isLeftOut: (web: Judged) => boolean): number {
  const webs = judged.filter((web) => !isLeftOut(web))
  const objectives = judged[0].averages.map((_, i) => summaryOf(webs, () => i).objective)
  return objectives.indexOf(Math.max(...objectives))
}

const percent = (share: number): string => `${Math.round(100 * share)}%`

function* generatedWebs(): Generator<NamedWeb> {
  for (const [seed, name] of ['doxygen', 'sphinx'].entries()) yield { ...generatedWeb(400, 1 + seed), name }
}

await benchmarkMain(import.meta.url, leftOutBenchmark)
