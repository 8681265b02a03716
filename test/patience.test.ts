/** Patience over HTTP (S73). The engine's tests are in `src/engine/patience.test.ts`. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type CrawlOptions, type CrawlTotals } from '../src/crawler/crawler.ts'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { asCrawled, asCrawledText, isAsCrawled } from '../src/cli/simulate/crawl-input.ts'
import { statusText } from '../src/cli/status.ts'
import { defaultPatience } from '../src/crawler/options/scope-options.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { crawlSetting } from '../src/crawler/read/export/crawl-setting.ts'
import { readCrawlWeb } from '../src/crawler/read/export/crawl-web.ts'
import { crawlFigures } from '../src/crawler/read/figures/crawl-figures.ts'
import { status } from '../src/crawler/read/status.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import type { Counts } from '../src/crawler/record/tally.ts'
import { partPercent } from '../src/lib/amounts.ts'
import { simulate } from '../src/simulator/simulator.ts'
import type { Now } from '../src/view/dashboard/api/index.ts'
import { openDashboard } from '../src/view/dashboard/dashboard.ts'
import { RecordedSource } from '../src/view/dashboard/recorded-source.ts'
import { startChromium, withoutChromium } from './support/chromium.ts'
import { openTab, screenshot, settled } from './support/dashboard-tab.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Six pages of one host carry most of the mass; the pages of the other are worth a hundredth of them. */
async function crawled(
  patience: number,
  options: Partial<CrawlOptions> = {},
  fillers = 20,
): Promise<{ out: string; totals: CrawlTotals; url: (place: string) => string; asked: readonly string[] }> {
  const good = Array.from({ length: 6 }, (_, i) => `/good-${i}`)
  const filler = Array.from({ length: fillers }, (_, i) => `/filler-${i}`)
  const web = await serveSmall({
    '127.1.0.1': {
      '/': pageWith('Home', ...good, 'http://127.1.0.2:PORT/'),
      ...Object.fromEntries(good.map((path) => [path, pageWith(path)])),
    },
    '127.1.0.2': {
      '/': pageWith('Other', ...filler),
      ...Object.fromEntries(filler.map((path) => [path, pageWith(path)])),
    },
  })
  const out = join(temporaryFolder(), 'crawl')
  const totals = await crawl({
    seeds: [web.url('127.1.0.1/')],
    out,
    scope: 'any',
    wait: 0.2,
    waitPerAddress: 0,
    threads: 1,
    allowPrivate: true,
    patience,
    ...options,
  }).run()
  await web.close()
  return { out, totals, url: (place) => web.url(place), asked: web.asked }
}

async function requests(patience: number): Promise<string[]> {
  const { asked } = await crawled(patience)
  return asked.filter((place) => !place.endsWith('.txt')).map((place) => place.replace(/^[^/]*/, ''))
}

describe('patience over HTTP', () => {
  it('0 fetches filler while better pages rest; 0.5 waits for them, and then fetches everything', async () => {
    const [free, patient] = [await requests(0), await requests(0.5)]
    const lastGood = (order: readonly string[]): number =>
      order.findLastIndex((path) => path.startsWith('/good'))
    const firstFiller = (order: readonly string[]): number =>
      order.findIndex((path) => path.startsWith('/filler'))
    expect(firstFiller(free)).toBeLessThan(lastGood(free))
    expect(firstFiller(patient)).toBeGreaterThan(lastGood(patient))
    expect(patient.toSorted()).toEqual(free.toSorted())
  })
})

describe('what patience did', () => {
  // Groups end half a second after a fact, so a wait of a second is seen by explain.
  const wait = 1
  const fillers = 6
  const patient = crawled(0.5, { wait }, fillers)

  it('is said by totals, summary, status and report, under one name, and by explain', async () => {
    const { out, totals, url } = await patient
    const share = totals.waitedForBetter!
    // Six good pages rest a second each, while one of 32 connections or more could fetch filler.
    const { connections } = CrawlFolder.open(out).file.options.made
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1 / connections)
    const text = `connections waited for better pages ${partPercent(share)} of the time`
    expect(summaryText(totals)).toContain(`Patience: ${text}.`)
    const now = status(out)
    expect(now.progress!.waitedForBetter).toBeCloseTo(share, 2)
    expect(statusText(now, Date.now())).toContain('patience      connections waited for better pages ')
    expect((await crawlFigures(out)).waitedForBetter).toBeCloseTo(share, 2)
    const filler = await explain(out, url('127.1.0.2/filler-3'))
    expect(filler.waited!.patience!.moments).toBeGreaterThan(0)
    expect(explanationText(out, filler)).toMatch(
      /Connections stayed free for better pages although its site was free: at \d+ recorded moments?, first at [-\d]+ [\d:]+ UTC \(--patience 0\.5\)\./,
    )
    const good = await explain(out, url('127.1.0.1/good-3'))
    expect(good.waited!.patience).toBeUndefined()
  })

  it('is explained for exactly the pages that could have been requested while better ones waited', async () => {
    const { out } = await patient
    const record = await CrawlFolder.open(out).readRecord()
    const requested = [...record.pages()].flatMap(([{ url }, outcome]) =>
      outcome === undefined
        ? []
        : [
            {
              url,
              score: outcome.score ?? 0,
              from: outcome.startMs,
              to: outcome.startMs + outcome.durationMs,
            },
          ],
    )
    record.close()
    const heldBack: string[] = []
    for (const page of requested) {
      const { patience } = (await explain(out, page.url)).waited!
      if (patience === undefined) continue
      heldBack.push(new URL(page.url).pathname.replace(/\d+$/, ''))
      const at = Date.parse(patience.since)
      const { host } = new URL(page.url)
      const [own, others] = [true, false].map((isOwn) =>
        requested.filter(({ url }) => (new URL(url).host === host) === isOwn),
      )
      // Its site was free, and a page that is worth more than twice as much was requested later at another, which rested or was busy.
      expect(own.every(({ from, to }) => from >= at || to + 1000 * wait <= at + 5)).toBe(true)
      const better = others.filter(({ from, score }) => from >= at && 0.5 * score > page.score)
      expect(better.length).toBeGreaterThan(0)
      expect(others.some(({ from, to }) => from <= at && to + 1000 * wait > at)).toBe(true)
      expect(page.from).toBeGreaterThanOrEqual(at)
    }
    expect(new Set(heldBack)).toEqual(new Set(['/filler-']))
    expect(heldBack.length).toBe(fillers)
  })

  it('is said by the dashboard, its API and its metrics', async () => {
    const { out, totals } = await patient
    const dashboard = await openDashboard({
      source: new RecordedSource(CrawlFolder.open(out)),
      address: { host: '127.0.0.1', port: 0 },
    })
    try {
      const read = async (path: string): Promise<string> => (await fetch(new URL(path, dashboard.url))).text()
      const now = JSON.parse(await read('/api/v1/now')) as Now
      expect(now.waitedForBetter).toBeCloseTo(totals.waitedForBetter!, 2)
      expect(await read('/metrics')).toContain(`rankward_waited_for_better_ratio ${now.waitedForBetter}`)
      if (withoutChromium) return
      const browser = await startChromium()
      const { page } = await openTab(browser, dashboard.url)
      await settled(page)
      const shown = page.locator('.facts div', { hasText: 'waited for better pages' }).locator('dd')
      expect(await shown.innerText()).toBe(`${partPercent(now.waitedForBetter!)} of the time`)
      await screenshot(page, 'patience-1280')
      await browser.close()
    } finally {
      await dashboard.close()
    }
  })

  it('is simulated again by the folder alone, beside the crawl without it', async () => {
    const { out, totals } = await patient
    expect(isAsCrawled([out], {})).toBe(true)
    for (const other of [{ strategy: ['opic'] }, { recrawlPolicy: ['greedy'] }])
      expect(isAsCrawled([out], other)).toBe(false)
    expect(isAsCrawled([out, out], {})).toBe(false)
    const web = await readCrawlWeb(out)
    const setting = await crawlSetting(out, web)
    expect(setting).toMatchObject({
      strategy: 'exact-rankmass',
      coverage: 0.99,
      patience: 0.5,
      seeds: [0],
      time: { wait },
      made: { pages: totals.pages },
    })
    expect(setting.pageBytes.every((bytes) => bytes > 0)).toBe(true)
    expect(setting.latencies.every((seconds) => seconds < 5)).toBe(true)
    const result = await simulate(web, asCrawled(setting, {}))
    expect(result.runs.map((run) => run.patience)).toEqual([0, 0.5])
    const text = asCrawledText(setting, result).join('\n')
    expect(text).toContain(
      'Would patience have paid? Until 99% of the importance of the known pages is proven:',
    )
    expect(text).toContain(`The crawl itself fetched ${totals.pages} pages in `)
    const given = asCrawled(setting, { coverage: 0.5, patience: 0.2, time: { wait: 3 } })
    expect(given).toMatchObject({
      coverage: 0.5,
      patience: 0.2,
      seeds: [0],
      time: { wait: 3, connections: 64 },
    })
    expect(asCrawled(setting, { pages: 3 }).coverage).toBeUndefined()
  })

  it('is a share of all sessions', async () => {
    const { out, totals } = await crawled(0.5, { pages: 5 })
    const { connectionTime } = (await CrawlFolder.open(out).readRecord()).counts as Partial<Counts>
    expect(connectionTime!.waited / connectionTime!.all).toBeCloseTo(totals.waitedForBetter!, 2)
    // No site answers any more, and a coverage of nothing is reached at once: nothing is added but a moment.
    const resumed = await resumeCrawl({ out, pages: 5 }).run()
    expect(resumed.waitedForBetter).toBeGreaterThan(0)
    const after = (await CrawlFolder.open(out).readRecord()).counts as Partial<Counts>
    expect(after.connectionTime!.waited).toBeGreaterThanOrEqual(connectionTime!.waited)
  })

  it('is not said without patience', async () => {
    const { totals } = await crawled(0)
    expect(totals.waitedForBetter).toBeUndefined()
    expect(summaryText(totals)).not.toContain('Patience')
  })
})

describe('the default', () => {
  it('is patient with a page budget or a coverage, and not where time is limited or pages are fetched again', () => {
    const ends = [
      { pages: 10, seconds: 10 },
      { pages: 10, continuous: true },
    ]
    const budgets = [{ pages: 10 }, { coverage: 0.9 }, {}, { seconds: 10 }, ...ends]
    expect(budgets.map(defaultPatience)).toEqual([0.03, 0.03, 0, 0, 0, 0])
  })

  it('makes only pages put last wait where scores are no shares of one mass', () => {
    for (const strategy of ['opic', 'breadth-first', '0.5*opic+0.5*breadth-first'])
      expect(defaultPatience({ pages: 10, strategy })).toBe(1e-6)
  })
})
