/**
 * Which site each page belongs to: the unit of politeness. From URLs, a site is a lower-cased host with its port;
 * without URLs sites are made up from the ids (docs/semantics.md S6), in runs of neighbouring ids as in a real crawl that is
 * numbered in URL order, with sizes from a handful to thousands of pages.
 */
import { hashId } from '../lib/hash.ts'
import { hostOf } from '../lib/host.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import type { UrlList } from './url-list.ts'

export { hostOf }

export interface Sites {
  readonly count: number
  /** The site of each page. Sites are numbered in the order of their first page. */
  readonly ofPage: Uint32Array<SharedArrayBuffer>
  /** What stands for a site where something is drawn for it by hash (S32): its number, or the id that starts it. */
  readonly keys: Uint32Array
  /** What a site is called where sites came with numbers of their own. */
  readonly given?: Float64Array
}

const regionIdsLog2 = 14

/** Does this id start a new made-up site? */
function startsSite(id: number): boolean {
  if (id % (1 << regionIdsLog2) === 0) return true
  const region = Math.floor(id / (1 << regionIdsLog2))
  const sizeMean = 8 * 2 ** (hashId(region, 1) % 11)
  return hashId(id, 2) % sizeMean === 0
}

/** Sites made up from ids, which must be ascending: a page belongs to the nearest starting id at or below its own. */
export function sitesFromIds(pages: number, ids: Uint32Array | undefined): Sites {
  const ofPage = sharedUint32(pages)
  const keys: number[] = []
  let key = -1
  let before = -1
  for (let page = 0; page < pages; page++) {
    const id = ids === undefined ? page : ids[page]
    // Walks down at most one region: its first id always starts a site.
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

/** Sites given page by page, by any numbers; renumbered in the order of their first page. */
export function sitesFromNumbers(numbers: ArrayLike<number>): Sites {
  const ofPage = sharedUint32(numbers.length)
  const siteOfNumber = new Map<number, number>()
  // Neighbouring pages mostly share a site: the map is asked only where the number changes.
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
