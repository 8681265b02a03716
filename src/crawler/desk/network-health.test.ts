import { describe, expect, it } from 'vitest'
import { NetworkHealth } from './network-health.ts'

const health = (): NetworkHealth => new NetworkHealth({ firstSeconds: 1, maxSeconds: 3600 })

/** Sites 0, 1, … miss for the first time, one after the other; gives after how many the network is down. */
function missesUntilDown(network: NetworkHealth, connections: number): number {
  for (let site = 0; site < 100; site++) {
    if (network.missed(site, 0, true, connections) !== undefined) return site + 1
  }
  return Infinity
}

describe('the network', () => {
  it('is down when three sites miss and none responds, and all three are acquitted', () => {
    const network = health()
    expect(network.missed(4, 0, true, 1)).toBeUndefined()
    expect(network.missed(5, 0, true, 1)).toBeUndefined()
    expect([...(network.missed(6, 0, true, 1) ?? [])]).toEqual([4, 5, 6])
    expect(network.isDown).toBe(true)
  })

  it('is not down because one site misses often', () => {
    const network = health()
    for (let time = 0; time < 50; time++) expect(network.missed(1, time, time === 0, 1)).toBeUndefined()
    expect(network.isDown).toBe(false)
  })

  it('is up while any site responds in between', () => {
    const network = health()
    for (let site = 0; site < 50; site++) {
      network.missed(site, site, true, 1)
      if (site % 2 === 1) network.reached()
    }
    expect(network.isDown).toBe(false)
  })

  it('is not down because sites miss again that missed while others responded', () => {
    const network = health()
    for (const site of [1, 2]) network.missed(site, 0, true, 1)
    network.reached()
    for (const site of [3, 4]) network.missed(site, 1, true, 1)
    network.reached()
    for (const site of [1, 2, 3, 4]) expect(network.missed(site, 2, false, 1)).toBeUndefined()
  })

  it.each([
    [1, 3],
    [6, 3],
    [20, 10],
    [64, 20],
    [1000, 20],
  ])('with %i connections open needs %i sites to be down', (connections, sites) => {
    expect(missesUntilDown(health(), connections)).toBe(sites)
  })

  it('while it is down lets three probes out at a time, later and later, and all when it is back', () => {
    const network = health()
    missesUntilDown(network, 1)
    const waits: number[] = []
    let now = 0
    for (let round = 0; round < 12; round++) {
      expect(network.nextProbe).toBeGreaterThan(now)
      expect(network.holdUntil(9, now)).toBe(network.nextProbe)
      waits.push(network.nextProbe - now)
      now = network.nextProbe
      for (const site of [1, 2, 3]) {
        expect(network.holdUntil(site, now)).toBeUndefined()
        network.probes(site)
      }
      expect(network.holdUntil(4, now)).toBeGreaterThan(now)
      for (const site of [1, 2, 3]) expect(network.missed(site, now, false, 3)).toBeUndefined()
    }
    expect(waits[3]).toBeGreaterThan(2 * waits[0])
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
    expect(waits.at(-1)).toBeGreaterThanOrEqual(30)
    network.reached()
    for (const site of [1, 2, 3, 4, 5]) expect(network.holdUntil(site, now)).toBeUndefined()
  })
})
