import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../test/arbitrary-graph.ts'
import { KnownLinks } from '../../engine/known-links.ts'
import { crawled, failedBy, inFlight, PageStates, waiting } from '../../engine/page-states.ts'
import type { FailureCause } from '../../engine/world.ts'
import { heldMass, massOutOfScope } from './held-mass.ts'

type Fate = 'crawled' | 'waiting' | FailureCause

/** A crawl in which each page met its fate. */
function crawlOf(lists: number[][], fates: Fate[]): { pages: PageStates; links: KnownLinks } {
  const pages = new PageStates()
  const links = new KnownLinks()
  fates.forEach((fate, page) => {
    pages.add(0)
    pages.set(page, inFlight)
    if (fate === 'waiting') pages.set(page, waiting)
    else pages.settle(page, fate === 'crawled' ? crawled : failedBy(fate))
    if (fate === 'crawled') links.append(page, Uint32Array.from(lists[page]), lists[page].length)
  })
  return { pages, links }
}

const partOf = { robots: 'robots', scope: 'scope', failed: 'failed' } as const

/** The same by walking: the chance that a surfer has not left the crawled pages, step by step. */
function naive(lists: number[][], fates: Fate[], damping: number): Record<string, number> {
  const held: Record<string, number> = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
  let here = new Map([[0, 1]])
  for (let step = 0; step < 400; step++) {
    const next = new Map<number, number>()
    for (const [page, chance] of here) {
      const fate = fates[page]
      if (fate !== 'crawled') {
        held[partOf[fate as keyof typeof partOf] ?? 'budget'] += chance
        continue
      }
      held['guaranteed'] += (1 - damping) * chance
      const targets = lists[page].length === 0 ? [0] : lists[page]
      for (const to of targets) next.set(to, (next.get(to) ?? 0) + (damping * chance) / targets.length)
    }
    here = next
  }
  return held
}

const fate = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>('crawled') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Fate>(
      'waiting',
      'robots',
      'scope',
      'limit',
      'failed',
      'unreachable',
      'temporary',
    ),
  },
)

describe('the mass that a crawl holds', () => {
  it('is what a surfer finds who walks until it leaves the crawled pages, and its parts sum to 1', () => {
    fc.assert(
      fc.property(cleanLists(12, 4), fc.array(fate, { minLength: 12, maxLength: 12 }), (lists, drawn) => {
        const fates = drawn.slice(0, lists.length)
        const { pages, links } = crawlOf(lists, fates)
        const held = heldMass(pages, links, { damping: 0.85, weights: Float64Array.of(1) })
        const expected = naive(lists, fates, 0.85)
        for (const [part, mass] of Object.entries(expected))
          expect(Math.abs(held[part as 'robots'] - mass)).toBeLessThan(1e-6)
        const { guaranteed, robots, scope, failed, budget, obtainable, share } = held
        expect(guaranteed + robots + scope + failed + budget).toBeCloseTo(1, 12)
        expect(obtainable).toBeCloseTo(1 - robots - failed, 12)
        expect(share * obtainable).toBeCloseTo(guaranteed, 12)
      }),
      seeded(200),
    )
  })

  it('is all where everything was crawled, and none where nothing was', () => {
    const lists = [[1], [2], [0]]
    const all = crawlOf(lists, ['crawled', 'crawled', 'crawled'])
    const options = { damping: 0.85, weights: Float64Array.of(1) }
    expect(heldMass(all.pages, all.links, options).guaranteed).toBeCloseTo(1, 6)
    const nothing = crawlOf(lists, ['robots', 'waiting', 'waiting'])
    expect(heldMass(nothing.pages, nothing.links, options)).toMatchObject({ guaranteed: 0, robots: 1 })
  })

  it('starts at the trusted pages', () => {
    const { pages, links } = crawlOf([[], []], ['crawled', 'robots'])
    const held = heldMass(pages, links, { damping: 0.5, weights: Float64Array.of(3, 1) })
    // A quarter meets robots at once; of the rest half is held, and half jumps back: x = 1/4 + 3/8 x.
    expect(held.robots).toBeCloseTo(0.4, 6)
    expect(held.guaranteed + held.robots).toBeCloseTo(1, 6)
  })

  it('that leaves the scope is what a link to one page more would have carried away', () => {
    const leaving = [2, 0, 1]
    const lists = [[1, 2], [], [0]]
    const { pages, links } = crawlOf(lists, ['crawled', 'crawled', 'crawled'])
    const trust = { damping: 0.85, weights: Float64Array.of(1) }
    function* outcomes(): Generator<[number, { outside?: number; tooDeep?: number }]> {
      yield [0, { outside: 1, tooDeep: 1 }]
      yield [1, {}]
      yield [2, { outside: 1 }]
    }
    const left = massOutOfScope(pages, links, trust, outcomes())
    const outside = lists.map((list, page) => [...list, ...Array.from({ length: leaving[page] }, () => 3)])
    const whole = crawlOf([...outside, []], ['crawled', 'crawled', 'crawled', 'scope'])
    expect(left).toBeGreaterThan(0.4)
    expect(left).toBeCloseTo(heldMass(whole.pages, whole.links, trust).scope, 6)
    expect(heldMass(pages, links, trust)).toMatchObject({ scope: 0, obtainable: 1 })
  })
})
