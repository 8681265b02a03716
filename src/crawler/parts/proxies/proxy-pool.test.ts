import { describe, expect, it } from 'vitest'
import { ProxyPool } from './proxy-pool.ts'

function pool(count: number): {
  pool: ProxyPool
  pass: (seconds: number) => void
  fail: (proxy: number) => void
} {
  let now = 1000
  const made = new ProxyPool({ count, backOff: { firstSeconds: 1, maxSeconds: 60 }, now: () => now })
  return {
    pool: made,
    pass: (seconds) => void (now += seconds),
    fail: (proxy) => made.took({ proxy, proxyFailed: true, failure: 'connect-refused' }),
  }
}

describe('the proxies of a crawl', () => {
  it('share the sites, and a site stays with its proxy', () => {
    const { pool: proxies } = pool(3)
    expect([0, 1, 2, 3, 4, 0, 1].map((site) => proxies.proxyOf(site))).toEqual([0, 1, 2, 0, 1, 0, 1])
  })

  it('that fail rest, and their sites move to another one and stay there', () => {
    const { pool: proxies, pass, fail } = pool(3)
    fail(1)
    expect(proxies.proxyOf(1)).toBe(2)
    expect(proxies.proxyOf(0)).toBe(0)
    pass(2)
    expect(proxies.proxyOf(1)).toBe(2)
    expect(proxies.proxyOf(4)).toBe(1)
    expect(proxies.isDown).toBe(false)
  })

  it('rest longer with each failure, and requests that fail together count once', () => {
    const { pool: proxies, pass, fail } = pool(1)
    const rests: number[] = []
    for (let i = 0; i < 8; i++) {
      fail(0)
      fail(0)
      const rest = proxies.freeAt() - (1000 + rests.reduce((sum, one) => sum + one, 0))
      rests.push(rest)
      pass(rest)
      expect(proxies.freeAt()).toBe(0)
    }
    expect(rests.every((rest, i) => rest >= Math.min(60, 2 ** i) / 2 && rest <= Math.min(60, 2 ** i))).toBe(
      true,
    )
    expect(proxies).toMatchObject({ isDown: true, rounds: 8 })
  })

  it('are down when all have failed, until one has a response', () => {
    const { pool: proxies, pass, fail } = pool(2)
    fail(0)
    fail(1)
    expect(proxies.isDown).toBe(true)
    expect(proxies.freeAt()).toBeGreaterThan(1000)
    pass(5)
    expect(proxies).toMatchObject({ isDown: true, rounds: 1 })
    proxies.took({ proxy: 0, failure: 'timeout' })
    expect(proxies.isDown).toBe(true)
    proxies.took({ proxy: 0, failure: undefined })
    expect(proxies).toMatchObject({ isDown: false, rounds: 0 })
  })
})
