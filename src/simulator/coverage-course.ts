/**
 * The guaranteed coverage of a crawl of a web that changes, over time, and beside it the exact value for the links as last
 * fetched (S70): what a walk over the held pages gives, from scratch.
 */
import { heldShare } from '../engine/coverage.ts'
import type { Engine } from '../engine/engine.ts'
import type { KnownLinks } from '../engine/known-links.ts'
import { walkMass, type Trust } from '../engine/mass/mass-walk.ts'
import { unobtainable } from '../engine/page-states.ts'
import type { Strategy } from '../engine/strategy.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export interface CoverageMoment {
  readonly day: number
  readonly guaranteed: number
  readonly exact: number
}

/** Walks take far longer than the crawl between them, so there are few. */
const momentCount = 20

export class CoverageCourse {
  readonly moments: CoverageMoment[] = []
  readonly #days: number
  readonly #trust: Trust
  #links: KnownLinks | undefined

  constructor({ damping, seeds, trust }: SimulatedWeb, days: number) {
    this.#days = days
    this.#trust = { damping, weights: Float64Array.from(seeds, (_, i) => trust[i]) }
  }

  /** Must see the strategy before the engine does. */
  watched(strategy: Strategy): Strategy {
    if (strategy.coverage === undefined) return strategy
    return {
      ...strategy,
      start: (services) => {
        this.#links = services.links
        strategy.start?.(services)
      },
    }
  }

  /** Called often, and with the last day at the end. */
  at(day: number, engine: Engine): void {
    if (this.#links === undefined || day < ((this.moments.length + 1) * this.#days) / momentCount) return
    const guaranteed = engine.strategy.coverage!()
    this.moments.push({ day, guaranteed, exact: exactCoverage(engine, this.#links, this.#trust) })
  }
}

/** g / (1 - f) of docs/theory/coverage.md. */
export function exactCoverage({ pages }: Pick<Engine, 'pages'>, links: KnownLinks, trust: Trust): number {
  let held = 0
  let lost = 0
  walkMass(pages, links, trust, (page, mass) => {
    if (pages.isHeld(page)) held += (1 - trust.damping) * mass
    else if (pages.lossOf(page) === unobtainable) lost += mass
  })
  return heldShare(held, lost)
}
