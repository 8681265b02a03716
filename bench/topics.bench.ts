/**
 * How robust `learned-topic` is: on every topic of every web it is compared with the best of the six orderings of
 * Cho et al. for that topic, by the area under P_ST.
 *
 *   npm run bench -- topics [--family uci-ics|wikispeedia|generated] [--topics 10] [--draw 0]
 *
 * `--draw N` crawls other webs of the same kinds: how much differences between orderings owe to chance.
 *
 * The initial weights of the model are means of the weights that it ends with if it starts with guessed ones and
 * large variances. `leave-one-out` crawls each family of webs with means from the two other families alone.
 */
import { groupedBy } from '../src/lib/grouped-by.ts'
import { learnedTopic, type LearnedTopicOptions } from '../src/engine/strategies/learned-topic.ts'
import { firstHotWeights } from '../src/engine/strategies/hot-expectation.ts'
import { partOf } from '../src/engine/strategies/recomputed-pagerank.ts'
import { topicalStrategies } from '../src/engine/strategies/topical.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { testWebs, type TestWeb } from './topics/test-webs.ts'
import { areaOf, topicCases, type TopicCase } from './topics/topic-cases.ts'
import { markdownTable, numberOption, tell, textOption } from './webs.ts'

const names = Object.keys(topicalStrategies)
const six = names.filter((name) => name.startsWith('hot-queue') || name.startsWith('near-hot'))
const tolerated = 0.01

/** Guessed weights of the model, which evidence may change freely. */
const guessed = [-3, 1.5, 2, 1.5, 1, 2, 1, 0.5, 2, 2, 0.3, 2].map((mean, i) => ({
  mean,
  variance: i === 0 ? 4 : 0.3,
}))

interface Compared {
  readonly topicCase: TopicCase
  /** The area of each ordering. */
  readonly areas: Map<string, number>
  /** The weights of the model at the end of a crawl that starts with guessed ones. */
  readonly weights: readonly number[]
}

export const topicsBenchmark: Benchmark = async (size) => {
  const only = textOption('family') as TestWeb['family'] | undefined
  const count = size === 'small' ? 3 : numberOption('topics', 10)
  const results: Compared[] = []
  for await (const test of testWebs(size, { only, draw: numberOption('draw', 0) }))
    for await (const topicCase of topicCases(test, count)) {
      const result = await compared(topicCase)
      if (size === 'full') tell(lineOf(result))
      results.push(result)
    }
  const families = groupedBy(results, ({ topicCase }) => topicCase.web.family)
  if (families.size > 1) for (const family of families.keys()) await leaveOut(family, results)
  const orderings = [...six, 'learned-topic', 'leave-one-out'].filter((name) => results[0].areas.has(name))
  const rows = [
    ...[...groupedBy(results, ({ topicCase }) => topicCase.web.name)].map(([web, some]) =>
      summary(web, some, 'learned-topic'),
    ),
    ...orderings.map((name) => summary('all', results, name)),
  ]
  if (size === 'full') console.log(`${markdownTable(rows)}\n\n${markdownTable(weightRows(families))}\n`)
  return { rows, check: results.reduce((sum, { areas }) => sum + areas.get('learned-topic')!, 0) }
}

async function compared(topicCase: TopicCase): Promise<Compared> {
  const areas = new Map<string, number>()
  for (const strategy of [...six, 'learned-topic'] as const)
    areas.set(strategy, await areaOf(topicCase, { strategy }))
  let weights: readonly number[] = []
  await learnedArea(topicCase, guessed, (now) => {
    weights = now
  })
  return { topicCase, areas, weights }
}

/** Crawls the webs of a family with initial weights from the other families. */
async function leaveOut(family: string, results: readonly Compared[]): Promise<void> {
  const others = results.filter(({ topicCase }) => topicCase.web.family !== family)
  const first = meanWeights(others).map((mean, i) => ({ mean, variance: firstHotWeights[i].variance }))
  for (const { topicCase, areas } of results)
    if (topicCase.web.family === family) areas.set('leave-one-out', await learnedArea(topicCase, first))
}

function learnedArea(
  topicCase: TopicCase,
  first: LearnedTopicOptions['first'],
  onLearned?: LearnedTopicOptions['onLearned'],
): Promise<number> {
  const every = partOf(topicCase.simulated.pages, 64)
  return areaOf(topicCase, { strategy: learnedTopic({ every, first, onLearned }) })
}

function meanWeights(results: readonly Compared[]): number[] {
  return guessed.map((_, i) => results.reduce((sum, { weights }) => sum + weights[i], 0) / results.length)
}

function weightRows(families: ReadonlyMap<string, readonly Compared[]>): Record<string, string>[] {
  return [...families].map(([family, results]) => ({
    family,
    'mean weights at the end': meanWeights(results)
      .map((weight) => weight.toFixed(1))
      .join(' '),
  }))
}

function lineOf({ topicCase, areas }: Compared): string {
  const { web, topic, hot } = topicCase
  const values = [...areas].map(([name, area]) => `${name} ${area.toFixed(3)}`)
  return `${web.name}, ${topic}, ${hot} hot: ${values.join(', ')}`
}

/** The difference of an ordering to the best of the six, over some topics. */
function summary(title: string, results: readonly Compared[], name: string): Record<string, string | number> {
  const differences = results.map(({ areas }) => {
    const best = Math.max(...six.map((each) => areas.get(each)!))
    return areas.get(name)! - best
  })
  const hot = results.map(({ topicCase }) => topicCase.hot)
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / differences.length
  return {
    web: title,
    ordering: name,
    topics: results.length,
    'hot pages': `${Math.min(...hot)} to ${Math.max(...hot)}`,
    'mean difference to the best of the six': mean.toFixed(3),
    'standard deviation': Math.sqrt(variance).toFixed(3),
    lowest: Math.min(...differences).toFixed(3),
    highest: Math.max(...differences).toFixed(3),
    [`topics below -${tolerated}`]: differences.filter((each) => each < -tolerated).length,
  }
}

await benchmarkMain(import.meta.url, topicsBenchmark)
