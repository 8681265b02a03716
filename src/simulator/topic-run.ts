/** The topic of a simulated crawl: the readings of fetched pages, and the true relevance of all pages. */
import type { HotMetrics } from '../webgraph/measures/hot-rule.ts'
import { DocumentFrequencies } from '../web/topic/document-frequencies.ts'
import { countIn, TopicReader } from '../web/topic/topic-reader.ts'
import type { ReadingOf } from './worlds/page-links.ts'
import type { SimulatedWeb } from './simulated-web.ts'
import { digestAt, makeTopic, type WebWords } from './web-words.ts'

/** The reading of each fetched page: every crawl learns word frequencies from scratch. */
export async function readingsOf(web: SimulatedWeb): Promise<ReadingOf | undefined> {
  const { words } = web
  if (words === undefined) return undefined
  const reader = new TopicReader(await makeTopic(words.topic), new DocumentFrequencies(words.reference))
  return (node) => {
    const page = storedPageOf(web, node)
    const score = words.scores?.[page]
    return reader.read(digestAt(words, page), Number.isNaN(score) ? 0 : score)
  }
}

/** IS(P, Q) of every page of a scope, with the frequencies of the whole scope or of the reference. */
export async function trueSimilarity(
  words: WebWords,
  pages: number,
  storedPage: (page: number) => number,
): Promise<Float64Array> {
  const frequencies = new DocumentFrequencies(words.reference)
  for (let page = 0; page < pages; page++) frequencies.add(digestAt(words, storedPage(page)).cells)
  const reader = new TopicReader(await makeTopic(words.topic), frequencies)
  return Float64Array.from({ length: pages }, (_, page) => reader.likeness(digestAt(words, storedPage(page))))
}

/** The word counts that rules for hot pages may use. */
export async function wordMetrics(
  web: SimulatedWeb,
): Promise<Pick<HotMetrics, 'words' | 'similarity' | 'score'>> {
  const { words, similarity, pages } = web
  if (words === undefined) return {}
  const topic = await makeTopic(words.topic)
  const { scores } = words
  return {
    words: (field, word) => {
      const index = topic.indexOf(topic.wordOf(word))
      return Float64Array.from({ length: pages }, (_, page) =>
        countIn(digestAt(words, storedPageOf(web, page)), field, index),
      )
    },
    similarity: () => similarity,
    score: () =>
      scores &&
      Float64Array.from({ length: pages }, (_, page) => {
        const score = scores[storedPageOf(web, page)]
        return Number.isNaN(score) ? 0 : score
      }),
  }
}

function storedPageOf({ storedPages }: SimulatedWeb, page: number): number {
  return storedPages === undefined ? page : storedPages[page]
}
