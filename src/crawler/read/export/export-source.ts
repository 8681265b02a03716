/** The crawl that an export reads: one record, or the records of all shards of a crawl on a cluster. */
import { awaySite, noSite } from '../../../engine/world.ts'
import { FingerprintTable, unseen } from '../../../lib/fingerprint-table.ts'
import { fingerprint } from '../../../lib/fingerprint.ts'
import { trustOf, type Trust } from '../../../engine/mass/mass-walk.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { KnownCrawl, knownCrawl } from '../model/known-crawl.ts'

/** A record with pages of the crawl. */
export interface CrawlPart {
  readonly record: CrawlRecord
  /** The page of the crawl that a page of the record is; `noPage` if it is none of this record's own. */
  readonly pageOf: (page: number) => number
}

export const noPage = -1

export interface ExportSource {
  readonly crawl: KnownCrawl
  readonly parts: readonly CrawlPart[]
  readonly trust: Trust
  /** Links to pages of other shards that those shards do not know yet; undefined for a crawl on one machine. */
  readonly linksNotArrived?: number
}

export async function crawlSource(folder: CrawlFolder, record: CrawlRecord): Promise<ExportSource> {
  const crawl = await knownCrawl(record)
  const pageOf = (page: number): number => (page === crawl.outside ? noPage : page)
  return { crawl, parts: [{ record, pageOf }], trust: trustOf(folder) }
}

interface ShardRecord {
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
}

const noSites = new Uint32Array(0)

/**
 * All shards of a crawl as one: the pages of the first shard, then those of the next, and so on. A link to a page of another shard
 * leads to the page with that URL there. If that shard does not know it yet, the link leads to the outside, so that no mass is
 * counted that is not proven.
 */
export async function shardsSource(shards: readonly ShardRecord[]): Promise<ExportSource> {
  const crawl = new KnownCrawl()
  const urls = new FingerprintTable()
  const words = new Uint32Array(2)
  const known: KnownCrawl[] = []
  /** By shard and page: the page of the crawl. */
  const places: Int32Array[] = []
  for (const { record } of shards) {
    const shard = await knownCrawl(record)
    const place = new Int32Array(shard.pages.known).fill(noPage)
    for (let page = 0; page < place.length; page++) {
      if (!isOwn(shard, page)) continue
      fingerprint(record.found(page).url, words, 0)
      urls.add(words[0], words[1])
      place[page] = crawl.pages.known
      crawl.discover(0)
    }
    known.push(shard)
    places.push(place)
  }
  crawl.discover(noSite)
  crawl.countsOutside = known.some(({ countsOutside }) => countsOutside)
  let linksNotArrived = 0
  for (const [i, { record }] of shards.entries()) {
    const targets = places[i].slice()
    const isMissing = new Uint8Array(targets.length)
    for (let page = 0; page < targets.length; page++) {
      if (targets[page] !== noPage) continue
      const isAway = known[i].pages.siteOf(page) === awaySite
      if (isAway) fingerprint(record.found(page).url, words, 0)
      const found = isAway ? urls.find(words[0], words[1]) : unseen
      targets[page] = found === unseen ? crawl.outside : found
      isMissing[page] = isAway && found === unseen ? 1 : 0
    }
    linksNotArrived += addPages(crawl, { shard: known[i], place: places[i], targets, isMissing })
  }
  const parts = shards.map(({ record }, i) => ({ record, pageOf: (page: number): number => places[i][page] }))
  return { crawl, parts, trust: joinedTrust(crawl, shards, places), linksNotArrived }
}

function isOwn({ pages }: KnownCrawl, page: number): boolean {
  return pages.siteOf(page) < awaySite
}

interface ShardPages {
  readonly shard: KnownCrawl
  readonly place: Int32Array
  /** By page: where links to it lead. */
  readonly targets: Int32Array
  readonly isMissing: Uint8Array
}

/** Adds states and links of a shard's own pages. Returns the number of links to pages that are missing. */
function addPages(crawl: KnownCrawl, { shard, place, targets, isMissing }: ShardPages): number {
  const list = new Uint32Array(shard.degreeMax)
  let missing = 0
  for (let page = 0; page < place.length; page++) {
    if (place[page] === noPage) continue
    if (!shard.pages.isCrawled(page)) {
      crawl.pages.set(place[page], shard.pages.of(page))
      continue
    }
    shard.links.seek(page)
    const { targets: links, start, end } = shard.links
    for (let i = start; i < end; i++) {
      list[i - start] = targets[links[i]]
      missing += isMissing[links[i]]
    }
    crawl.fetch(place[page], list, end - start, noSites, shard.pages.isRedirect(page))
  }
  return missing
}

/** Trust in seeds of a shard without any group yet is counted as outside. */
function joinedTrust(
  crawl: KnownCrawl,
  shards: readonly ShardRecord[],
  places: readonly Int32Array[],
): Trust {
  const weights = new Float64Array(crawl.pages.known)
  const { damping } = shards[0].folder.file.options
  let total = 0
  for (const [i, { folder }] of shards.entries()) {
    const trust = trustOf(folder).weights
    // The homes of other shards are not pages of this one. Their sum and that of its own seeds is the same in each shard.
    total = trust.reduce((sum, weight) => sum + weight, 0)
    for (let page = 0; page < Math.min(trust.length, places[i].length); page++) {
      if (places[i][page] !== noPage) weights[places[i][page]] = trust[page]
    }
  }
  const missing = total - weights.reduce((sum, weight) => sum + weight, 0)
  if (missing > 1e-9 * total) weights[crawl.outside] = missing
  return { damping, weights }
}
