/**
 * Statistics of topical webs, by seed: hot pages of the first two topics, how they are linked, and how often
 * links and URLs name the topic. `npm run bench -- topical-web`; the table is in bench/RESULTS.md.
 */
import { hotShape, topicLocality } from '../test/topic-shape.ts'
import { topicalWeb } from '../src/webgraph/synthetic/topical-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'

export const topicalWebBenchmark: Benchmark = (size) => {
  const pages = size === 'small' ? 2_000 : 20_000
  const rows: Record<string, string | number>[] = []
  let check = 0
  for (const seed of size === 'small' ? [1] : [1, 2, 3, 4, 5]) {
    const web = topicalWeb({ pages, seed })
    const { inSite, between } = topicLocality(web)
    const row: Record<string, string | number> = {
      seed,
      'same topic in the site': rounded(inSite.sameShare),
      'by chance': rounded(inSite.baseShare),
      'between sites': rounded(between.sameShare),
      'by chance there': rounded(between.baseShare),
    }
    for (const topic of [0, 1]) {
      const { word, ...shape } = hotShape(web, topic)
      check += shape.hot
      for (const [name, value] of Object.entries(shape)) row[`${word} ${name}`] = rounded(value)
    }
    rows.push(row)
  }
  return { rows, check }
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

await benchmarkMain(import.meta.url, topicalWebBenchmark)
