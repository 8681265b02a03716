/**
 * Crawls of the virtual server: the loop, the engine, the real world and its desk are those of a session; only the fetch threads and the
 * clock are virtual. Timers are run one after the other, so the same requests are sent at the same times on any machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openState, type CrawlState } from '../../src/crawler/session/crawl-state.ts'
import type { CrawlWorld } from '../../src/crawler/session/crawl-world.ts'
import { FetchRate } from '../../src/crawler/session/fetch-rate.ts'
import { holdFetched } from '../../src/crawler/session/held-again.ts'
import { OutageWatch } from '../../src/crawler/session/outage-watch.ts'
import { pageConnections } from '../../src/crawler/parts/all-parts.ts'
import { SitemapVisit } from '../../src/crawler/parts/sources/sitemap-visit.ts'
import { RunningCrawl } from '../../src/crawler/session/running-crawl.ts'
import { TakenPages } from '../../src/crawler/session/taken-pages.ts'
import { crawl } from '../../src/engine/loop.ts'
import type { CrawlOptions } from '../../src/crawler/options/crawl-options.ts'
import { type CrawlSettings, settingsOf } from '../../src/crawler/options/crawl-settings.ts'
import { CrawlFolder } from '../../src/crawler/record/crawl-folder.ts'
import { newCounts } from '../../src/crawler/record/tally.ts'
import { AddressRests } from '../../src/crawler/desk/address-rests.ts'
import { Addresses } from '../../src/crawler/desk/addresses.ts'
import { Wire } from '../../src/crawler/desk/wire.ts'
import { turns } from '../../src/crawler/world/real-world.ts'
import { VirtualServer, type Access, type Respond } from './virtual-server.ts'

export interface VirtualCrawlOptions extends Omit<CrawlOptions, 'out'> {
  readonly respond: Respond
  /** When the crawl is stopped, in virtual seconds. */
  readonly seconds?: number
  /** Read the sitemaps of the seeds before the crawl. */
  readonly visitsSitemaps?: boolean
  /**
   * After so many seconds, the worker of the crawl is lost and another one begins, which knows the seeds alone: nothing was journaled.
   */
  readonly handOverAfter?: number
}

export const startMs = Date.UTC(2026, 0, 1)
const now = (): number => Date.now() / 1000
/** More than any of the crawls needs: one that does not end fails. */
const timersMax = 20_000

/** Runs a crawl to its end; returns the server's log. */
export async function virtualCrawl(options: VirtualCrawlOptions): Promise<Access[]> {
  const { respond, seconds = 7200, visitsSitemaps, handOverAfter, ...rest } = options
  const path = mkdtempSync(join(tmpdir(), 'rankward-desk-'))
  const msMax = turns.msMax
  // The virtual clock stands still while a turn runs.
  turns.msMax = 0
  const states: CrawlState[] = []
  const open = async (): Promise<Parts> => {
    const out = join(path, `${states.length}`)
    const settings = settingsOf({ warc: true, ...rest, out })
    const folder = await CrawlFolder.create(out, { options: settings })
    const counts = newCounts()
    const state = await openState({ folder, settings, counts, onTaken: () => {}, onOutOfReach: () => {} })
    states.push(state)
    return { folder, settings, state }
  }
  try {
    const parts = await open()
    const other = handOverAfter === undefined ? undefined : await open()
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance', 'Date'],
      now: startMs,
    })
    const worlds: CrawlWorld[] = []
    const wire = new Wire({
      isArchived: false,
      wake: () => worlds.at(-1)?.world.wake(),
      broken: (error) => worlds.at(-1)?.world.fail(error),
    })
    const server = new VirtualServer(wire, respond)
    wire.use(server)
    const session = { wire, worlds, visitsSitemaps, seconds }
    if (other === undefined) await elapsing(sessionOf(parts, session))
    else {
      void sessionOf(parts, session)
      await vi.advanceTimersByTimeAsync(1000 * handOverAfter!)
      worlds[0].desk.line.close()
      await elapsing(sessionOf(other, { ...session, unknownUntil: now() }))
    }
    return server.log
  } finally {
    vi.useRealTimers()
    turns.msMax = msMax
    for (const state of states) await state.log.close()
    rmSync(path, { recursive: true, force: true })
  }
}

interface Parts {
  readonly settings: CrawlSettings
  readonly folder: CrawlFolder
  readonly state: CrawlState
}

interface Session {
  readonly wire: Wire
  readonly worlds: CrawlWorld[]
  readonly visitsSitemaps?: boolean | undefined
  readonly unknownUntil?: number
  readonly seconds: number
}

async function sessionOf({ folder, settings, state }: Parts, session: Session): Promise<void> {
  const { wire, worlds, visitsSitemaps, unknownUntil, seconds } = session
  const { engine, pages, record } = state
  const rate = settings.recrawl === undefined ? undefined : new FetchRate(engine, settings.recrawl.rate)
  const running = await RunningCrawl.open({
    folder,
    settings,
    state,
    taken: new TakenPages(),
    isResumed: false,
    snapshots: { reserve: () => false, store: () => 0, cancel: () => {} },
  })
  const made = running.begin({
    openLine: (onResult) => wire.line(onResult),
    turns: new AddressRests(settings.waitPerAddress, now),
    addresses: new Addresses(settings),
    now,
    unknownUntil,
    turn() {
      rate?.update(true)
      if (outages.isOver() && engine.stopReason === undefined) engine.stop('unreachable')
      return undefined
    },
  })
  worlds.push(made)
  const { world, parts, desk } = made
  const { reachability } = desk
  const outages = new OutageWatch({ reachability, onEvent: undefined, now })
  // A continuous crawl reads sitemaps as it goes; here it does both.
  const named = visitsSitemaps === true ? await new SitemapVisit({ desk }).pagesOf(settings.seeds) : []
  for (const url of [...settings.seeds, ...named]) {
    const site = pages.addSeed(url)
    if (site !== undefined) engine.seed(site)
  }
  const connections = pageConnections(settings)
  engine.connections(connections, connections)
  engine.budget(Infinity, Infinity, Infinity)
  if (rate !== undefined) {
    holdFetched(engine, record, now())
    rate.update(true)
  }
  const stop = setTimeout(() => {
    engine.stop('time')
    parts.stop('time', true)
    world.wake()
  }, 1000 * seconds)
  await crawl(engine, world)
  while (parts.isUnfinished() && !(reachability.isNetworkDown && outages.isOver())) {
    world.deliver(engine)
    await world.wait(Infinity)
  }
  clearTimeout(stop)
}

/** Runs timer after timer until this is settled. */
async function elapsing(running: Promise<void>): Promise<void> {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  running.then(end, end)
  for (let timers = 0; !state.isOver; timers++) {
    if (timers > timersMax) throw new Error(`the crawl does not end: ${new Date().toISOString()}`)
    await vi.advanceTimersToNextTimerAsync()
  }
  await running
}
