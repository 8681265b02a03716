/**
 * The site of each page, the unit of politeness. With URLs, a site is a lower-cased host with its port.
 * Without URLs, sites are generated from the ids (docs/theory/semantics.md S6): runs of consecutive ids, as in a
 * real crawl numbered in URL order, with a handful to thousands of pages each.
 */
import { hashId } from '../lib/hash.ts'
import { hostOf } from '../lib/host.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import type { UrlList } from './url-list.ts'

export { hostOf }

export interface Sites {
  readonly count: number
  /** The site of each page. Sites are numbered in order of their first page. */
  readonly ofPage: Uint32Array<SharedArrayBuffer>
  /** The key of a site for values drawn by hash (S32): its number, or the id that starts it. */
  readonly keys: Uint32Array
  /** The original site numbers, if the sites were given. */
  readonly given?: Float64Array
}

const regionIdsLog2 = 14

/** Whether this id starts a new generated site. */
function startsSite(id: number): boolean {
  if (id % (1 << regionIdsLog2) === 0) return true
  const region = Math.floor(id / (1 << regionIdsLog2))
  const sizeMean = 8 * 2 ** (hashId(region, 1) % 11)
  return hashId(id, 2) % sizeMean === 0
}

/**
 * Sites generated from ids, which must be ascending: a page belongs to the nearest starting id at or below
 * its own.
 */
export function sitesFromIds(pages: number, ids: Uint32Array | undefined): Sites {
  const ofPage = sharedUint32(pages)
  const keys: number[] = []
  let key = -1
  let before = -1
  for (let page = 0; page < pages; page++) {
    const id = ids === undefined ? page : ids[page]
    // Walks down one region at most: its first id always starts a site.
    for (let start = id; start > before; start--) {
      if (!startsSite(start)) continue
      key = start
      break
    }
    before = id
    if (keys.length === 0 || keys[keys.length - 1] !== key) keys.push(key)
    ofPage[page] = keys.length - 1
  }
  return { count: keys.length, ofPage, keys: Uint32Array.from(keys) }
}

/** Sites by host and port. */
export function sitesFromUrls(urls: UrlList): Sites {
  const ofPage = sharedUint32(urls.length)
  const siteOfHost = new Map<string, number>()
  for (let page = 0; page < urls.length; page++) {
    const host = hostOf(urls.at(page)) ?? ''
    let site = siteOfHost.get(host)
    if (site === undefined) siteOfHost.set(host, (site = siteOfHost.size))
    ofPage[page] = site
  }
  return { count: siteOfHost.size, ofPage, keys: siteNumbers(siteOfHost.size) }
}

/** Sites given as one number per page; renumbered in order of their first page. */
export function sitesFromNumbers(numbers: ArrayLike<number>): Sites {
  const ofPage = sharedUint32(numbers.length)
  const siteOfNumber = new Map<number, number>()
  // Neighbouring pages mostly share a site: the map is read only if the number changes.
  let numberBefore = -1
  let site = -1
  for (let page = 0; page < numbers.length; page++) {
    const number = numbers[page]
    if (number !== numberBefore) {
      site = siteOfNumber.get(number) ?? siteOfNumber.size
      siteOfNumber.set(number, site)
      numberBefore = number
    }
    ofPage[page] = site
  }
  const given = Float64Array.from(siteOfNumber.keys())
  return { count: siteOfNumber.size, ofPage, keys: siteNumbers(siteOfNumber.size), given }
}

function siteNumbers(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, site) => site)
}
