/**
 * Where the importance of a crawl is: the RankMass of each page and site, held or resting, and its parts by cause. A walk
 * over all links (src/mass/mass-walk.ts), so it is computed anew only now and then: at most a tenth of the time.
 */
import { noSite } from '../../engine/world.ts'
import { coverageOf, partOf } from '../../mass/held-mass.ts'
import { trustOf, walkMass } from '../../mass/mass-walk.ts'
import type { ImportanceBar } from '../api/index.ts'
import type { CrawlTables } from './crawl-tables.ts'

export interface MassPicture {
  readonly asOfMs: number
  /** Of each page: certainly held if it was fetched, resting otherwise. */
  readonly mass: Float64Array
  /** Sums by site. */
  readonly held: Float64Array
  readonly resting: Float64Array
  readonly bar: ImportanceBar
}

const ageMsMin = 2000
/** A picture is used for at least this many times the time that it took. */
const ageFactor = 9

export class MassPictures {
  readonly #tables: CrawlTables
  #picture: MassPicture | undefined
  #group = -1
  #usedUntilMs = 0

  constructor(tables: CrawlTables) {
    this.#tables = tables
  }

  /** The last picture; undefined if there is none yet. */
  get last(): MassPicture | undefined {
    return this.#picture
  }

  /** A picture that is recent enough. */
  current(): MassPicture {
    const { groups } = this.#tables.record
    const startMs = performance.now()
    if (this.#picture !== undefined && (this.#group === groups || startMs < this.#usedUntilMs))
      return this.#picture
    this.#group = groups
    this.#picture = pictureOf(this.#tables)
    const endMs = performance.now()
    this.#usedUntilMs = endMs + Math.max(ageMsMin, ageFactor * (endMs - startMs))
    return this.#picture
  }
}

function pictureOf({ known, folder, record, leaving, asOfMs, progress }: CrawlTables): MassPicture {
  const { pages, links } = known
  const trust = trustOf(folder)
  const mass = new Float64Array(pages.known)
  const sites = record.siteNames.length
  const held = new Float64Array(sites)
  const resting = new Float64Array(sites)
  const parts = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
  walkMass(pages, links, trust, (page, met) => {
    if (pages.isCrawled(page)) {
      mass[page] += (1 - trust.damping) * met
      parts.guaranteed += (1 - trust.damping) * met
    } else {
      mass[page] += met
      parts[partOf(pages.failureOf(page))] += met
    }
  })
  for (let page = 0; page < pages.known; page++) {
    const site = pages.siteOf(page)
    if (site === noSite || site >= sites) continue
    if (pages.isCrawled(page)) held[site] += mass[page]
    else resting[site] += mass[page]
  }
  const { budget: _, ...causes } = parts
  const coverage = coverageOf(causes, progress?.guaranteed)
  leaving.ensure(pages.known)
  const isLeft = leaving.array.some((count) => count > 0)
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
      outOfScope: isLeft ? walkMass(pages, links, trust, () => {}, leaving.array) : 0,
    },
  }
}
