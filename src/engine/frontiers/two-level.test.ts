import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { none } from '../page-forest.ts'
import { histories, play, type NaiveFrontier } from './frontiers.cases.ts'
import { TwoLevelFrontier } from './two-level.ts'

/** Of all pages at free sites the one with the highest key; of equal keys the one found first (S8). */
function bestPage(naive: NaiveFrontier): number {
  const key = (page: number): number => naive.pages.get(page)!.key
  return naive.allowed().toSorted((a, b) => key(b) - key(a) || a - b)[0] ?? none
}

/** The first page of the free site with most pages; of equal counts the site found first (S16, S30). */
function pageOfLargestSite(naive: NaiveFrontier): number {
  const counts = new Map<number, number>()
  for (const { site } of naive.pages.values()) counts.set(site, (counts.get(site) ?? 0) + 1)
  const site = (page: number): number => naive.pages.get(page)!.site
  const allowed = naive.allowed()
  return (
    allowed.toSorted(
      (a, b) => counts.get(site(b))! - counts.get(site(a))! || site(a) - site(b) || a - b,
    )[0] ?? none
  )
}

describe('the two-level frontier', () => {
  it('offers the best page of all free sites, exactly, after any history', () => {
    fc.assert(
      fc.property(histories(200), (history) => {
        const frontier = new TwoLevelFrontier()
        play(frontier, history, (naive) => expect(frontier.best(naive.now)).toBe(bestPage(naive)))
      }),
      seeded(300),
    )
  })

  it('offers the first page of the free site that has most pages, where sites are ranked', () => {
    const sameKeys = histories(200).map((history) =>
      history
        .filter(({ what }) => what !== 'update' && what !== 'clear')
        .map((operation) => ({ ...operation, key: 0 })),
    )
    fc.assert(
      fc.property(sameKeys, (history) => {
        const frontier = new TwoLevelFrontier({ ranksSites: true })
        play(frontier, history, (naive) => expect(frontier.best(naive.now)).toBe(pageOfLargestSite(naive)))
      }),
      seeded(300),
    )
  })

  it('takes the best pages of a site on one connection, in order', () => {
    const frontier = new TwoLevelFrontier()
    ;[3, 9, 1, 9].forEach((key, page) => frontier.add(page, 0, key))
    frontier.add(4, 1, 5)
    expect([frontier.take(0), frontier.takeFrom(0), frontier.takeFrom(0)]).toEqual([1, 3, 0])
    expect([frontier.take(0), frontier.takeFrom(0), frontier.takeFrom(0)]).toEqual([4, 2, none])
  })

  it('tells by what the last page was taken: its key, or how many pages its site had', () => {
    for (const ranksSites of [false, true]) {
      const frontier = new TwoLevelFrontier({ ranksSites })
      frontier.add(0, 0, 7)
      frontier.add(1, 0, 7)
      frontier.take(0)
      expect(frontier.takenRank).toBe(ranksSites ? 2 : 7)
    }
  })
})
