/** Page budgets, coverage goals and commands of a crawl on several shards, whatever happens to workers and messages. */
import { describe, expect, it } from 'vitest'
import { lastOnly } from '../src/engine/patience.ts'
import { seededRandom } from '../src/lib/random.ts'
import { blockRuns, clusterOf, faults, firstSeed, reachable, run, runs, smallWeb } from './small-cluster.ts'

const patiences = [lastOnly, 0] as const
const seeds = Array.from({ length: runs }, (_, i) => firstSeed + i)

describe('a page budget on several shards', () => {
  const blocks = Array.from({ length: runs / blockRuns }, (_, block) => firstSeed + block * blockRuns)
  // Journaled pages only grow in number, so the number at the end is the largest.
  it.each(blocks)(
    `is never exceeded by a page, and is used up where enough pages exist (${blockRuns} seeds from %i)`,
    async (first) => {
      const totals = { kills: 0, freezes: 0, fenced: 0, commands: 0, returned: 0, full: 0 }
      for (let seed = first; seed < first + blockRuns; seed++) {
        const web = smallWeb(seed)
        const pages = 1 + seededRandom(seed, 9).below(web.lists.length)
        const { cluster, checker, end } = await run({ seed, faults, pages, patience: patiences[seed & 1] })
        const possible = reachable(web).size
        expect(checker.fetched.size, `seed ${seed}`).toBe(Math.min(pages, possible))
        if (pages < possible) expect(end, `seed ${seed}`).toBe('pages')
        if (pages > possible) expect(end, `seed ${seed}`).toBe('finished')
        totals.kills += cluster.counts.kills
        totals.freezes += cluster.counts.freezes
        totals.fenced += cluster.counts.fenced
        totals.commands += cluster.store.control.records.length
        totals.returned += cluster.store.heads().reduce((sum, head) => sum + (head?.returned ?? 0), 0)
        if (end === 'pages') totals.full++
      }
      const rare = Object.entries(totals).filter(([, count]) => count <= blockRuns / 10)
      expect(rare).toEqual([])
    },
  )
})

describe('a goal of coverage on several shards', () => {
  it('ends the crawl at a proven coverage, before all pages are fetched', async () => {
    let saved = 0
    for (const seed of seeds.slice(0, runs / 4)) {
      const { web, checker, end } = await run({ seed, faults, coverage: 0.6, patience: patiences[seed & 1] })
      expect(['coverage', 'finished'], `seed ${seed}`).toContain(end)
      if (end === 'coverage') expect(checker.covered, `seed ${seed}`).toBeGreaterThanOrEqual(0.6)
      saved += reachable(web).size - checker.fetched.size
    }
    expect(saved).toBeGreaterThan(runs / 4)
  })
})

describe('commands', () => {
  it('no page is requested between a pause that all shards have obeyed and the resume', async () => {
    let paused = 0
    for (const seed of seeds.slice(0, runs / 10)) {
      let isQuiet = false
      const { cluster, web, checker } = clusterOf({
        seed,
        faults: { ...faults, freezes: 0 },
        requested: () => expect(isQuiet, `seed ${seed}`).toBe(false),
      })
      await cluster.runWhile(() => checker.fetched.size < 2)
      cluster.command({ kind: 'pause' })
      const number = cluster.store.control.records.length
      const isObeyed = (): boolean =>
        cluster.store
          .heads()
          .every((head) => head !== undefined && head.control >= number && head.inFlight === 0)
      await cluster.runWhile(() => !isObeyed())
      if (cluster.end !== undefined) continue
      paused++
      isQuiet = true
      const from = cluster.queue.now
      await cluster.runWhile(() => cluster.queue.now < from + 100)
      isQuiet = false
      cluster.command({ kind: 'resume' })
      expect(await cluster.run(), `seed ${seed}`).toBe('finished')
      expect(checker.fetched).toEqual(reachable(web))
    }
    expect(paused).toBeGreaterThan(runs / 20)
  })
})
