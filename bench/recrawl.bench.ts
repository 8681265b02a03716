/**
 * What does it cost to fetch pages again? Every page of a generated set is held, with log-normal change rates, and the
 * budget fetches each page every ten days on average. Measured is the time of the engine for each fetch after all pages were
 * fetched twice on average, the extra memory of a held page, and saving and restoring the state. Fetches take no time.
 *
 *   npm run bench -- recrawl [--pages 1000000] [--fetches 200000] [--policy greedy,mass]
 */
import { Engine } from '../src/engine/engine.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { fixedScore } from '../src/engine/strategies/fixed-score.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption, short, tell, textOption } from './webs.ts'

const daySeconds = 86_400
const roundDays = 10
const pagesPerSite = 100
/** Of a policy: without site clocks. */
const noClock = ' without site clocks'
const noLinks = new Uint32Array(0)

export const recrawlBenchmark: Benchmark = (size) => {
  const pages = size === 'small' ? 500 : numberOption('pages', 1_000_000)
  const fetches = size === 'small' ? 500 : numberOption('fetches', 200_000)
  const policies = (textOption('policy') ?? `greedy,greedy${noClock},change-signals,mass,uniform`).split(',')
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const policy of policies) {
    const crawl = new GeneratedCrawl(policy, pages)
    crawl.run(2 * pages)
    const fetching = cpuSeconds(() => crawl.run(fetches))
    let state: Uint8Array[] = []
    const saving = cpuSeconds(() => (state = savedState([crawl.engine])))
    const again = new GeneratedCrawl(policy, pages)
    const restoring = cpuSeconds(() => restoreState([again.engine], state))
    const row = {
      policy,
      pages,
      'µs a fetch': short((1e6 * fetching) / fetches),
      'bytes a held page': short(crawl.engine.recrawl!.byteLength / pages),
      'save, ms': short(1e3 * saving),
      'restore, ms': short(1e3 * restoring),
      changed: crawl.changed,
    }
    if (size === 'full') tell(JSON.stringify(row))
    rows.push(row)
    check += crawl.changed
  }
  return { rows, check }
}

/** Processor time. Other processes on the machine do not count. */
function cpuSeconds(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

class GeneratedCrawl {
  readonly engine: Engine
  readonly #pages: number
  readonly #lastLook: Float64Array
  #now = 0
  changed = 0
  looks = 0

  constructor(name: string, pages: number) {
    const [policy, siteClock] = name.endsWith(noClock)
      ? [name.slice(0, -noClock.length), false]
      : [name, true]
    this.#pages = pages
    this.#lastLook = new Float64Array(pages).fill(-1)
    const massOf = (page: number): number => unit(hashId(page, 30)) ** 4 / pages
    const frontier = new TwoLevelFrontier({ pagesHint: pages })
    this.engine = new Engine({
      strategy: fixedScore('given', massOf, { isImportance: true }),
      frontier,
      recrawl: {
        policy: recrawlPolicyOf(policy, { siteClock }),
        frontier: new TwoLevelFrontier(),
        perDay: pages / roundDays,
      },
    })
  }

  run(fetches: number): void {
    const { engine } = this
    if (engine.known === 0)
      for (let page = 0; page < this.#pages; page++) engine.seed(Math.floor(page / pagesPerSite))
    const end = this.looks + fetches
    const world = {
      now: () => this.#now,
      fetch: (site: number, list: Uint32Array) => {
        this.#look(list[0])
        engine.closed(site, this.#now)
      },
      deliver: () => {},
      wait: () => undefined,
    }
    while (this.looks < end) {
      engine.dispatch(world)
      const next = engine.nextDue()
      if (next === Infinity) throw new Error('nothing is due')
      this.#now = Math.max(this.#now, next)
    }
  }

  #look(page: number): void {
    this.looks++
    const before = this.#lastLook[page]
    this.#lastLook[page] = this.#now
    if (before < 0) {
      this.engine.fetched(page, noLinks, 0, noLinks)
      this.engine.looked(page, this.#now, 'first')
      return
    }
    // Poisson changes, drawn anew for each look.
    const rate = Math.exp(Math.log(1 / 20) + 2 * normal(page))
    const isChanged = unit(hashId(page, this.#now)) > Math.exp((-rate * (this.#now - before)) / daySeconds)
    if (isChanged) this.changed++
    this.engine.looked(page, this.#now, isChanged ? 'changed' : 'same', noLinks, 0, noLinks)
  }
}

/** A normal deviate of this page: the sum of twelve uniform ones. */
function normal(page: number): number {
  let sum = -6
  for (let salt = 40; salt < 52; salt++) sum += unit(hashId(page, salt))
  return sum
}

await benchmarkMain(import.meta.url, recrawlBenchmark)
