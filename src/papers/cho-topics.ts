/**
 * Graphs 7 to 10 of Cho, Garcia-Molina and Page, 1998: crawlers with a topic. A page is hot if its title has
 * the topic's word, or its body has it ten times; in Graphs 9 and 10 it must also have five backlinks. Two
 * further orderings are compared with the paper's: by similarity of anchors, and by the model that learns
 * during the crawl.
 */
import { percentOf } from '../lib/amounts.ts'
import type { Series } from '../view/pictures/plot.ts'
import type { Figure, Section, Table } from '../view/report/report.ts'
import type { TopicResults } from './cho-claims.ts'
import { byOrder, choDamping, choNames, choOrders } from './cho-orders.ts'
import { crawledAxis, idealLine, listed, mean, percentCurve, randomLine } from './curves.ts'
import type { Trial, Trials } from './trials.ts'

const ours = ['anchor-similarity', 'learned-topic'] as const
const backlinksMin = 5

interface TopicTrials {
  readonly topic: string
  readonly about: string
  readonly rule: string
  readonly combined: string
  /** Hot pages with two backlinks or more. */
  readonly linked: string
  readonly runs: ReadonlyMap<string, Trial>
}

/** No sections if the web has no words. */
export async function topicSections(
  trials: Trials,
): Promise<{ sections: Section[]; remarks: string[]; results: TopicResults | undefined }> {
  const computer = await topicTrials(trials, 'computer')
  const admission = await topicTrials(trials, 'admission')
  if (computer === undefined || admission === undefined) {
    return {
      sections: [],
      results: undefined,
      remarks: ['Graphs 7 to 10 need the words of pages (--pages-content FILE).'],
    }
  }
  return {
    results: resultsOf(computer, admission),
    sections: [
      {
        title: 'Crawling for a topic',
        about: `Graphs 7 to 10, on ${computer.about}. The crawler keeps two queues, one of promising links and one of all others, each in one of the three orders.`,
        blocks: [
          graph(7, computer, 'hot-queue', computer.rule, 'links whose anchor or URL has the word'),
          graph(8, computer, 'near-hot', computer.rule, 'and pages within two links of a hot one'),
          graph(9, computer, 'near-hot', computer.combined, 'hot pages with five backlinks'),
          graph(10, admission, 'near-hot', admission.combined, 'hot pages with five backlinks'),
          table('computer', computer),
          table('admission', admission),
        ],
      },
    ],
    remarks: [
      'The paper’s text has “within 3 links of a hot page”, its program distances below 3: we follow the program. “More than 10” occurrences in the text are “10 or more” in the program: again we follow the program. Paper and slides swap the names of the two algorithms.',
      'Words are compared by their stems, so that “admissions” matches “admission”.',
    ],
  }
}

async function topicTrials(trials: Trials, topic: string): Promise<TopicTrials | undefined> {
  const rule = `title:${topic} or body:${topic}>=10`
  const combined = `(${rule}) and backlinks>=${backlinksMin}`
  const linked = `(${rule}) and backlinks>=2`
  const topical = await trials.onTopic({ query: topic, language: 'en', watchedRules: [rule] })
  if (topical === undefined) return undefined
  const names = ['hot-queue', 'near-hot'].flatMap((queues) => choOrders.map((order) => `${queues}-${order}`))
  const strategies = [...names, ...ours]
  const runs = await topical.trials.run(
    strategies,
    { damping: choDamping, hot: [rule, combined, linked] },
    undefined,
    topical.words,
  )
  return {
    topic,
    about: topical.trials.about,
    rule,
    combined,
    linked,
    runs: new Map(strategies.map((strategy, i) => [strategy, runs[i]])),
  }
}

const hotOf = ({ runs }: TopicTrials, strategy: string, rule: string) =>
  runs.get(strategy)!.result.hot.find((hot) => hot.rule === rule)!
const pst = (trials: TopicTrials, strategy: string, rule: string): number[] =>
  hotOf(trials, strategy, rule).pst

function graph(number: number, trials: TopicTrials, queues: string, rule: string, what: string): Figure {
  const { hot } = hotOf(trials, `${queues}-breadth-first`, rule)
  const pages = pagesOf(trials)
  const curves = choOrders.map((order) => ({ order, curve: pst(trials, `${queues}-${order}`, rule) }))
  const series: Series[] = curves.map(({ order, curve }, look) => ({
    name: choNames[order],
    points: percentCurve(curve),
    look,
  }))
  const means = curves.map(({ order, curve }) => `${choNames[order]} ${percentOf(mean(curve))}`)
  return {
    kind: 'figure',
    id: `graph-${number}`,
    plot: {
      title: `Graph ${number}: ${trials.topic}, ${what}`,
      x: crawledAxis,
      y: { label: 'P_ST, hot pages found', numbering: 'percent', min: 0, max: 100 },
      series: [...series, idealLine('ideal', hot, pages), randomLine(100)],
    },
    caption: `${hot} of ${pages} pages are hot (${percentOf(hot / Math.max(1, pages))}). On average over the crawl: ${listed(means)}.`,
  }
}

const pagesOf = ({ runs }: TopicTrials): number => [...runs.values()][0].result.visited

function table(id: string, trials: TopicTrials): Table {
  const { topic, rule, combined, runs } = trials
  const columns = (group: string) =>
    ['10%', '20%', '40%', '60%', 'mean'].map((title) => ({ title, numbering: 'percent' as const, group }))
  const cells = (strategy: string, by: string): number[] => {
    const curve = pst(trials, strategy, by)
    return [curve[9], curve[19], curve[39], curve[59], mean(curve)].map((share) => share * 100)
  }
  return {
    kind: 'table',
    id: `topic-${id}`,
    title: `Hot pages found: ${topic}`,
    columns: [{ title: 'ordering' }, ...columns('on the topic'), ...columns('and five backlinks')],
    rows: [...runs.keys()].map((strategy) => [
      strategy,
      ...cells(strategy, rule),
      ...cells(strategy, combined),
    ]),
    caption: `P_ST after 10, 20, 40 and 60% of the web, and its mean over the crawl (the area under the curve). ${versus(trials)}`,
  }
}

/** The difference between the model and the best of the paper's orderings. */
function versus(trials: TopicTrials): string {
  const theirs = [...trials.runs.keys()].filter((name) => !ours.includes(name as (typeof ours)[number]))
  const best = theirs
    .map((name) => ({ name, area: mean(pst(trials, name, trials.rule)) }))
    .toSorted((a, b) => b.area - a.area)[0]
  const learned = mean(pst(trials, 'learned-topic', trials.rule))
  const by = percentOf(Math.abs(learned - best.area))
  return learned > best.area
    ? `learned-topic has ${by} of the whole more area on the topic than ${best.name}, the best of the paper’s.`
    : `learned-topic has ${by} of the whole less area on the topic than ${best.name}, the best of the paper’s.`
}

function resultsOf(computer: TopicTrials, admission: TopicTrials): TopicResults {
  const curves = (trials: TopicTrials, queues: string, rule: string) =>
    byOrder((order) => pst(trials, `${queues}-${order}`, rule))
  const { hot } = hotOf(computer, 'near-hot-breadth-first', computer.rule)
  const several = hotOf(computer, 'near-hot-breadth-first', computer.linked)
  return {
    hotQueue: curves(computer, 'hot-queue', computer.rule),
    nearHot: curves(computer, 'near-hot', computer.rule),
    combined: curves(computer, 'near-hot', computer.combined),
    otherTopic: curves(admission, 'near-hot', admission.combined),
    oneBacklink: 1 - several.hot / Math.max(1, hot),
  }
}
