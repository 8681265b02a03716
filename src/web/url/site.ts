/**
 * The owner of a URL. A site is one host and port, the unit of politeness; a registered domain is a name
 * registered under a public suffix (`example.co.uk`, `name.github.io`), by the public suffix list.
 */
import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { hostOf } from '../../lib/host.ts'

/** Loaded on demand: the public suffix list takes 90 ms to load, and most crawls do not need it. */
let tldts: typeof Tldts | undefined

/**
 * The lower-cased host of a URL, with its port unless it is the scheme's default; undefined without a host.
 */
export function siteOf(url: string): string | undefined {
  return hostOf(url)
}

/**
 * The registered domain of a host, with or without its port; the host itself if there is none (an address,
 * `localhost`).
 */
export function registeredDomain(host: string): string {
  tldts ??= createRequire(import.meta.url)('tldts') as typeof Tldts
  const name = host.replace(/:\d*$/, '')
  return tldts.getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name
}
