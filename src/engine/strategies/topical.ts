/** The strategies that follow a topic; part of the table in index.ts. */
import type { Strategy } from '../strategy.ts'
import { anchorSimilarity } from './anchor-similarity.ts'
import { backlinkCount } from './backlink-count.ts'
import { breadthFirst } from './breadth-first.ts'
import { hotQueue } from './hot-queue.ts'
import type { StrategyEntry, StrategySetting } from './index.ts'
import { partOf } from './intervals.ts'
import { learnedTopic } from './learned-topic.ts'
import { pageRank } from './recomputed-pagerank.ts'

type Order = 'breadth-first' | 'backlink-count' | 'pagerank'

const cho = 'Cho, Garcia-Molina, Page 1998'

const orders: readonly { name: Order; words: string; make: (setting: StrategySetting) => Strategy }[] = [
  { name: 'breadth-first', words: 'in order of discovery', make: breadthFirst },
  { name: 'backlink-count', words: 'by backlinks', make: backlinkCount },
  {
    name: 'pagerank',
    words: 'by PageRank',
    make: ({ damping, every, webPages }) => pageRank({ damping, every: every ?? partOf(webPages, 100) }),
  },
]

const queues = (prefix: 'hot-queue' | 'near-hot', about: string, nearHot: boolean): StrategyEntry[] =>
  orders.map(({ name: order, words, make }) => {
    const name = `${prefix}-${order}` as const
    return {
      name,
      about: `${about} first, ${words}`,
      source: cho,
      needs: ['topic'],
      make: (setting) => hotQueue(name, make(setting), { nearHot }),
    }
  })

export const topicalStrategies: readonly StrategyEntry[] = [
  ...queues('hot-queue', 'links that mention the topic', false),
  ...queues('near-hot', 'links that mention the topic or are within two links of a hot page', true),
  {
    name: 'anchor-similarity',
    about: 'the page whose anchor is most similar to the topic',
    source: cho,
    needs: ['topic'],
    combines: true,
    make: anchorSimilarity,
  },
  {
    name: 'learned-topic',
    about: 'a model, learned while crawling, of which links lead to hot pages',
    source: 'Rankward',
    needs: ['topic'],
    combines: true,
    make: ({ every, webPages }) => learnedTopic({ every: every ?? partOf(webPages, 500) }),
  },
]
