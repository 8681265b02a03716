import { describe, expect, it } from 'vitest'
import { Reachability } from './reachability.ts'
import { SiteTable } from '../world/site-table.ts'

function world(waitSeconds = 600) {
  const clock = { now: 1000 }
  const sites = new SiteTable()
  for (const name of ['a', 'b', 'c', 'd']) sites.numberOf(name)
  const open = new Set<number>()
  const reachability = new Reachability({
    sites,
    rules: { attempts: 3, firstSeconds: 1, maxSeconds: 3600 },
    waitSeconds,
    now: () => clock.now,
    openSites: () => open,
    connections: () => open.size,
  })
  return { clock, sites, open, reachability }
}

describe('a site that cannot be reached', () => {
  it('and never responded is given up after its attempts, with the reason', () => {
    const { sites, reachability } = world()
    const kinds = [1, 2, 3].map(() => reachability.missed(0, 'connect-refused').kind)
    expect(kinds).toEqual(['later', 'later', 'unreachable'])
    expect(sites.isGivenUp(0)).toBe(true)
    expect(reachability.reasonOf(0)).toBe('connect-refused')
  })

  it('but responded before is never given up; the waits grow to the longest one', () => {
    const { clock, reachability } = world()
    reachability.reached(0)
    const heldUntil = (site: number): number =>
      reachability.backOffUntil(site) || reachability.outageUntil(site)
    let longest = 0
    for (let tries = 1; tries <= 300; tries++) {
      const miss = reachability.missed(0, 'connect-refused')
      expect(miss.kind).toBe('later')
      const tried = clock.now
      // The engine looks at it at least once a minute.
      for (let until = heldUntil(0); until > 0; until = heldUntil(0)) {
        expect(until - clock.now).toBeLessThanOrEqual(60)
        clock.now = until
      }
      longest = Math.max(longest, clock.now - tried)
    }
    expect(longest).toBeGreaterThan(1800)
    expect(longest).toBeLessThanOrEqual(3600)
  })

  it('starts again with a short wait when it has responded', () => {
    const { reachability } = world()
    reachability.reached(0)
    for (let tries = 0; tries < 8; tries++) reachability.missed(0, 'connect-refused')
    reachability.reached(0)
    const miss = reachability.missed(0, 'connect-refused')
    expect(miss.kind === 'later' && miss.restSeconds).toBeLessThanOrEqual(1)
  })
})

describe('a crawl', () => {
  it('waits only when nothing is left but sites that responded before and are unreachable', () => {
    const { clock, sites, open, reachability } = world(600)
    for (const site of [0, 1]) reachability.reached(site)
    sites.addWaiting(0)
    sites.addWaiting(0)
    sites.addWaiting(1)
    reachability.missed(0, 'connect-refused')
    expect(reachability.outage()).toBeUndefined()
    sites.removeWaiting(1)
    open.add(1)
    expect(reachability.outage()).toBeUndefined()
    open.delete(1)
    expect(reachability.outage()).toMatchObject({
      kind: 'sites',
      sites: 1,
      pages: 2,
      endsAt: clock.now + 600,
    })
    // The clock does not start again because it is tried again.
    clock.now += 100
    reachability.missed(0, 'connect-refused')
    expect(reachability.endsAt()).toBe(1600)
    reachability.reached(0)
    expect(reachability.outage()).toBeUndefined()
  })

  it('does not wait for a site that is given up, although it responded before', () => {
    const { sites, reachability } = world()
    reachability.reached(0)
    sites.addWaiting(0)
    reachability.giveUp(0, 'private-address')
    expect(reachability.outage()).toBeUndefined()
  })

  it('with nothing left at all does not wait', () => {
    expect(world().reachability.outage()).toBeUndefined()
  })

  it('waits longer than usual for a site that asks for it by Retry-After, but not for ever', () => {
    const { clock, sites, reachability } = world(10)
    reachability.reached(0)
    sites.addWaiting(0)
    for (let time = 1; time <= 3; time++) {
      const miss = reachability.troubled(0, 'robots-unreachable', 3000)
      expect(miss).toEqual({ kind: 'later', restSeconds: 3000 })
      expect(reachability.endsAt()).toBe(clock.now + 3000)
      clock.now += 3000
    }
    reachability.troubled(0, 'robots-unreachable', 3000)
    expect(reachability.endsAt()).toBeLessThanOrEqual(clock.now)
  })

  it('without network charges no site, and tries all again', () => {
    const { sites, reachability } = world()
    for (const site of [0, 1, 2, 3]) sites.addWaiting(site)
    reachability.reached(0)
    for (const site of [0, 1, 2, 3]) reachability.missed(site, 'connect-failed')
    expect(reachability.isNetworkDown).toBe(true)
    expect([0, 1, 2, 3].map((site) => sites.failures(site))).toEqual([0, 0, 0, 0])
    for (let time = 0; time < 20; time++) {
      for (const site of [1, 2, 3]) expect(reachability.missed(site, 'connect-failed').kind).toBe('later')
    }
    expect(reachability.outage()).toMatchObject({ kind: 'network', sites: 4, pages: 4 })
    reachability.reached(2)
    expect(reachability.isNetworkDown).toBe(false)
    expect(reachability.outage()).toBeUndefined()
    expect(
      [0, 1, 2, 3].map((site) => reachability.backOffUntil(site) + reachability.outageUntil(site)),
    ).toEqual([0, 0, 0, 0])
  })
})
