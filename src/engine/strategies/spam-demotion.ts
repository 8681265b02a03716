/**
 * Wraps any strategy and demotes pages of sites that look like spam. Sites whose spam mass (`site-spam.ts`)
 * exceeds the limit wait until no other page does; sites with less than a third of the trust at that limit
 * are demoted further, and those with less than a ninth furthest. Within each step, pages keep the order of
 * the strategy. Spam mass is recomputed with the strategy's scores, or every K pages; a site found since then
 * is not demoted.
 *
 * No page is refused. An honest site far from the seeds may be demoted for a while: each link from a trusted
 * site moves it up.
 */
import type { Strategy, StrategyServices } from '../strategy.ts'
import { noSite } from '../world.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { MassOptions } from './mass.ts'
import { SiteSpam } from './site-spam.ts'

interface SpamDemotionOptions extends MassOptions {
  readonly every: number
  /** The highest spam mass that is not demoted, from 0 to 1. */
  readonly massMax: number
}

const steps = 3
const trustFallsBy = 3
/** In a crawl that fetches pages again, demoted pages weigh this much less for each step. */
const demotion = 2 ** -10

export function spamDemoted(inner: Strategy, options: SpamDemotionOptions): Strategy {
  const spam = new SiteSpam(options.damping)
  /** Pages crawled since spam mass was computed. */
  const crawled = new GrowingUint32(64)
  let crawledCount = 0
  let services: StrategyServices | undefined

  /** How far a page is demoted: 0 for not at all. */
  const stepOf = (page: number): number => {
    const site = services!.siteOf(page)
    if (site === noSite) return 0
    const trusted = 1 - spam.mass(site)
    let step = 0
    for (let least = 1 - options.massMax; step < steps && trusted < least; least /= trustFallsBy) step++
    return step
  }

  const placed = (page: number, score: number): number => {
    const step = stepOf(page)
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

  const demoted: Strategy = {
    ...inner,
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
    masses() {
      const massOf = inner.masses?.() ?? (() => 1)
      return (page) => massOf(page) * demotion ** stepOf(page)
    },
    shown: (page) => inner.shown?.(page) ?? inner.score(page),
    rescore() {
      if (inner.every !== undefined || inner.batchSize !== undefined) inner.rescore?.()
      for (let i = 0; i < crawledCount; i++) spam.add(crawled.array[i], services!)
      crawledCount = 0
      spam.update()
    },
    ...(inner.transfer === undefined ? {} : { transfer }),
  }
  // Copied above as the number that it was at that moment; it may be a getter.
  if (inner.batchSize === undefined)
    Object.defineProperty(demoted, 'every', { get: () => inner.every ?? options.every, enumerable: true })
  return demoted
}

/** Demoted scores are clamped to this range. */
const scoreMax = 2 ** 48
const scoreMin = 2 ** -48

/**
 * Below everything that is not demoted, and above the next step; within a step, in the order of the rounded
 * scores.
 */
export function heldBack(score: number, step: number): number {
  return -(2 ** (200 * step)) / positive(roundScore(score))
}

/** Maps scores to positive numbers in the same order. */
function positive(score: number): number {
  if (score === 0) return scoreMin / 2
  const size = Math.min(scoreMax, Math.max(scoreMin, Math.abs(score)))
  return score > 0 ? size : (scoreMin * scoreMin) / 4 / size
}
