/** Every benchmark at its small size, so that all keep working. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategies } from '../src/engine/strategies/index.ts'
import { auditBenchmark } from './audit.bench.ts'
import { calibrationBenchmark } from './calibration.bench.ts'
import { changedLinksBenchmark } from './changed-links.bench.ts'
import { compressedGraphBenchmark } from './compressed-graph.bench.ts'
import { contentBenchmark } from './content.bench.ts'
import { contentTrainingBenchmark } from './content-training.bench.ts'
import { contentUsesBenchmark } from './content-uses.bench.ts'
import { continuousBenchmark } from './continuous.bench.ts'
import { continuousShardsBenchmark } from './continuous-shards.bench.ts'
import { dashboardBenchmark } from './dashboard.bench.ts'
import { edgeListBenchmark } from './edge-list.bench.ts'
import { fairnessBenchmark } from './fairness.bench.ts'
import { freshCrawlBenchmark } from './fresh-crawl.bench.ts'
import { handWrittenBenchmark } from './hand-written.bench.ts'
import { jetStreamBenchmark } from './jetstream.bench.ts'
import { largeWebBenchmark } from './large-web.bench.ts'
import { leftOutBenchmark } from './left-out.bench.ts'
import { nearDuplicatesBenchmark } from './near-duplicates.bench.ts'
import { ordersBenchmark } from './orders.bench.ts'
import { patienceBenchmark } from './patience.bench.ts'
import { rankMassBenchmark } from './rankmass.bench.ts'
import { renderBenchmark } from './render.bench.ts'
import { searchBenchmark } from './search.bench.ts'
import { realTrapsBenchmark } from './real-traps.bench.ts'
import { recrawlBenchmark } from './recrawl.bench.ts'
import { shardsBenchmark } from './shards.bench.ts'
import { timeScalesBenchmark } from './time-scales.bench.ts'
import { startBenchmark } from './start.bench.ts'
import { simulateBenchmark } from './simulate.bench.ts'
import { snapshotBenchmark } from './snapshot.bench.ts'
import { strategiesBenchmark } from './strategies.bench.ts'
import { strategyTableBenchmark } from './strategy-table.bench.ts'
import { syntheticFitBenchmark } from './synthetic-fit.bench.ts'
import { timedWorldBenchmark } from './timed-world.bench.ts'
import { topicBenchmark } from './topic.bench.ts'
import { topicalWebBenchmark } from './topical-web.bench.ts'
import { topicsBenchmark } from './topics.bench.ts'
import { trapsBenchmark } from './traps.bench.ts'
import { chromiumNote, withoutChromium } from '../test/support/chromium.ts'
import { natsNote, withoutNats } from '../test/support/nats-server.ts'
import { contentNote, withoutContent } from '../test/support/content-web.ts'

/** Strategies that need no topic. */
const plain = strategies.filter(({ needs }) => needs?.includes('topic') !== true)

describe('at its small size, the benchmark', () => {
  it('edge-list loads every link of its list, gzipped and plain, as the readline loop does', async () => {
    const { rows, check } = await edgeListBenchmark('small')
    expect(rows.map(({ form }) => form)).toEqual(['gzip', 'plain'])
    expect(check).toBe(5_652_520_210)
  })

  it('content-uses finds every page by its anchor, and fewer snippets of menus with main content', async () => {
    const { rows } = await contentUsesBenchmark('small')
    expect(rows.filter((row) => 'MRR' in row).map(({ first }) => first)).toEqual([1, 1, 1, 1])
    const [whole, main] = rows.filter((row) => 'snippets' in row)
    expect(Number(main['mostly frame'])).toBeLessThan(Number(whole['mostly frame']))
    expect(main['words marked']).toBe(whole['words marked'])
  })

  it('audit finds every planted fault, and nothing else', async () => {
    const { rows } = await auditBenchmark('small')
    expect(rows[0]).toMatchObject({ missed: 0, 'false alarms': 0 })
  })

  it('content reads made-up pages', async () => {
    const { rows, check } = await contentBenchmark('small')
    expect(rows).toHaveLength(4)
    expect(check).toBeGreaterThan(10_000)
  })

  it('content-training finds the text of made-up pages', async () => {
    const { rows, check } = await contentTrainingBenchmark('small')
    expect(rows.at(-1)).toMatchObject({ type: 'all', pages: 60 })
    expect(check).toBeGreaterThan(950_000)
  })

  it('patience needs fewer downloads and more time, the more patient it is', async () => {
    const { rows } = await patienceBenchmark('small')
    const numbers = (row: (typeof rows)[number]): number[] =>
      (String(row['0.9']).match(/\d+/g) ?? []).map(Number)
    const [[free, freeSeconds], [patient], [strict, strictSeconds]] = rows.slice(0, 3).map(numbers)
    expect(patient).toBeLessThan(free)
    expect(strict).toBeLessThanOrEqual(patient)
    expect(strictSeconds).toBeGreaterThan(freeSeconds)
  })

  it('dashboard crawls the same pages with viewers, who receive events', async () => {
    const { rows, check } = await dashboardBenchmark('small')
    expect(rows.map(({ viewers }) => viewers)).toEqual(['none', '2'])
    expect(rows[1]['events']).toBeGreaterThan(0)
    expect(check % 2).toBe(0)
  })

  it('compressed-graph reads the same links in both forms and from all three files', async () => {
    const { rows, check } = await compressedGraphBenchmark('small')
    expect(rows).toHaveLength(7)
    expect(check).toBe(9_259_570_117)
  })

  it('strategies crawls all that can be reached by every strategy', async () => {
    const { rows, check } = await strategiesBenchmark('small')
    const whole = rows.filter(({ strategy }) => !String(strategy).includes(' to '))
    expect(whole.map(({ strategy }) => strategy)).toEqual(plain.map(({ name }) => name))
    expect(new Set(whole.map(({ visits }) => visits))).toEqual(new Set([498]))
    expect(rows.every((row) => Number(row['B/page, without 4 B/link']) > 0)).toBe(true)
    expect(Number.isSafeInteger(check)).toBe(true)
  })

  it('calibration compares expected and true freshness where it is known', async () => {
    const { rows } = await calibrationBenchmark('small')
    expect(rows[0]['moments']).toBeGreaterThan(50)
    expect(rows[0]['mean distance']).toBeLessThan(0.1)
  })

  it('continuous-shards compares a cluster with one engine', async () => {
    const { rows } = await continuousShardsBenchmark('small')
    expect(rows).toHaveLength(2)
    expect(rows[1].ratio).toBeGreaterThan(0.9)
  })

  it('continuous compares strategies and policies, with signals or without', async () => {
    const { rows } = await continuousBenchmark('small')
    expect(rows.map(({ policy }) => policy)).toEqual(['greedy', 'change-signals'])
    for (const row of rows) {
      expect(Number(row['pages fetched'])).toBeGreaterThan(130)
      expect(Number(row['by PageRank'])).toBeGreaterThan(0.5)
      expect(Number(row['days to a new page'])).toBeGreaterThan(0)
    }
  })

  it('time-scales has the same regret at every scale', async () => {
    const { rows } = await timeScalesBenchmark('small')
    for (const policy of ['greedy', 'mass']) {
      const regrets = rows.filter((row) => row['policy'] === policy).map(({ regret }) => regret)
      expect(regrets).toEqual([regrets[0], regrets[0], regrets[0]])
    }
  })

  it('simulate and the C++ program measure nearly the same average PageRank', async () => {
    const { rows, check } = await simulateBenchmark('small')
    expect(rows.map(({ run }) => run)).toEqual(['text', 'binary', 'text', 'binary'])
    expect(check).toBeCloseTo(2.8, 0)
  })

  it('shards orders pages on several shards as well as one engine', async () => {
    const { rows, check } = await shardsBenchmark('small')
    expect(rows).toHaveLength(2)
    // Two figures, each within 1% of that of one engine.
    expect(check).toBeCloseTo(1.4907, 2)
  })

  it('recrawl fetches every page again, and restores its state', async () => {
    const { rows, check } = await recrawlBenchmark('small')
    expect(rows).toHaveLength(5)
    expect(check).toBeGreaterThan(100)
  })

  it('changed-links keeps the bound below the exact value, the closer the smaller the crumbs', async () => {
    const { rows, check } = await changedLinksBenchmark('small')
    const gaps = rows.map((row) => Number.parseFloat(String(row['below exact, mean'])))
    expect(Math.min(...gaps)).toBeGreaterThan(-1e-6)
    expect(gaps.at(-1)).toBeLessThan(gaps[1])
    expect(gaps.at(-1)).toBeLessThan(0.5)
    expect(check).toBeGreaterThan(100)
  })

  it('fresh-crawl uses its budget, in the crawl as in the simulation', async () => {
    const { rows, check } = await freshCrawlBenchmark('small')
    expect(rows.map(({ run }) => run)).toEqual(['crawl', 'simulation'])
    expect(rows.every((row) => Number(row['weighted freshness']) > 0.1)).toBe(true)
    // 20 fetches a day: 200 by the crawl, and those of the last tenth in the simulation.
    expect(check).toBe(220)
  })

  it('snapshot restores the state of every strategy, frontier and table as it was saved', async () => {
    const { rows, check } = await snapshotBenchmark('small')
    const states = rows.map(({ state }) => state)
    expect(states.slice(0, plain.length)).toEqual(plain.map(({ name }) => name))
    expect(states.slice(plain.length)).toHaveLength(6)
    expect(rows.every(({ MB }) => Number(MB) > 0)).toBe(true)
    expect(check).toBeGreaterThan(1e6)
  })

  it('rankmass finds no algorithm better than the optimum, and exact-rankmass the best guarantee', async () => {
    const { rows, check } = await rankMassBenchmark('small')
    for (const trusted of [1, 20]) {
      const downloads = (what: string): Map<unknown, number> =>
        new Map(
          rows
            .filter((row) => row['trusted'] === trusted)
            .map((row) => [row['algorithm'], Number(row[what])]),
        )
      const guaranteed = downloads('downloads, 0.98 guaranteed')
      const optimal = guaranteed.get('optimal')!
      expect(Math.min(...downloads('downloads, 0.98 true').values())).toBe(optimal)
      guaranteed.delete('optimal')
      expect(Math.min(...guaranteed.values())).toBe(guaranteed.get('exact-rankmass'))
    }
    expect(check).toBeGreaterThan(0)
  })

  it('strategy-table has a row for every strategy, none above the ideal', async () => {
    const { rows, check } = await strategyTableBenchmark('small')
    expect(rows).toHaveLength(plain.length + 1)
    const averages = rows.map((row) => Number(row['generated, 1,000 pages, avg.']))
    expect(Math.max(...averages)).toBe(averages.at(-1))
    expect(check).toBeGreaterThan(rows.length / 2)
  })

  it('orders compares with the best published order and with omniscient', async () => {
    const { rows, check } = await ordersBenchmark('small')
    const [byPart, byMaker, web] = rows
    expect(rows).toHaveLength(3)
    expect([byPart['webs'], byMaker['webs']]).toEqual([1, 1])
    expect(byPart['gap closed, mean']).toBe(web['gap closed'])
    expect(Number(web['omniscient'])).toBeGreaterThan(Number(web['its average']))
    expect(check).toBeGreaterThan(1)
  })

  it('left-out judges each group of webs by weights chosen on the others', async () => {
    const { rows, check } = await leftOutBenchmark('small')
    expect(rows.map((row) => row['left out'])).toEqual(['doxygen', 'sphinx', 'all, each left out in turn'])
    expect(rows.at(-1)!['webs']).toBe(2)
    expect(check).toBeGreaterThan(1)
  })

  it('large-web keeps every link from the generator to the crawls', async () => {
    const { rows, check } = await largeWebBenchmark('small')
    expect(rows).toHaveLength(8)
    expect(check).toBeCloseTo(400_331.751, 2)
  })

  it('hand-written gives the same results by our code and by the libraries', async () => {
    const { rows, check } = await handWrittenBenchmark('small')
    expect(rows.map(({ library }) => library)).toEqual([
      'html-encoding-sniffer',
      'saxes',
      'saxes',
      'xxhash-wasm',
    ])
    expect(check).toBeGreaterThan(0)
  })

  it('near-duplicates finds nearly all generated copies at every threshold, and few other pages', async () => {
    const { rows, check } = await nearDuplicatesBenchmark('small')
    expect(rows.map(({ threshold }) => threshold)).toEqual([0.8, 0.9, 0.95])
    for (const { recall, ...row } of rows) {
      expect(Number(recall)).toBeGreaterThan(0.85)
      expect(Number(row['precision, 0.05 less'])).toBeGreaterThan(0.9)
    }
    expect(check).toBeGreaterThan(500)
  })

  it('synthetic-fit describes a generated web', async () => {
    const { rows, check } = await syntheticFitBenchmark('small')
    expect(rows.length).toBeGreaterThan(10)
    expect(check).not.toBe(0)
  })

  it('start measures a crawl up to its first request, which is that for robots.txt', async () => {
    const { rows, check } = await startBenchmark('small')
    expect(rows.map(({ form }) => form)).toEqual(['modules', 'bundle'])
    expect(check).toBe(1)
  })

  it('topical-web finds hot pages, and links that prefer their topic', async () => {
    const { rows, check } = await topicalWebBenchmark('small')
    expect(Number(rows[0]['same topic in the site'])).toBeGreaterThan(2 * Number(rows[0]['by chance']))
    expect(check).toBeGreaterThan(100)
  })

  it('traps gets all honest pages of a small web beside traps and mazes', async () => {
    const { rows } = await trapsBenchmark('small')
    expect(rows.map((row) => row['honest pages got'])).toEqual(['100.0%', '100.0%', '100.0%', '100.0%'])
  })

  it.skipIf(withoutChromium)(`render finds all pages that scripts lead to${chromiumNote}`, async () => {
    const { rows } = await renderBenchmark('small')
    expect(rows.slice(0, 3).map(({ pages }) => pages)).toEqual(['22 of 24', '24 of 24', '24 of 24'])
    expect(Number(rows[1].rendered)).toBeLessThan(Number(rows[2].rendered))
  })

  it('fairness gets all honest pages while the tarpits are still sending', async () => {
    const { rows, check } = await fairnessBenchmark('small')
    expect(check).toBe(24)
    expect(rows.map((row) => Number(row['tarpits still sending']) > 0)).toEqual([false, true, true])
  })

  it.skipIf(withoutContent)(
    `real-traps spends its budget without the watch, with it, and with patience${contentNote}`,
    async () => {
      const { rows } = await realTrapsBenchmark('small')
      // Redirects and failures are downloads beyond the budget of 200 pages with content.
      expect(rows).toHaveLength(6)
      for (const { downloads } of rows) expect(Number(downloads)).toBeGreaterThanOrEqual(200)
    },
  )

  it.skipIf(withoutNats)(
    `jetstream restores the same shard from snapshot and journal${natsNote}`,
    async () => {
      const { rows, check } = await jetStreamBenchmark('small')
      expect(rows.map(({ figure }) => figure)).toEqual(['take-over', 'take-over', 'take-over', 'reading'])
      expect(check).toBeGreaterThan(6000)
    },
  )

  it('timed-world fetches the same bytes whatever the clock', async () => {
    const { rows, check } = await timedWorldBenchmark('small')
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ pages }) => pages))).toEqual(new Set([1927]))
    expect(check % 3).toBe(0)
  })

  it('search finds the same pages whatever it costs', async () => {
    const { rows, check } = await searchBenchmark('small')
    const ours = rows.slice(0, 9)
    expect(ours.map((row) => row['pages'])).toEqual(Array.from({ length: 9 }, () => 299))
    const found = [165, 0, 165, 299]
    expect(ours.map((row) => row['pages found'])).toEqual([...found, found[0], ...found])
    // FTS5 finds pages with all words only.
    const fts5 = [299, 165, 0, 0, 299, 299]
    expect(rows.slice(9).map((row) => row['pages found'])).toEqual(fts5)
    expect(check).toBe(2 * 629 + 165 + fts5.reduce((sum, pages) => sum + pages, 0))
  })

  it('crawl-memory discovers the links of every page, over HTTP, without it and after a resume', () => {
    const run = (name: string): string =>
      execFileSync(
        process.execPath,
        [join(import.meta.dirname, 'crawl-memory', name), '--pages', '300', '--samples', '3'],
        { encoding: 'utf8' },
      )
    expect(run('run.mjs')).toMatch(/^300 pages, 15001 known URLs, 15000 links/m)
    const tables = run('tables.mjs')
    expect(tables).toMatch(/^300 pages, 15001 known URLs/m)
    expect(tables.match(/^resume .*: 15001 known URLs/gm)).toHaveLength(2)
  })

  it('looks has a record that agrees with the log of the server, also when it is compacted', () => {
    const program = join(import.meta.dirname, 'looks', 'run.mjs')
    const size = ['--minutes', '0.1', '--pages', '24', '--rate', '40', '--samples', '2']
    const printed = execFileSync(process.execPath, [program, ...size], { encoding: 'utf8' })
    expect(printed).toMatch(/^the record: 0 differences from the log$/m)
    expect(printed).toMatch(/^the compacted record: 0 differences from the log$/m)
    expect(printed).toMatch(/^[1-9]\d* looks, [1-9]\d* changes/m)
  })

  it('compact leaves every look of a record, and resumes it', () => {
    const program = join(import.meta.dirname, 'compact', 'run.mjs')
    const size = ['--pages', '100', '--looks', '4', '--rates', '40', '--changes', '0,100']
    const printed = execFileSync(process.execPath, [program, ...size], { encoding: 'utf8' })
    expect(printed.match(/│ 400 /g)).toHaveLength(2)
  })

  it('topic finds hot pages sooner with the learned model than by anchors alone', async () => {
    const { rows } = await topicBenchmark('small')
    const area = (ordering: string): number =>
      Number(rows.find((row) => row['ordering'] === ordering)!['area'])
    expect(rows).toHaveLength(10)
    expect(area('learned-topic')).toBeGreaterThan(area('anchor-similarity'))
    expect(area('near-hot-breadth-first')).toBeGreaterThan(0.5)
  })

  it('topics compares learned-topic with the best of six orderings on every topic', async () => {
    const { rows, check } = await topicsBenchmark('small')
    // One web, then each of the six and learned-topic.
    expect(rows.map(({ ordering }) => ordering)).toHaveLength(8)
    expect(rows.every(({ topics }) => topics === 3)).toBe(true)
    // No ordering is better than the best of the six, except learned-topic.
    expect(rows.slice(1, 7).every(({ highest }) => Number(highest) <= 0)).toBe(true)
    expect(check / 3).toBeGreaterThan(0.5)
  })
})
