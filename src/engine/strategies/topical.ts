/** The strategies that follow a topic; part of the table in index.ts. */
import type { Strategy } from '../strategy.ts'
import { anchorSimilarity } from './anchor-similarity.ts'
import { backlinkCount } from './backlink-count.ts'
import { bestFirst } from './best-first.ts'
import { breadthFirst } from './breadth-first.ts'
import { hotQueue } from './hot-queue.ts'
import type { StrategyRow, StrategySetting } from './index.ts'
import { learnedTopic } from './learned-topic.ts'
import { pageRank, partOf } from './recomputed-pagerank.ts'

const cho = 'Cho, Garcia-Molina, Page 1998'

interface Order {
  readonly about: string
  readonly make: (setting: StrategySetting) => Strategy
}

const inOrderOfDiscovery: Order = { about: 'in order of discovery', make: breadthFirst }
const byBacklinks: Order = { about: 'by backlinks', make: backlinkCount }
const byPageRank: Order = {
  about: 'by PageRank',
  make: ({ damping, every, webPages }) => pageRank({ damping, every: every ?? partOf(webPages, 100) }),
}

const queue = (name: string, order: Order): StrategyRow => {
  const nearHot = name.startsWith('near-hot')
  const first = nearHot
    ? 'links that mention the topic or are within two links of a hot page'
    : 'links that mention the topic'
  return {
    about: `${first} first, ${order.about}`,
    source: cho,
    needs: ['topic'],
    make: (setting) => hotQueue(name, order.make(setting), { nearHot }),
  }
}

export const topicalStrategies = {
  'hot-queue-breadth-first': queue('hot-queue-breadth-first', inOrderOfDiscovery),
  'hot-queue-backlink-count': queue('hot-queue-backlink-count', byBacklinks),
  'hot-queue-pagerank': queue('hot-queue-pagerank', byPageRank),
  'near-hot-breadth-first': queue('near-hot-breadth-first', inOrderOfDiscovery),
  'near-hot-backlink-count': queue('near-hot-backlink-count', byBacklinks),
  'near-hot-pagerank': queue('near-hot-pagerank', byPageRank),
  'anchor-similarity': {
    about: 'the page whose anchor is most similar to the topic',
    source: cho,
    needs: ['topic'],
    combines: true,
    make: anchorSimilarity,
  },
  'best-first': {
    about: 'the page that the most relevant page links to',
    source: 'Menczer, Pant, Srinivasan 2004',
    needs: ['topic'],
    combines: true,
    make: bestFirst,
  },
  'learned-topic': {
    about: 'a model, learned while crawling, of which links lead to hot pages',
    source: 'Rankward',
    needs: ['topic'],
    combines: true,
    make: ({ every, webPages }) => learnedTopic({ every: every ?? partOf(webPages, 500) }),
  },
} satisfies Readonly<Record<string, StrategyRow>>
