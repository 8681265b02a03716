/** What the progress line of a crawl says is compared with what happens until its end. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { progressLine } from '../src/cli/crawl/frame.ts'
import { RecentRates } from '../src/cli/crawl/recent-rates.ts'
import { crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { budgetLeft, type Budgets } from '../src/crawler/read/budget-left.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const firstSeed = Number(process.env['SEED'] ?? 1)

/** Every line that could have been printed, with the state it was made from. */
async function linesOf(out: string, seed: number, budgets: Budgets) {
  const web = syntheticGraph({ pages: 60 + 40 * (seed % 5), sites: 1 + (seed % 4), seed, linksPerPage: 5 })
  const served = await serveWeb(web, { latencyMs: 1 })
  try {
    const lines: { readonly text: string; readonly pages: number; readonly bytes: number }[] = []
    const rates = new RecentRates()
    const options: CrawlOptions = {
      seeds: [served.urlOf(bestSeed(web.graph).seed)],
      out: join(folder, out),
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      threads: 1,
      connections: 4,
      warc: false,
      ...budgets,
      onEvent: (event) => {
        if (event.kind !== 'page') return
        const progress = running.progress()
        rates.add(progress)
        const read = rates.read()
        const view = {
          subject: '',
          progress,
          budgets,
          rates: read,
          left: budgetLeft(progress, budgets, read),
          isStopping: false,
        }
        lines.push({ text: progressLine(view), pages: progress.pages, bytes: progress.bytes })
      },
    }
    const running = crawl(options)
    return { lines, totals: await running.run() }
  } finally {
    await served.close()
  }
}

const cases: Budgets[] = [
  {},
  { pages: 40 },
  { pages: 5000 },
  { coverage: 0.6 },
  { pages: 100_000, seconds: 3600 },
]

const whole = (text: string): number => Number(text.replaceAll(',', ''))

describe('the progress line of a crawl', () => {
  it.each(cases)('states bounds that hold, and forecasts nothing, with the budgets %j', async (budgets) => {
    for (const seed of [firstSeed, firstSeed + 1, firstSeed + 2]) {
      const { lines, totals } = await linesOf(`${JSON.stringify(budgets)}-${seed}`, seed, budgets)
      expect(lines.length).toBeGreaterThan(10)
      const wrong = lines.filter(({ text, pages }) => {
        const [, certain] = /([\d.]+)% certain/.exec(text) ?? []
        const [, left] = /; left: ([\d,]+) pages? of the budget/.exec(text) ?? []
        const isLine =
          /^[^;]*?(; left: [^;]*of the budget(, [\d.:]+ (ms|s|min|h|d)( \d+ h)? at this rate)?)?$/.test(text)
        return (
          !isLine ||
          certain === undefined ||
          Number(certain) / 100 > totals.coverage.share + 1e-7 ||
          (text.includes('; left: ') && left !== undefined && totals.pages > pages + whole(left)) ||
          (left !== undefined && pages + whole(left) !== budgets.pages)
        )
      })
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
      // A budget of pages or time is always stated.
      const isStated = budgets.pages !== undefined
      expect(lines.every(({ text }) => text.includes('; left: ') === isStated)).toBe(true)
    }
  })
})
