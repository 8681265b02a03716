import { describe, expect, it } from 'vitest'
import type { Strategy } from '../engine/strategy.ts'
import { hotQueue } from './hot-queue.ts'
import { strategyOf } from './index.ts'
import { spamDemoted } from './spam-demotion.ts'
import { weighted } from './weighted.ts'

const setting = { damping: 0.85, webPages: 10, seed: 1 }
const whole = (): Strategy => strategyOf('opic', setting)

function withoutTransfer(): Strategy {
  const strategy: Strategy = { ...whole() }
  delete strategy.transfer
  return strategy
}

const wrappers: Record<string, (inner: Strategy) => Strategy> = {
  weighted: (inner) =>
    weighted(
      'sum',
      [
        { strategy: whole(), weight: 1 },
        { strategy: inner, weight: 2 },
      ],
      { every: 10 },
    ),
  'hot queue': (inner) => hotQueue('hot', inner, { nearHot: true }),
  'spam demotion': (inner) => spamDemoted(inner, { damping: 0.85, every: 10, massMax: 0.9 }),
}

describe.each(Object.keys(wrappers))('%s', (name) => {
  it('can be saved if the strategies inside can', () => {
    expect('transfer' in wrappers[name](whole())).toBe(true)
  })

  it('cannot be saved if a strategy inside cannot', () => {
    expect('transfer' in wrappers[name](withoutTransfer())).toBe(false)
  })
})

/** Recomputed at 1, 2, 4, … crawled pages. */
function doubling(): { inner: Strategy; crawled: (count: number) => void } {
  let interval = 1
  const inner: Strategy = {
    ...whole(),
    get every() {
      return interval
    },
  }
  return { inner, crawled: (count) => (interval = count) }
}

it.each(['hot queue', 'spam demotion'])('%s follows an interval that changes during the crawl', (name) => {
  const { inner, crawled } = doubling()
  const strategy = wrappers[name](inner)
  expect(strategy.every).toBe(1)
  crawled(64)
  expect(strategy.every).toBe(64)
})

it('spam demotion has an interval of its own if the strategy has none, and none in batches', () => {
  expect(wrappers['spam demotion'](whole()).every).toBe(10)
  expect(wrappers['spam demotion'](strategyOf('batch-pagerank', setting)).every).toBeUndefined()
})
