/**
 * Every site has a loopback address of its own, 127.a.b.c with a from 1 and c from 1 to 254: 16.5 million of
 * them, each a separate host for a crawler. Linux accepts connections on all of 127.0.0.0/8 without
 * configuration.
 */
import { isIPv4 } from 'node:net'
import { assert } from '../../lib/assert.ts'

const lastBytes = 254
const perFirstByte = 256 * lastBytes

export const siteAddressesMax = 254 * perFirstByte

export function addressOfSite(site: number): string {
  assert(site >= 0 && site < siteAddressesMax, `site ${site} has no loopback address`)
  const a = 1 + Math.floor(site / perFirstByte)
  const b = Math.floor(site / lastBytes) % 256
  const c = 1 + (site % lastBytes)
  return `127.${a}.${b}.${c}`
}

/** The site with this address; undefined if there is none. */
export function siteOfAddress(address: string): number | undefined {
  if (!isIPv4(address)) return undefined
  const [first, a, b, c] = address.split('.').map(Number)
  if (first !== 127 || a < 1 || a > 254 || c < 1 || c > lastBytes) return undefined
  return (a - 1) * perFirstByte + b * lastBytes + (c - 1)
}
