/**
 * How soon crawls with a topic find pages about it, and the cost of reading pages for it.
 *
 *   npm run bench -- topic [--topics computer,software] [--strategies learned-topic]   on the pages of uci-ics if present
 *
 * Each topic is crawled by the algorithms of Cho et al. 1998 (Figures 4 and 5, each with three orders), by
 * anchors, and by the learning model. Words are compared by their stems.
 */
import { existsSync } from 'node:fs'
import { generatedTopical } from '../src/cli/experiment/inputs.ts'
import { readWebWords } from '../src/simulator/contents/web-contents.ts'
import { readPageContents } from '../src/simulator/contents/page-contents.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import type { Web } from '../src/webgraph/web.ts'
import { judge } from '../src/simulator/judgement.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { makeTopic, type WebWords } from '../src/simulator/web-words.ts'
import { DocumentFrequencies } from '../src/web/topic/document-frequencies.ts'
import { PageDigester, type PageWords } from '../src/web/topic/page-digest.ts'
import { TopicReader } from '../src/web/topic/topic-reader.ts'
import type { TopicSettings } from '../src/web/topic/topic.ts'
import { extractText } from '../src/web/html/page.ts'
import { topicalStrategies } from '../src/engine/strategies/topical.ts'
import { bestSeconds, benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { markdownTable, realPath, realWeb, tell, textOption } from './webs.ts'

type Rows = BenchmarkResult['rows']

const backlinksMin = 5

export const topicBenchmark: Benchmark = async (size) => {
  const named = size === 'small' ? undefined : await realWeb('uci-ics')
  const contents = size === 'small' ? undefined : realPath('uci-ics.pages.jsonl.br')
  const topics = (textOption('topics') ?? 'computer,admission,software,student,security').split(',')
  const rows: Rows = []
  let check = 0
  for (const topic of size === 'small' ? ['computer'] : topics) {
    const settings = { query: topic, language: 'en', watchedRules: [ruleOf(topic)] }
    const { web, words } =
      named === undefined || contents === undefined
        ? await generatedTopical(settings, size === 'small' ? 600 : 40_000, 1)
        : { web: named.web, words: await readWebWords(named.web, contents, { topic: settings }) }
    for (const row of await crawls(web, words, topic)) {
      if (size === 'full') tell(JSON.stringify(row))
      check += Number(row['area'])
      rows.push(row)
    }
  }
  const cost = await costOfReading(size === 'small' ? undefined : contents)
  if (size === 'full') console.log(`${markdownTable(rows)}\n\n${markdownTable(cost)}\n`)
  return { rows: [...rows, ...cost], check }
}

const ruleOf = (topic: string): string => `title:${topic} or body:${topic}>=10`

async function crawls(web: Web, words: WebWords, topic: string): Promise<Rows> {
  const simulated = await prepareWeb(web, { seeds: [bestSeed(web.graph).seed], damping: 0.9, words })
  const hot = [ruleOf(topic), `(${ruleOf(topic)}) and backlinks>=${backlinksMin}`]
  const rows: Rows = []
  const only = textOption('strategies')?.split(',')
  for (const strategy of Object.keys(topicalStrategies)) {
    if (only !== undefined && !only.includes(strategy)) continue
    const run = await runSimulation(simulated, { strategy })
    const [onTopic, combined] = (await judge(simulated, run, { strategy, hot })).hot
    rows.push({
      topic: `${topic}, ${onTopic.hot} hot`,
      ordering: strategy,
      ...shares(onTopic.pst, ''),
      ...shares(combined.pst, `, ${backlinksMin} backlinks`),
    })
  }
  return rows
}

function shares(pst: readonly number[], suffix: string): Record<string, string> {
  const area = pst.reduce((sum, share) => sum + share, 0) / pst.length
  return {
    ...Object.fromEntries(
      [10, 20, 40, 60].map((percent) => [`${percent}%${suffix}`, pst[percent - 1].toFixed(3)]),
    ),
    [`area${suffix}`]: area.toFixed(4),
  }
}

/** Microseconds per page on one core, and the memory of the tables. */
async function costOfReading(path: string | undefined): Promise<Rows> {
  const pages = await somePages(path)
  const settings: TopicSettings = { query: 'computer science', language: 'en' }
  const topic = await makeTopic(settings)
  const digester = new PageDigester(topic)
  const reader = new TopicReader(topic, new DocumentFrequencies())
  const digests = pages.map((page) => digester.digest(page))
  const digest = await bestSeconds(3, () => pages.forEach((page) => digester.digest(page)))
  const read = await bestSeconds(3, () => digests.forEach((each) => reader.read(each)))
  const micros = (seconds: number): string => ((1e6 * seconds) / pages.length).toFixed(1)
  const chars = pages.reduce((sum, page) => sum + page.body.length, 0) / pages.length
  return [
    {
      pages: pages.length,
      'characters a page': Math.round(chars),
      'µs a page to count its words and those of its links': micros(digest),
      'µs a page to score it': micros(read),
      'bytes of the idf table': new DocumentFrequencies().counts.byteLength,
      'bytes of the model': 2 * 4 * 65_536,
    },
  ]
}

async function somePages(path: string | undefined): Promise<PageWords[]> {
  const pages: PageWords[] = []
  if (path === undefined || !existsSync(path)) {
    return Array.from({ length: 50 }, (_, i) => ({
      url: `http://a.example/${i}`,
      title: `Page ${i}`,
      body: `computer science ${i} `.repeat(100),
      links: [],
    }))
  }
  for await (const { url, content } of readPageContents(path)) {
    const { title, text, links } = extractText(content, url)
    pages.push({ url, title, body: text, links })
    if (pages.length === 2_000) break
  }
  return pages
}

await benchmarkMain(import.meta.url, topicBenchmark)
