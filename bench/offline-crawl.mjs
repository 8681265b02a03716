/**
 * A crawl without a network: pages go through the real tables, engine, log and snapshots, and the caller says which links
 * each of them has. `links` and `newSites` are the caller's room for the links of a page, filled by `linksOf`.
 */
import { CrawlSnapshots } from '../dist/crawler/session/crawl-snapshots.js'
import { openState, statefulParts } from '../dist/crawler/session/crawl-state.js'
import { fingerprint } from '../dist/lib/fingerprint.js'
import { settingsOf } from '../dist/crawler/options/crawl-settings.js'
import { CrawlFolder } from '../dist/crawler/record/crawl-folder.js'
import { FileSnapshots } from '../dist/crawler/record/snapshot-shelf.js'
import { newCounts } from '../dist/crawler/record/tally.js'

const pagesPerGroup = 300

export class OfflineCrawl {
  done = 0
  /** The longest pause of the crawl for a copy of its state, in milliseconds. */
  longestMs = 0
  #words = new Uint32Array(2)
  #random = 1
  #now = 1.8e9

  /** Creates a crawl in the folder `path`. No page has more links than `linksMax`. */
  static async create(path, { seeds, strategy, pages, linksMax }) {
    const crawl = new OfflineCrawl()
    crawl.pagesMax = pages
    crawl.links = new Uint32Array(linksMax)
    crawl.newSites = new Uint32Array(linksMax)
    const settings = settingsOf({ seeds, strategy, scope: 'any', pages, connections: 1 })
    crawl.folder = await CrawlFolder.create(path, { options: settings })
    crawl.state = await openState({
      folder: crawl.folder,
      settings,
      counts: newCounts(),
      onTaken() {},
      onOutOfReach() {},
    })
    const { state } = crawl
    crawl.files = new FileSnapshots({
      folder: crawl.folder.snapshots,
      log: state.log,
      index: state.record.index,
      onFailure: (error) => {
        throw error
      },
    })
    crawl.snapshots = new CrawlSnapshots(
      { engine: state.engine, parts: () => statefulParts(state) },
      crawl.files,
    )
    crawl.listeners = state.parts.facts.filter(({ fetched }) => fetched !== undefined)
    return crawl
  }

  /** Adds a page that was linked first by `parent`; returns its site. */
  addPage(url, parent) {
    fingerprint(url, this.#words, 0)
    return this.state.pages.add(this.#words[0], this.#words[1], url, parent)
  }

  /**
   * Crawls to the budget. `linksOf(page)` fills `links` and `newSites` and returns the number of links, `detailsOf(page)`
   * the title and the place in the archive; `onTurn` is called after each site's turn. With `isPaced`, a group waits for the
   * snapshot of the group before, as it does over HTTP.
   */
  async run({ linksOf, detailsOf, onTurn = () => {}, isPaced = false }) {
    const { engine } = this.state
    let taken = []
    const world = {
      now: () => this.#now,
      fetch: (site, list, count) => taken.push([site, [...list.subarray(0, count)]]),
    }
    engine.budget(this.pagesMax, Infinity, Infinity)
    // Stops before the engine has finished: the state after its final work cannot be restored.
    for (;;) {
      engine.dispatch(world)
      const batch = taken
      taken = []
      if (batch.length === 0) break
      for (const [site, list] of batch) {
        for (const page of list) this.#fetched(page, linksOf, detailsOf)
        engine.closed(site, this.#now)
        if (this.done % pagesPerGroup === 0) await this.#commit(false, isPaced)
        onTurn()
      }
      this.#now += 0.001
    }
    await this.#commit(true, isPaced)
    await this.files.written()
    await this.state.log.close()
    this.folder.update({ totals: undefined })
  }

  #draw = () => (this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0)

  #fetched(page, linksOf, detailsOf) {
    const { engine, record } = this.state
    const { links, newSites } = this
    const linkCount = linksOf(page)
    const prints = Uint32Array.from({ length: 6 }, this.#draw)
    const sketch = Uint32Array.from({ length: 10 }, this.#draw)
    record.putOutcome(page, {
      startMs: Math.round(this.#now * 1000),
      durationMs: 80,
      status: 200,
      score: 1 / (1 + page),
      order: ++this.done,
      bytes: 20_000,
      contentType: 'text/html; charset=utf-8',
      links: linkCount,
      shape: prints[3],
      prints,
      sketch,
      ...detailsOf(page),
    })
    // Parts learn of the page as in a replay: from its record, before the engine.
    for (const listener of this.listeners) listener.fetched(page, links, linkCount)
    engine.fetched(page, links, linkCount, newSites)
  }

  async #commit(isLast, isPaced) {
    const { facts, record } = this.state
    if (isPaced) await this.files.written()
    const bytes = facts.takeBytes()
    record.closeGroup()
    const beganMs = performance.now()
    this.snapshots.take(isLast)
    this.longestMs = Math.max(this.longestMs, performance.now() - beganMs)
    const { length } = await record.commit(bytes, new Map(), { pages: this.done })
    this.snapshots.committed(length)
  }
}
