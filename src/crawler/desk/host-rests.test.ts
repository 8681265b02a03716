import { expect, it } from 'vitest'
import { SiteTable } from '../world/site-table.ts'
import { HostRests } from './host-rests.ts'

/** Two shards of a process. The clock of the second is a minute ahead; it has the site `b.test`. */
function shards(): { own: HostRests; other: HostRests; sites: SiteTable; open: Set<number>; site: number } {
  const neighbours = new Set<HostRests>()
  const sites = new SiteTable()
  const site = sites.numberOf('b.test')
  const open = new Set<number>()
  const own = new HostRests({ sites: new SiteTable(), isOpen: () => false, now: () => 100, neighbours })
  const other = new HostRests({ sites, isOpen: (each) => open.has(each), now: () => 160, neighbours })
  return { own, other, sites, open, site }
}

it('a host of another shard is left alone while a page of it is under way, and in its gap', () => {
  const { own, sites, open, site } = shards()
  expect(own.freeAt('b.test')).toBe(0)
  open.add(site)
  expect(own.freeAt('b.test')).toBeGreaterThan(100)
  open.delete(site)
  sites.rest(site, 167)
  expect(own.freeAt('b.test')).toBe(107)
})

it('pages of a host wait for requests of another shard', () => {
  const { own, other } = shards()
  own.occupy('b.test')
  expect(other.restOf('b.test')).toBeGreaterThan(160)
  own.release('b.test', 103)
  expect(other.restOf('b.test')).toBe(163)
  expect(own.restOf('b.test')).toBe(103)
  expect(other.restOf('c.test')).toBe(0)
  own.part()
  expect(other.restOf('b.test')).toBe(0)
})
