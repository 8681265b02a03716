import { expect, it } from 'vitest'
import { simulatedCrawl } from '../../../test/simulated-crawl.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { syntheticGraph } from '../../webgraph/synthetic/synthetic-graph.ts'
import { KnownLinks } from '../known-links.ts'
import { obtainable } from '../page-states.ts'
import type { StrategyServices } from '../strategy.ts'
import { windowedRankMass } from './windowed-rankmass.ts'

it('a sweep passes mass along the newest links of a page', () => {
  const links = new KnownLinks({ isReplaceable: true })
  const strategy = windowedRankMass({ damping: 0.5, window: 10 })
  const services: Partial<StrategyServices> = {
    links,
    siteOf: () => 0,
    lossOf: () => obtainable,
    isHeld: (page) => page === 0,
    isCrawled: (page) => page === 0,
    known: () => 3,
    crawledCount: () => 1,
    rescored: () => {},
  }
  strategy.start?.(services as StrategyServices)
  strategy.masses?.()
  for (let page = 0; page < 3; page++) strategy.discovered(page, -1)
  strategy.seeded?.([0])
  links.append(0, Uint32Array.of(1), 1)
  strategy.visited(0, 1)
  strategy.relinking?.(0)
  links.replace(0, Uint32Array.of(2), 1)
  strategy.rerouted?.(0)
  strategy.rescore?.()
  expect([0, 1, 2].map((page) => strategy.score(page))).toEqual([0, 0, 0.25])
})

it('sweeps that look only at pages with more mass than before give the order of sweeps over all pages', async () => {
  const { graph } = syntheticGraph({ pages: 1500, linksPerPage: 4, seed: 3 })
  const cursor = graph.cursor()
  const lists = Array.from({ length: graph.pages }, (_, page) => {
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  })
  const setting = { damping: 0.5, window: 10 }
  const seed = lists.findIndex((links) => links.length > 6)
  const { order } = await simulatedCrawl({ lists, seeds: [seed] }, () => windowedRankMass(setting))
  const expected = windowedOrder(lists, seed, setting)
  expect(order).toEqual(expected.order)
  // Enough of them for the rule to matter.
  expect(expected.lateSweeps).toBeGreaterThan(20)
})

/** S20, with sweeps that visit every fetched page. */
function windowedOrder(
  lists: readonly (readonly number[])[],
  seed: number,
  { damping, window }: { damping: number; window: number },
): { order: number[]; lateSweeps: number } {
  const resting = lists.map(() => 0)
  const expanded = new Float32Array(lists.length)
  resting[seed] = 1 - damping
  const found = new Set([seed])
  const order: number[] = []
  let certain = 0
  let lateSweeps = 0
  for (;;) {
    const isLate = certain >= 1 - 1e-6
    if (isLate) lateSweeps++
    for (const page of order) {
      const mass = resting[page]
      if (mass === 0 || (isLate && mass < expanded[page] / 1024)) continue
      expanded[page] += mass
      resting[page] = 0
      certain += mass
      const targets = lists[page].length === 0 ? [seed] : lists[page]
      for (const target of targets) resting[target] += (damping * mass) / targets.length
    }
    const waiting = [...found].filter((page) => !order.includes(page))
    if (waiting.length === 0) return { order, lateSweeps }
    const size = Math.ceil((window * waiting.length) / 100 - 1e-9)
    const keys = new Map(waiting.map((page) => [page, roundScore(resting[page])]))
    for (const page of waiting.toSorted((a, b) => keys.get(b)! - keys.get(a)!).slice(0, size)) {
      order.push(page)
      for (const target of lists[page]) found.add(target)
    }
  }
}
