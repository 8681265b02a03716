/**
 * Where the importance of a crawl is: the RankMass of each page and site, held or resting, and its parts by cause. It is
 * computed in slices between other requests, and at most a twentieth of the time; a request gets the last picture.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { MassParts } from '../../../crawler/read/held-mass.ts'
import { restMaxShown, type HostMasses } from '../../../crawler/read/model/mass-flow.ts'
import type { CrawlTotals } from '../../../crawler/options/crawl-options.ts'
import { trustOf, walkMass } from '../../../engine/mass/mass-walk.ts'
import type { ImportanceBar } from '../api/index.ts'
import type { CrawlTables } from './crawl-tables.ts'

export interface MassPicture extends HostMasses {
  readonly asOfMs: number
  /** Of each page: certainly held if it was fetched, resting otherwise. */
  readonly mass: Float64Array
  readonly parts: MassParts
  /** Mass that would leave the scope; undefined if the crawl is too large to compute it at once. */
  readonly outOfScope: number | undefined
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
/** With more links, settling as much mass as the report does takes too long. */
const exactLinksMax = 2_000_000
const restMaxLarge = 1e-5

export class MassPictures {
  readonly #tables: CrawlTables
  #picture: MassPicture | undefined
  #group = -1
  #usedUntilMs = 0
  #computing: Promise<MassPicture> | undefined

  constructor(tables: CrawlTables) {
    this.#tables = tables
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
    const { record, known, model } = this.#tables
    const startMs = performance.now()
    const group = record.groups
    const restMax = known.links.count <= exactLinksMax ? restMaxShown : restMaxLarge
    while (model.mass.sweep(restMax) > restMax) await turn()
    this.#picture = this.#drawn()
    this.#group = group
    const endMs = performance.now()
    this.#usedUntilMs = endMs + Math.max(ageMsMin, ageFactor * (endMs - startMs))
    return this.#picture
  }

  #drawn(): MassPicture {
    const { known, model, asOfMs } = this.#tables
    const { mass: flow } = model
    const mass = new Float64Array(known.pages.known)
    for (let page = 0; page < mass.length; page++) mass[page] = flow.massOf(page)
    return { asOfMs, mass, ...flow.byHost(model.hosts), parts: flow.parts(), outOfScope: this.#outOfScope() }
  }

  /** The bar of the last picture; if the crawl has ended, as its end stated it. */
  bar(ended: CrawlTotals | undefined): ImportanceBar | undefined {
    const picture = this.last
    if (picture === undefined) return undefined
    const coverage = this.#tables.model.coverage(ended, picture.parts)
    return {
      asOfMs: picture.asOfMs,
      held: coverage.guaranteed,
      robots: coverage.robots,
      scope: coverage.scope,
      failed: coverage.failed,
      waiting: coverage.budget,
      outOfScope: coverage.left ?? picture.outOfScope,
    }
  }

  /** Mass that would leave the scope; only for crawls that are small enough to walk through at once. */
  #outOfScope(): number | undefined {
    const { known, leaving, folder } = this.#tables
    const { pages, links } = known
    if (links.count > exactLinksMax) return undefined
    leaving.ensure(pages.known)
    if (!leaving.array.some((count) => count > 0)) return 0
    return walkMass(pages, links, trustOf(folder), () => {}, leaving.array)
  }
}
