/**
 * The RankMass of each page of a crawl, kept up to date while pages are added: mass rests on a page until the page is
 * fetched; then (1 - d) of it stays there and d flows along its links. A sweep moves the mass that has been released since
 * the last one, so that an update costs little. The sum of all mass is 1.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { noSite } from '../../../engine/world.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { Trust } from '../../../engine/mass/mass-walk.ts'
import { partOf, type MassParts } from '../held-mass.ts'
import type { Hosts } from './hosts.ts'
import type { KnownCrawl } from './known-crawl.ts'

/** Mass that may still be moving in figures. It counts as not held. */
export const restMaxShown = 1e-7

/** Sums of mass by host: certainly held by fetched pages, and resting on others. */
export interface HostMasses {
  readonly held: Float64Array
  readonly resting: Float64Array
}

export class MassFlow {
  readonly #crawl: KnownCrawl
  readonly #trust: Trust
  /** Mass that has not settled: on fetched pages it still moves, on others it rests. */
  readonly #resting = new GrowingFloat64()
  readonly #held = new GrowingFloat64()
  /** Fetched pages, in order. */
  readonly #fetched = new GrowingUint32()
  #count = 0
  /** The sum of what is held. */
  #certain = 0
  #isNew = true
  /** How often pages had left or returned when everything began. */
  #copyChanges = 0

  constructor(crawl: KnownCrawl, trust: Trust) {
    this.#crawl = crawl
    const sum = trust.weights.reduce((total, weight) => total + weight, 0)
    this.#trust = { ...trust, weights: trust.weights.map((weight) => weight / sum) }
  }

  /** Must receive every fact after the crawl has. */
  readonly facts: Partial<FactListener> = {
    fetched: (page) => {
      this.#fetched.ensure(this.#count)
      this.#fetched.array[this.#count++] = page
    },
    looked: (_page, _time, verdict) => {
      // Mass that has moved along links which are gone is not called back: everything begins anew.
      if (verdict === 'changed') this.#isNew = true
    },
  }

  /** Held by a fetched page, or resting on another one. 0 if it was found after the last sweep. */
  massOf(page: number): number {
    const { pages } = this.#crawl
    return (pages.isHeld(page) ? this.#held.array[page] : this.#resting.array[page]) ?? 0
  }

  /** The sums of all mass, by whether its pages were fetched and why not. What waits is not among them. */
  parts(): MassParts {
    const { pages, copies } = this.#crawl
    const behind = { robots: 0, scope: 0, failed: 0, budget: 0 }
    // Most crawls have few such pages, and many known ones. Held pages that have left are not counted.
    const causes = ['robots', 'scope', 'failed'] as const
    const failed = causes.reduce((sum, cause) => sum + pages.failedFor(cause), 0)
    let left = copies.changes > 0 ? Infinity : failed
    for (let page = 0; left > 0 && page < pages.known; page++) {
      const part = partOf(pages.lossCauseOf(page))
      if (part === 'budget') continue
      behind[part] += this.massOf(page)
      left--
    }
    const { budget: _, ...parts } = behind
    return { guaranteed: this.#certain, ...parts }
  }

  byHost(hosts: Hosts): HostMasses {
    const { pages } = this.#crawl
    const held = new Float64Array(hosts.siteCount)
    const resting = new Float64Array(hosts.siteCount)
    for (let page = 0; page < pages.known; page++) {
      const host = hosts.of(pages.siteOf(page))
      if (host === noSite) continue
      if (pages.isHeld(page)) held[host] += this.massOf(page)
      else resting[host] += this.massOf(page)
    }
    return { held, resting }
  }

  /** Moves mass until at most about `restMax` still moves. */
  settle(restMax: number): void {
    while (this.sweep(restMax) > restMax);
  }

  /** Moves mass once along all links. Returns how much moved: what is still to move is about as much. */
  sweep(restMax: number): number {
    this.#begin()
    const { damping, weights } = this.#trust
    const { links, pages } = this.#crawl
    const resting = this.#resting.array
    const held = this.#held.array
    const least = restMax / Math.max(8, 8 * this.#count)
    let moved = 0
    let returned = 0
    let certain = this.#certain
    for (let i = 0; i < this.#count; i++) {
      const page = this.#fetched.array[i]
      const mass = resting[page]
      if (mass <= least || !pages.isHeld(page)) continue
      resting[page] = 0
      held[page] += (1 - damping) * mass
      certain += (1 - damping) * mass
      const passed = damping * mass
      moved += passed
      links.seek(page)
      const { targets, start, end } = links
      if (start === end) returned += passed
      const share = passed / (end - start)
      for (let j = start; j < end; j++) resting[targets[j]] += share
    }
    this.#certain = certain
    // A page without links leads back to the seeds.
    weights.forEach((weight, seed) => (resting[seed] += returned * weight))
    return moved
  }

  #begin(): void {
    const last = Math.max(this.#crawl.pages.known, this.#trust.weights.length)
    this.#resting.ensure(last)
    this.#held.ensure(last)
    const { changes } = this.#crawl.copies
    if (!this.#isNew && changes === this.#copyChanges) return
    this.#isNew = false
    this.#copyChanges = changes
    this.#certain = 0
    this.#resting.array.fill(0)
    this.#held.array.fill(0)
    this.#trust.weights.forEach((weight, seed) => (this.#resting.array[seed] = weight))
  }
}
