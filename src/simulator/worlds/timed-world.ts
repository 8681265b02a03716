/**
 * A stored graph under a virtual clock: robots, latencies, transfers over a shared link, sites that rest. It
 * jumps from event to event and never waits; an event costs O(log robots).
 *
 *   fetch ▷ latency ▷ transfer ▷ transfer … ▷ closed         one connection, one robot (S29)
 *              robots.txt first, if enabled        └▷ the site rests, and with `holdsRobot` the robot with it
 *
 * At one instant transfers end first, then latencies, then rests (S33); of several the lowest robot's first.
 *
 * Invariant, asserted at every access: no site has two connections, and no site is requested before its rest
 * is over.
 */
import type { World, WorldListener } from '../../engine/world.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingFloat64, GrowingUint8 } from '../../lib/growing-array.ts'
import { Ending, type EndingWorldOptions } from './changing-world.ts'
import type { NetworkModel } from './network-model.ts'
import { PageLinks, type PageSource, type ReadingOf } from './page-links.ts'
import type { VirtualPageTable } from './page-table.ts'
import { RobotQueue } from './robot-queue.ts'
import { SharedLink } from './shared-link.ts'
import { TimeLog } from './time-log.ts'
import { gapSeconds, isTooSlow } from '../../engine/politeness.ts'

export interface TimedWorldOptions extends SiteWaitsOptions {
  readonly graph: Graph
  readonly table: VirtualPageTable
  readonly network: NetworkModel
  /** Only if the crawl has a topic. */
  readonly readingOf?: ReadingOf | undefined
  /** Delivers the pages of a web that changes; those of the graph unless given. */
  readonly source?: PageSource | undefined
  /** The end of a crawl that does not end by itself, and the events until then. */
  readonly ending?: EndingWorldOptions | undefined
  /** The same number as in the engine. */
  readonly connections: number
  /** Maximum number of pages per connection, as in the engine. */
  readonly perConnection: number
  /** Bytes a second of the crawler's link: B. Infinite unless given. */
  readonly bandwidth?: number | undefined
  /** Latency applies to every page, not once per connection. */
  readonly latencyPerPage?: boolean | undefined
  /** A robot stays with its site while that rests (S34). */
  readonly holdsRobot?: boolean | undefined
  /** The first connection to a site transfers its robots.txt before its pages. */
  readonly robotsTxt?: boolean | undefined
}

/** Replaces the index of a page on its connection: robots.txt is being fetched. */
const robotsTxt = -1

export class TimedWorld implements World {
  readonly log: TimeLog
  readonly #options: TimedWorldOptions
  readonly #table: VirtualPageTable
  readonly #network: NetworkModel
  readonly #source: PageSource
  readonly #ending: Ending | undefined
  readonly #link: SharedLink
  readonly #waits: SiteWaits
  #now = 0
  readonly #idle: IdleRobots
  /** The robots that wait for a latency to pass, and those that hold a resting site, by end time. */
  readonly #latencies: RobotQueue
  readonly #rests: RobotQueue
  /**
   * Each robot's connection: its site in the crawl's numbers and in the web's, its pages, and the current
   * one.
   */
  readonly #sites: Uint32Array
  readonly #webSites: Uint32Array
  readonly #pages: Uint32Array
  readonly #counts: Uint32Array
  readonly #places: Int32Array
  readonly #bytes: Float64Array
  /** When each robot's last request began; NaN: its connection has sent none. */
  readonly #requestedAt: Float64Array
  /** When each robot's current transfer began. */
  readonly #sentAt: Float64Array
  /** The time from which each site may be requested; Infinity while it has a connection. */
  readonly #freeAt = new GrowingFloat64(64)
  /** 1 for a site whose robots.txt has been requested. */
  readonly #robotsTxtAsked = new GrowingUint8(64)
  /** 1 for a site of which a page has been requested. */
  readonly #isRequested = new GrowingUint8(64)

  constructor(options: TimedWorldOptions) {
    const { graph, table, network, connections, perConnection, bandwidth = Infinity } = options
    this.#options = options
    this.#table = table
    this.#network = network
    this.#source = options.source ?? new PageLinks(graph, table, options.readingOf)
    this.#ending = options.ending && new Ending(options.ending)
    this.#link = new SharedLink(bandwidth, connections)
    const hasSmallSites = options.smallSiteWaitSeconds !== undefined
    const siteSizes = hasSmallSites ? (options.siteSizes ?? table.siteSizes()) : undefined
    this.#waits = new SiteWaits({ ...options, siteSizes })
    this.#idle = new IdleRobots(connections)
    this.#latencies = new RobotQueue(connections)
    this.#rests = new RobotQueue(connections)
    this.#sites = new Uint32Array(connections)
    this.#webSites = new Uint32Array(connections)
    this.#pages = new Uint32Array(connections * perConnection)
    this.#counts = new Uint32Array(connections)
    this.#places = new Int32Array(connections)
    this.#bytes = new Float64Array(connections)
    this.#requestedAt = new Float64Array(connections)
    this.#sentAt = new Float64Array(connections)
    this.log = new TimeLog(connections)
  }

  now(): number {
    return this.#now
  }

  /** Bytes a second of the link; Infinity where it is not limited. */
  get bandwidth(): number {
    return this.#link.bandwidth
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    const now = this.#now
    const { perConnection } = this.#options
    assert(
      count > 0 && count <= perConnection,
      'a connection must request at least one page and not too many',
    )
    this.#occupy(site)
    const robot = this.#idle.take()
    const from = robot * perConnection
    for (let i = 0; i < count; i++) this.#pages[from + i] = pages[i]
    this.#counts[robot] = count
    this.#sites[robot] = site
    this.#webSites[robot] = this.#table.webSiteOf(pages[0])
    this.#places[robot] = this.#needsRobotsTxt(site) ? robotsTxt : 0
    this.#isRequested.ensure(site)
    this.#requestedAt[robot] = NaN
    this.log.opened(robot, now)
    if (this.#isRefused(robot)) this.#latencies.add(robot, now)
    else this.#awaitLatency(robot)
  }

  deliver(listener: WorldListener): void {
    const now = this.#now
    for (;;) {
      if (this.#link.nextEnd() <= now) this.#endTransfer(listener)
      else if (this.#latencies.firstKey() <= now) this.#transfer(this.#latencies.take(), listener)
      else if (this.#rests.firstKey() <= now) this.#leaveSite(this.#rests.take(), now, listener)
      else break
    }
    this.#ending?.tell(now, listener)
  }

  wait(due: number): undefined {
    const event = Math.min(this.#link.nextEnd(), this.#latencies.firstKey(), this.#rests.firstKey())
    const first = Math.min(event, due)
    const next = this.#ending === undefined ? first : this.#ending.wait(first)
    assert(next < Infinity, 'the crawl waits for an event that never happens')
    if (next > this.#now) this.#now = next
    return undefined
  }

  #occupy(site: number): void {
    this.#freeAt.ensure(site)
    const freeAt = this.#freeAt.array[site]
    assert(freeAt < Infinity, 'a site has two connections at once')
    assert(freeAt <= this.#now, 'a site is requested before its rest is over')
    this.#freeAt.array[site] = Infinity
  }

  #needsRobotsTxt(site: number): boolean {
    if (this.#options.robotsTxt !== true) return false
    this.#robotsTxtAsked.ensure(site)
    if (this.#robotsTxtAsked.array[site] === 1) return false
    this.#robotsTxtAsked.array[site] = 1
    return true
  }

  #awaitLatency(robot: number): void {
    this.#requestedAt[robot] = this.#now
    this.#latencies.add(robot, this.#now + this.#network.latency(this.#webSites[robot]))
  }

  /** The connection is ready for its current file. */
  #transfer(robot: number, listener: WorldListener): void {
    const webSite = this.#webSites[robot]
    let bytes: number
    if (this.#places[robot] === robotsTxt) bytes = this.#network.robotsTxtBytes(webSite)
    else {
      const page = this.#pageOf(robot)
      if (this.#isRefused(robot)) {
        this.#refuse(robot, page, listener)
        return
      }
      this.#isRequested.array[this.#sites[robot]] = 1
      const node = this.#table.nodeOf(page)
      if (this.#network.fails(node)) {
        this.#fail(robot, page, listener)
        return
      }
      bytes = this.#network.pageBytes(node)
    }
    this.#bytes[robot] = bytes
    this.#sentAt[robot] = this.#now
    this.#link.start(robot, bytes, this.#network.speed(webSite), this.#now)
    this.log.bandwidthUsed.set(this.#now, this.#link.rate)
  }

  /** Is the next page refused, as in the real world, because its site has a very long crawl-delay? */
  #isRefused(robot: number): boolean {
    return (
      this.#places[robot] !== robotsTxt &&
      this.#waits.isTooSlow(this.#webSites[robot]) &&
      this.#isRequested.array[this.#sites[robot]] === 1
    )
  }

  #refuse(robot: number, page: number, listener: WorldListener): void {
    if (this.#source.refuse?.(page, listener, this.#now) !== true) listener.failed(page, 'limit')
    if (++this.#places[robot] === this.#counts[robot]) this.#close(robot, listener)
    else this.#latencies.add(robot, this.#now)
  }

  #fail(robot: number, page: number, listener: WorldListener): void {
    this.log.failed++
    listener.failed(page, 'failed')
    if (++this.#places[robot] === this.#counts[robot]) this.#close(robot, listener)
    else if (this.#awaitsLatency(robot)) this.#awaitLatency(robot)
    else {
      this.#requestNext(robot)
      // At once, but by way of the queue: a thousand failures in a row would be as many calls deep.
      this.#latencies.add(robot, this.#now)
    }
  }

  #endTransfer(listener: WorldListener): void {
    const robot = this.#link.end()
    this.log.bandwidthUsed.set(this.#now, this.#link.rate)
    if (this.#places[robot] === robotsTxt) this.log.robotsTxtCompleted(this.#bytes[robot])
    else {
      const page = this.#pageOf(robot)
      this.log.completed(page, this.#bytes[robot], this.#now)
      this.#source.tell(page, listener, this.#sentAt[robot])
    }
    this.#proceed(robot, listener)
  }

  #pageOf(robot: number): number {
    return this.#pages[robot * this.#options.perConnection + this.#places[robot]]
  }

  /** Continues with the next file of the connection, or ends it. */
  #proceed(robot: number, listener: WorldListener): void {
    if (++this.#places[robot] === this.#counts[robot]) this.#close(robot, listener)
    else if (this.#awaitsLatency(robot)) this.#awaitLatency(robot)
    else {
      this.#requestNext(robot)
      this.#transfer(robot, listener)
    }
  }

  #awaitsLatency(robot: number): boolean {
    return this.#options.latencyPerPage === true && !this.#isRefused(robot)
  }

  #requestNext(robot: number): void {
    if (!this.#isRefused(robot)) this.#requestedAt[robot] = this.#now
  }

  #close(robot: number, listener: WorldListener): void {
    const tookSeconds = this.#now - this.#requestedAt[robot]
    const isRequested = !Number.isNaN(tookSeconds)
    const gap = isRequested ? this.#waits.gapSeconds(this.#webSites[robot], tookSeconds) : 0
    const freeAt = this.#now + gap
    this.#freeAt.array[this.#sites[robot]] = freeAt
    this.log.closed(robot, this.#now)
    // The engine counts a robot as busy until its connection is reported closed.
    if (this.#options.holdsRobot === true) this.#rests.add(robot, freeAt)
    else this.#leaveSite(robot, freeAt, listener)
  }

  #leaveSite(robot: number, freeAt: number, listener: WorldListener): void {
    this.#idle.add(robot)
    listener.closed(this.#sites[robot], freeAt)
  }
}

/** The set of idle robots. One bit each: a thousand robots are 32 words, scanned from the left. */

export class IdleRobots {
  readonly #words: Uint32Array
  /** No robot of an earlier word is idle. */
  #firstWord = 0
  count: number

  /** All are idle. */
  constructor(robots: number) {
    this.#words = new Uint32Array(Math.ceil(robots / 32))
    this.count = 0
    for (let robot = 0; robot < robots; robot++) this.add(robot)
  }

  add(robot: number): void {
    const word = robot >>> 5
    this.#words[word] |= 1 << (robot & 31)
    if (word < this.#firstWord) this.#firstWord = word
    this.count++
  }

  /** Takes the idle robot with the lowest number (S30). There must be one. */
  take(): number {
    assert(this.count > 0, 'more connections are asked for than there are robots')
    while (this.#words[this.#firstWord] === 0) this.#firstWord++
    const bits = this.#words[this.#firstWord]
    const lowest = bits & -bits
    this.#words[this.#firstWord] = bits ^ lowest
    this.count--
    return this.#firstWord * 32 + (31 - Math.clz32(lowest))
  }
}

/** How long the sites of a virtual web rest: the rules of politeness.ts, with the wait and the crawl-delay of each site. */

interface SiteWaitsOptions {
  /** How long a site rests after a connection's end: w. */
  readonly waitSeconds: number
  /** A site rests at least this many times as long as its last download took; 0 unless given. */
  readonly waitFactor?: number | undefined
  /** The crawl-delay of each site of the web in seconds; 0 or NaN: none. */
  readonly crawlDelays?: Float64Array | undefined
  /** How long sites with fewer than `smallSitePages` pages rest; as the others unless given. */
  readonly smallSiteWaitSeconds?: number | undefined
  /** 100 unless given. */
  readonly smallSitePages?: number | undefined
  /** How many pages of the web each site has. Needed for `smallSiteWaitSeconds`. */
  readonly siteSizes?: Uint32Array | undefined
}

class SiteWaits {
  readonly #options: SiteWaitsOptions

  constructor(options: SiteWaitsOptions) {
    this.#options = options
  }

  /** Seconds that a site rests after a connection whose last download took so long. */
  gapSeconds(webSite: number, tookSeconds: number): number {
    const { waitFactor = 0 } = this.#options
    const wait = this.#wait(webSite)
    return gapSeconds({
      wait,
      waitFactor,
      tookSeconds,
      crawlDelaySeconds: this.#crawlDelay(webSite),
      restSeconds: 0,
    })
  }

  /** Is one page of this site fetched and no more, because its crawl-delay is too long? */
  isTooSlow(webSite: number): boolean {
    return (
      this.#options.crawlDelays !== undefined && isTooSlow(this.#crawlDelay(webSite), this.#wait(webSite))
    )
  }

  #crawlDelay(webSite: number): number {
    return this.#options.crawlDelays?.[webSite] || 0
  }

  #wait(webSite: number): number {
    const { waitSeconds, smallSiteWaitSeconds, smallSitePages = 100, siteSizes } = this.#options
    if (smallSiteWaitSeconds === undefined || siteSizes === undefined) return waitSeconds
    return siteSizes[webSite] < smallSitePages ? smallSiteWaitSeconds : waitSeconds
  }
}
