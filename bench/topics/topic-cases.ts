/** Topics of a test web: those of its words that have neither too few nor too many hot pages. */
import { bestSeed } from '../../src/webgraph/reachability.ts'
import { crawlAndStopWithThreshold } from '../../src/webgraph/measures/crawl-and-stop.ts'
import { parseHotRules, type HotPages } from '../../src/webgraph/measures/hot-rule.ts'
import { runSimulation, type RunOptions } from '../../src/simulator/run.ts'
import { prepareWeb, type SimulatedWeb } from '../../src/simulator/simulated-web.ts'
import { wordMetrics } from '../../src/simulator/topic-run.ts'
import { makeTopic, webWords, type WebWords, type WordsOfPage } from '../../src/simulator/web-words.ts'
import type { PageWords } from '../../src/web/topic/page-digest.ts'
import type { TopicSettings } from '../../src/web/topic/topic.ts'
import { canonicalUrl } from '../../src/web/url/canonical-url.ts'
import type { TestWeb } from './test-webs.ts'

export interface TopicCase {
  readonly web: Pick<TestWeb, 'family' | 'name'>
  readonly topic: string
  readonly rule: string
  readonly simulated: SimulatedWeb
  readonly hot: number
}

const hotMin = 10
const hotMax = 300
const damping = 0.9

/** Up to `count` topics, in the order of the web's list of words. */
export async function* topicCases(test: TestWeb, count: number): AsyncGenerator<TopicCase> {
  const seeds = [bestSeed(test.web.graph).seed]
  const pages = wordsOfPages(test)
  const rules = test.topics.map((topic) => ruleOf(topic, test.hotInBody))
  const all: TopicSettings = { query: test.topics[0], language: 'en', watchedRules: rules }
  // The texts are read once, for the words of all topics.
  const allWords = await webWords(test.web, contents(pages), { topic: all, urlKey })
  const scope = await prepareWeb(test.web, { seeds, damping, words: allWords })
  let chosen = 0
  for (const [i, rule] of rules.entries()) {
    const hot = (await hotPagesOf(scope, rule)).count
    if (hot < hotMin || hot > hotMax) continue
    const settings = { query: test.topics[i], hot: rule, language: 'en' }
    const linkWords = await webWords(test.web, contents(pages.map(withoutText)), { topic: settings, urlKey })
    const words = await withCounts(linkWords, allWords)
    const simulated = await prepareWeb(test.web, { seeds, damping, words })
    yield { web: { family: test.family, name: test.name }, topic: test.topics[i], rule, simulated, hot }
    if (++chosen === count) return
  }
}

/** The area under P_ST: the mean share of hot pages found, over the crawl. */
export async function areaOf({ simulated, rule }: TopicCase, options: RunOptions): Promise<number> {
  const { order } = await runSimulation(simulated, options)
  const { pst } = crawlAndStopWithThreshold(order, await hotPagesOf(simulated, rule))
  return pst.reduce((sum, share) => sum + share, 0) / pst.length
}

async function hotPagesOf(simulated: SimulatedWeb, rule: string): Promise<HotPages> {
  const metrics = {
    pagerank: () => simulated.pageRank,
    backlinks: () => simulated.backlinks,
    forwardLinks: () => simulated.backlinks,
    ...(await wordMetrics(simulated)),
  }
  return parseHotRules([rule])[0].hotPages(metrics)
}

const ruleOf = (topic: string, hotInBody: number): string => `title:${topic} or body:${topic}>=${hotInBody}`

const withoutText = (words: PageWords): PageWords => ({ ...words, title: '', body: '' })

async function* contents(pages: readonly PageWords[]): AsyncGenerator<WordsOfPage> {
  for (const [page, words] of pages.entries()) yield { page, words }
}

/** The words of all pages, with the anchors of those links that the web has. */
function wordsOfPages({ web, wordsOf }: TestWeb): PageWords[] {
  const cursor = web.graph.cursor()
  return Array.from({ length: web.graph.pages }, (_, page) => {
    const url = web.urls!.at(page)
    const words = wordsOf(page) ?? { url, title: '', body: '', links: [] }
    const anchors = new Map<string, string>()
    for (const link of words.links) {
      const key = urlKey(link.url)
      const before = anchors.get(key)
      anchors.set(key, before === undefined ? link.anchor : `${before} ${link.anchor}`)
    }
    cursor.seek(page)
    const links = Array.from(cursor.targets.subarray(cursor.start, cursor.end), (to) => {
      const target = web.urls!.at(to)
      return { url: target, anchor: anchors.get(urlKey(target)) ?? '' }
    })
    return { ...words, links }
  })
}

/** The words of one topic's links, with the texts and counts of those read for all topics. */
async function withCounts(words: WebWords, all: WebWords): Promise<WebWords> {
  const { watched } = await makeTopic(words.topic)
  const allWatched = (await makeTopic(all.topic)).watched
  const columns = watched.map((word) => allWatched.indexOf(word))
  const picked = (counts: Uint16Array): Uint16Array =>
    Uint16Array.from(
      { length: (counts.length / all.watched) * watched.length },
      (_, i) => counts[Math.floor(i / watched.length) * all.watched + columns[i % watched.length]],
    )
  const { cells, counts, cellStarts, cellEnds } = all
  return { ...words, title: picked(all.title), body: picked(all.body), cells, counts, cellStarts, cellEnds }
}

/** A URL without its scheme: stored webs do not distinguish http and https. */
function urlKey(url: string): string {
  return (canonicalUrl(url) ?? url).replace(/^https?:\/\//, '')
}
