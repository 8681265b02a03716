import { expect, it } from 'vitest'
import { addressOfSite, siteAddressesMax, siteOfAddress } from './web-urls.ts'

it.each([
  [0, '127.1.0.1'],
  [1, '127.1.0.2'],
  [253, '127.1.0.254'],
  [254, '127.1.1.1'],
  [254 * 256 - 1, '127.1.255.254'],
  [254 * 256, '127.2.0.1'],
  [siteAddressesMax - 1, '127.254.255.254'],
])('site %i has %s, and it alone', (site, address) => {
  expect(addressOfSite(site)).toBe(address)
  expect(siteOfAddress(address)).toBe(site)
})

it('a site past the last address is refused', () => {
  expect(() => addressOfSite(siteAddressesMax)).toThrow('no loopback address')
})

it.each(['127.0.0.1', '127.1.0.0', '127.1.0.255', '127.255.0.1', '10.1.0.1', '127.1', 'localhost', '::1'])(
  '%s is no site',
  (address) => {
    expect(siteOfAddress(address)).toBeUndefined()
  },
)
