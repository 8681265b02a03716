import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { KnownLinks } from '../known-links.ts'
import { crawled, PageStates, waiting } from '../page-states.ts'
import { heldMass } from '../../crawler/read/held-mass.ts'
import { certainMass } from './mass-walk.ts'

interface Case {
  readonly lists: readonly (readonly number[])[]
  readonly fetched: readonly boolean[]
  readonly weights: readonly number[]
  readonly damping: number
}

function parts({ lists, fetched }: Case): { pages: PageStates; links: KnownLinks } {
  const pages = new PageStates()
  const links = new KnownLinks()
  lists.forEach((list, page) => {
    pages.add(0)
    pages.set(page, fetched[page] ? crawled : waiting)
    if (fetched[page]) links.append(page, Uint32Array.from(list), list.length)
  })
  return { pages, links }
}

/**
 * One step of the surfer after the other, each from every page to every page, far more of them than are
 * needed.
 */
function naiveMass({ lists, fetched, weights, damping }: Case): number[] {
  const sum = weights.reduce((a, b) => a + b)
  const trust = lists.map((_, page) => (weights[page] ?? 0) / sum)
  const certain = lists.map(() => 0)
  let now = trust
  for (let step = 0; step < 400; step++) {
    const next = lists.map(() => 0)
    lists.forEach((list, from) => {
      if (!fetched[from]) return
      certain[from] += (1 - damping) * now[from]
      lists.forEach((_, to) => {
        const chance =
          list.length === 0 ? trust[to] : list.filter((target) => target === to).length / list.length
        next[to] += damping * now[from] * chance
      })
    })
    now = next
  }
  return certain
}

const cases: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 12 }).chain((pages) =>
  fc.record({
    lists: fc.array(fc.array(fc.integer({ min: 0, max: pages - 1 }), { maxLength: 5 }), {
      minLength: pages,
      maxLength: pages,
    }),
    fetched: fc.array(fc.boolean(), { minLength: pages, maxLength: pages }),
    weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: Math.min(3, pages) }),
    damping: fc.constantFrom(0.5, 0.85, 0.9),
  }),
)

describe('the mass that is certain', () => {
  it('is page by page what a surfer followed step by step leaves there', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { pages, links } = parts(drawn)
        const trust = { damping: drawn.damping, weights: Float64Array.from(drawn.weights) }
        const certain = certainMass(pages, links, trust)
        naiveMass(drawn).forEach((mass, page) => expect(certain[page]).toBeCloseTo(mass, 8))
      }),
      seeded(100),
    )
  })

  it('sums up to the guaranteed coverage', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { pages, links } = parts(drawn)
        const trust = { damping: drawn.damping, weights: Float64Array.from(drawn.weights) }
        const sum = certainMass(pages, links, trust).reduce((total, mass) => total + mass, 0)
        expect(sum).toBeCloseTo(heldMass(pages, links, trust).guaranteed, 6)
      }),
      seeded(100),
    )
  })
})
