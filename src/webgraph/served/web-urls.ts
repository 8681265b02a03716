/**
 * The URLs of a served web: a site's first page is `http://127.a.b.c:PORT/`, its others are
 * `http://127.a.b.c:PORT/p/NUMBER.html`. Each page has exactly one URL. 4 bytes per site and none per page.
 */
import type { Sites } from '../sites.ts'
import { isUrl } from '../../lib/host.ts'
import { isIPv4 } from 'node:net'
import { assert } from '../../lib/assert.ts'

const pathPattern = /^\/p\/(0|[1-9]\d{0,9})\.html$/

export class WebUrls {
  readonly port: number
  readonly #sites: Sites
  readonly #homes: Uint32Array

  constructor(sites: Sites, port: number) {
    this.port = port
    this.#sites = sites
    this.#homes = homePages(sites)
  }

  get siteCount(): number {
    return this.#sites.count
  }

  siteOf(page: number): number {
    return this.#sites.ofPage[page]
  }

  /** The site's first page. */
  homeOf(site: number): number {
    return this.#homes[site]
  }

  addressOf(site: number): string {
    return addressOfSite(site)
  }

  /** As in `new URL(…).origin`. The URL standard leaves port 80 out. */
  originOf(site: number): string {
    const address = addressOfSite(site)
    return this.port === 80 ? `http://${address}` : `http://${address}:${this.port}`
  }

  urlOf(page: number): string {
    return this.originOf(this.siteOf(page)) + this.pathOf(page)
  }

  pathOf(page: number): string {
    return this.#isHome(page) ? '/' : `/p/${page}.html`
  }

  /** The href from `from` to `to`: relative within the site, absolute otherwise. */
  hrefOf(from: number, to: number): string {
    if (this.siteOf(from) !== this.siteOf(to)) return this.urlOf(to)
    if (this.#isHome(to)) return '/'
    return this.#isHome(from) ? `p/${to}.html` : `${to}.html`
  }

  /** The page with this URL; undefined if there is none. A fragment is ignored. */
  pageOf(url: string): number | undefined {
    if (!isUrl(url)) return undefined
    const { protocol, hostname, port, pathname, search } = new URL(url)
    const site = siteOfAddress(hostname)
    if (protocol !== 'http:' || Number(port === '' ? 80 : port) !== this.port) return undefined
    return site === undefined ? undefined : this.pageAt(site, pathname + search)
  }

  /** The page at a path of a site, with its query; undefined if there is none. */
  pageAt(site: number, path: string): number | undefined {
    if (site >= this.#sites.count) return undefined
    if (path === '/') return this.#homes[site]
    const page = Number(pathPattern.exec(path)?.[1] ?? this.#sites.ofPage.length)
    const isHere = page < this.#sites.ofPage.length && this.siteOf(page) === site && !this.#isHome(page)
    return isHere ? page : undefined
  }

  #isHome(page: number): boolean {
    return this.#homes[this.siteOf(page)] === page
  }
}

function homePages({ count, ofPage }: Sites): Uint32Array {
  const homes = new Uint32Array(count)
  for (let page = ofPage.length - 1; page >= 0; page--) homes[ofPage[page]] = page
  return homes
}

/**
 * Every site has a loopback address of its own, 127.a.b.c with a from 1 and c from 1 to 254: 16.5 million of
 * them, each a separate host for a crawler. Linux accepts connections on all of 127.0.0.0/8 without
 * configuration.
 */

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
