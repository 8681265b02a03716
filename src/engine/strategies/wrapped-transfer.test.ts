import { describe, expect, it } from 'vitest'
import type { Strategy } from '../strategy.ts'
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
