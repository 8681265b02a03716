/**
 * Any ordering, with pages of sites that look like spam held back. A site of more than so much spam mass (`site-spam.ts`) waits
 * until nothing else does; sites that have less than a third of the trust that this leaves wait longer still, and those that
 * have less than a ninth, to the last. Within each of these steps pages keep the order of the strategy. Masses are computed anew
 * with its scores, or every K pages; a site found since the last time is not held back.
 *
 * Nothing is refused. An honest site far from the seeds may be held back for a while: each link that it gets from a trusted site
 * brings it nearer to its turn.
 */
import type { Strategy, StrategyServices } from '../engine/strategy.ts'
import { noSite } from '../engine/world.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import { roundScore } from '../lib/score-rounding.ts'
import type { StateCodec } from '../lib/state.ts'
import type { MassOptions } from './mass.ts'
import { SiteSpam } from './site-spam.ts'

export interface SpamDemotionOptions extends MassOptions {
  readonly every: number
  /** The most spam mass that is not held back, from 0 to 1. */
  readonly massMax: number
}

const steps = 3
const trustFallsBy = 3

export function spamDemoted(inner: Strategy, options: SpamDemotionOptions): Strategy {
  const spam = new SiteSpam(options.damping)
  /** Crawled since the masses were computed. */
  const crawled = new GrowingUint32(64)
  let crawledCount = 0
  let services: StrategyServices | undefined

  const placed = (page: number, score: number): number => {
    const site = services!.siteOf(page)
    if (site === noSite) return score
    const trusted = 1 - spam.mass(site)
    let step = 0
    for (let least = 1 - options.massMax; step < steps && trusted < least; least /= trustFallsBy) step++
    return step === 0 ? score : heldBack(score, step)
  }

  const transfer = (state: StateCodec): void => {
    state.section('spam demotion', 1)
    inner.transfer?.(state)
    spam.transfer(state)
    const pages = state.array(crawled.array.subarray(0, crawledCount))
    if (!state.isReading) return
    crawled.replace(pages, pages.length)
    crawledCount = pages.length
  }

  return {
    ...inner,
    ...(inner.batchSize === undefined ? { every: inner.every ?? options.every } : {}),
    start(given) {
      services = given
      void given.links
      inner.start?.(given)
    },
    discovered(page, parent) {
      const site = services!.siteOf(page)
      if (site !== noSite) spam.found(site)
      return placed(page, inner.discovered(page, parent))
    },
    seeded(seeds) {
      inner.seeded?.(seeds)
      seeds.forEach((seed, i) => spam.trust(services!.siteOf(seed), options.trust?.(i) ?? 1))
    },
    visited(page, linkCount) {
      crawled.ensure(crawledCount)
      crawled.array[crawledCount++] = page
      return inner.visited(page, linkCount)
    },
    linked: (page, share) => placed(page, inner.linked(page, share)),
    score: (page) => placed(page, inner.score(page)),
    shown: (page) => inner.shown?.(page) ?? inner.score(page),
    rescore() {
      if (inner.every !== undefined || inner.batchSize !== undefined) inner.rescore?.()
      for (let i = 0; i < crawledCount; i++) spam.add(crawled.array[i], services!)
      crawledCount = 0
      spam.update()
    },
    ...(inner.transfer === undefined ? {} : { transfer }),
  }
}

/** Scores beyond these are all alike once they are held back. */
const scoreMax = 2 ** 48
const scoreMin = 2 ** -48

/** Below all that is not held back, and above the next step; within a step in the order of the rounded scores. */
export function heldBack(score: number, step: number): number {
  return -(2 ** (200 * step)) / positive(roundScore(score))
}

/** The same order among numbers above 0. */
function positive(score: number): number {
  if (score === 0) return scoreMin / 2
  const size = Math.min(scoreMax, Math.max(scoreMin, Math.abs(score)))
  return score > 0 ? size : (scoreMin * scoreMin) / 4 / size
}
