import { expect, it } from 'vitest'
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
