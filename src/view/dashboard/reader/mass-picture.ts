/**
 * Where the importance of a crawl is: the RankMass of each page and site, held or resting, and its parts by cause. It is
 * computed in slices between other requests, and at most a twentieth of the time; a request gets the last picture.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { FactListener } from '../../../engine/fact.ts'
import { noSite } from '../../../engine/world.ts'
import { coverageOf, partOf } from '../../../crawler/read/held-mass.ts'
import { trustOf, walkMass } from '../../../engine/mass/mass-walk.ts'
import type { ImportanceBar } from '../api/index.ts'
import type { CrawlTables } from './crawl-tables.ts'
import { MassFlow } from './mass-flow.ts'

export interface MassPicture {
  readonly asOfMs: number
  /** Of each page: certainly held if it was fetched, resting otherwise. */
  readonly mass: Float64Array
  /** Sums by site. */
  readonly held: Float64Array
  readonly resting: Float64Array
  readonly bar: ImportanceBar
}

/** When the rows of a list are current, and their masses if these are older. */
export function momentOf(
  { asOfMs }: Pick<CrawlTables, 'asOfMs'>,
  picture: Pick<MassPicture, 'asOfMs'>,
): { asOfMs: number; massesAsOfMs?: number } {
  return picture.asOfMs === asOfMs ? { asOfMs } : { asOfMs, massesAsOfMs: picture.asOfMs }
}

const ageMsMin = 1000
/** A picture is used for at least this many times the time that it took. */
const ageFactor = 19
/** Mass that may still be moving: as small as a crawl of this many links allows within seconds. */
const exactLinksMax = 2_000_000
const restMaxExact = 1e-8
const restMaxLarge = 1e-5

export class MassPictures {
  readonly #tables: CrawlTables
  readonly #flow: MassFlow
  #picture: MassPicture | undefined
  #group = -1
  #usedUntilMs = 0
  #computing: Promise<MassPicture> | undefined

  constructor(tables: CrawlTables) {
    this.#tables = tables
    this.#flow = new MassFlow(tables.known, trustOf(tables.folder))
  }

  /** Must receive every fact, after the tables. */
  get facts(): Partial<FactListener> {
    return {
      fetched: (page) => this.#flow.fetched(page),
      looked: (_page, _time, verdict) => {
        if (verdict === 'changed') this.#flow.relinked()
      },
    }
  }

  /** The last picture; a new one is begun if it is due. Undefined if there is none yet. */
  get last(): MassPicture | undefined {
    const isSame = this.#group === this.#tables.record.groups
    if (this.#computing === undefined && !isSame && performance.now() >= this.#usedUntilMs) {
      this.#computing = this.#compute().finally(() => (this.#computing = undefined))
      // A failure is reported to the request that waits for it.
      this.#computing.catch(() => {})
    }
    return this.#picture
  }

  /** The last picture, or the first one once it is computed. */
  async current(): Promise<MassPicture> {
    return this.last ?? this.#computing ?? this.current()
  }

  async #compute(): Promise<MassPicture> {
    const { record, known } = this.#tables
    const startMs = performance.now()
    const group = record.groups
    const restMax = known.links.count <= exactLinksMax ? restMaxExact : restMaxLarge
    while (this.#flow.sweep(restMax) > restMax) await turn()
    this.#picture = this.#drawn()
    this.#group = group
    const endMs = performance.now()
    this.#usedUntilMs = endMs + Math.max(ageMsMin, ageFactor * (endMs - startMs))
    return this.#picture
  }

  #drawn(): MassPicture {
    const { known, folder, record, asOfMs, progress } = this.#tables
    const { pages } = known
    const mass = new Float64Array(pages.known)
    const sites = record.siteNames.length
    const held = new Float64Array(sites)
    const resting = new Float64Array(sites)
    const parts = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
    for (let page = 0; page < pages.known; page++) {
      mass[page] = this.#flow.massOf(page)
      const isCrawled = pages.isCrawled(page)
      parts[isCrawled ? 'guaranteed' : partOf(pages.failureOf(page))] += mass[page]
      const site = pages.siteOf(page)
      if (site === noSite || site >= sites) continue
      const sums = isCrawled ? held : resting
      sums[site] += mass[page]
    }
    const { budget: _, ...causes } = parts
    const coverage = coverageOf(causes, progress?.guaranteed)
    return {
      asOfMs,
      mass,
      held,
      resting,
      bar: {
        asOfMs,
        held: coverage.guaranteed,
        robots: coverage.robots,
        scope: coverage.scope,
        failed: coverage.failed,
        waiting: coverage.budget,
        outOfScope: this.#outOfScope(trustOf(folder)),
      },
    }
  }

  /** Mass that would leave the scope; only for crawls that are small enough to walk through at once. */
  #outOfScope(trust: ReturnType<typeof trustOf>): number | undefined {
    const { known, leaving } = this.#tables
    const { pages, links } = known
    if (links.count > exactLinksMax) return undefined
    leaving.ensure(pages.known)
    if (!leaving.array.some((count) => count > 0)) return 0
    return walkMass(pages, links, trust, () => {}, leaving.array)
  }
}
