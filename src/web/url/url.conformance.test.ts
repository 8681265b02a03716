/**
 * The URL cases of the web platform tests and of urlcanon. Each case that we answer differently is in a table
 * with the reason; what Node's own URL answers differently from the newest standard is counted, since it is
 * not ours.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { canonicalUrl } from './canonical-url.ts'
import { withCanonicalEscapes } from './plain-url.ts'
import { isUrl } from '../../lib/host.ts'

const folder = 'conformance/url'
const asItIs = { sessionIds: false, trackingParameters: false }

interface UrlCase {
  input: string
  base: string | null
  href?: string
  failure?: boolean
}

interface CanonCase {
  input: string
  expected: string
  special?: boolean
}

/** Hosts that end in dots: we drop them, and nothing that can be a host is left. */
const finalDots = ['http://./', 'http://../', 'http://foo.09..']

/** urlcanon's own taste in canonical forms, where it is not the URL standard's or ours. */
const tastes: { reason: string; is: (one: CanonCase) => boolean }[] = [
  { reason: 'user names are part of a URL', is: ({ input }) => input.includes('@') },
  { reason: 'a link without scheme is no URL', is: ({ input }) => !/^\s*https?:/i.test(input) },
  {
    reason: 'escapes are undone once, and only those of unreserved characters',
    is: ({ input }) => input.includes('%'),
  },
  { reason: 'a query keeps its order unless asked', is: ({ input }) => /\?.*&/.test(input) },
  { reason: 'an empty query is none', is: ({ input }) => input.endsWith('?') },
  { reason: 'slashes in a row are kept', is: ({ input }) => /[^:]\/\/|\\\\/.test(input) },
  { reason: 'hosts that the URL standard refuses', is: ({ input }) => !isUrl(input) },
]

function read(name: string): unknown {
  return JSON.parse(readFileSync(sharedPath(`${folder}/${name}`), 'utf8'))
}

function hrefOf(input: string, base: string | null): string | undefined {
  if (!isUrl(input, base ?? undefined)) return undefined
  return new URL(input, base ?? undefined).href
}

const missing = absent(folder)
const reason = missing ? ' (skipped: ../shared/conformance/url is absent)' : ''

describe.skipIf(missing)(`URLs as others test them${reason}`, () => {
  it('resolves all of the web platform tests that Node resolves', () => {
    const all = read('wpt-urltestdata.json') as UrlCase[]
    const builtIn = all.filter((one) => hrefOf(one.input, one.base) !== one.href)
    const wrong = all.filter((one) => {
      const isHttp = one.href !== undefined && /^https?:/.test(one.href)
      const wanted = isHttp
        ? withCanonicalEscapes(one.href!.replace(/#.*$/s, '').replace(/\?$/, ''))
        : undefined
      return canonicalUrl(one.input, one.base ?? undefined, asItIs) !== wanted
    })
    expect(builtIn.length).toBeLessThanOrEqual(15)
    expect(wrong.filter((one) => !builtIn.includes(one)).map((one) => one.input)).toEqual(finalDots)
    expect(all.length - wrong.length).toBeGreaterThanOrEqual(881)
  })

  it('turns international hosts into ASCII as Node does', () => {
    const all = read('wpt-toascii.json') as { input: string; output: string | null }[]
    const passed = all.filter(({ input, output }) => {
      const wanted = output === null ? undefined : `https://${output.replace(/\.$/, '')}/x`
      return canonicalUrl(`https://${input}/x`) === wanted
    })
    const builtIn = all.filter(({ input, output }) => {
      return hrefOf(`https://${input}/x`, null) !== (output === null ? undefined : `https://${output}/x`)
    })
    expect(passed.length).toBeGreaterThanOrEqual(all.length - builtIn.length)
    expect(passed.length).toBeGreaterThanOrEqual(73)
  })

  it('escapes a query as UTF-8; other charsets need the page', () => {
    const wrong = (
      read('wpt-percent-encoding.json') as { input: string; output: Record<string, string> }[]
    ).filter(({ input, output }) => canonicalUrl(`http://h/?${input}`) !== `http://h/?${output['utf-8']}`)
    expect(wrong).toEqual([])
  })

  it('agrees with urlcanon but for its tastes', () => {
    const { semanticPrecise } = read('urlcanon.json') as { semanticPrecise: CanonCase[] }
    const ours = semanticPrecise.filter(({ expected }) => /^https?:/.test(expected))
    const wrong = ours.filter(
      ({ input, expected }) => canonicalUrl(input, undefined, asItIs) !== expected.replace(/#.*$/, ''),
    )
    expect(wrong.filter((one) => !tastes.some(({ is }) => is(one)))).toEqual([])
    expect(ours.length - wrong.length).toBeGreaterThanOrEqual(79)
  })

  it('removes dot segments as urlcanon does; a backslash is a slash, as in browsers', () => {
    const { pathDots } = read('urlcanon.json') as { pathDots: CanonCase[] }
    const wrong = pathDots.filter(
      ({ input, expected }) => canonicalUrl(`http://h${input}`) !== `http://h${expected}`,
    )
    expect(wrong.filter(({ input }) => !input.includes('\\'))).toEqual([])
    expect(pathDots.length - wrong.length).toBeGreaterThanOrEqual(706)
  })

  it('reads addresses in all their spellings', () => {
    const { ipv4 } = read('urlcanon.json') as { ipv4: { input: string; expected: string | null }[] }
    const wrong = ipv4.filter(
      ({ input, expected }) =>
        canonicalUrl(`http://${input}/`) !== (expected === null ? undefined : `http://${expected}/`),
    )
    // The URL standard takes 0000xa for a name: it starts with 0, not with 0x.
    expect(wrong.map(({ input }) => input)).toEqual(['0000xa'])
  })
})
