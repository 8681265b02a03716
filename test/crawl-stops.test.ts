/** However a crawl is stopped, it says why, nothing of it is lost or torn, and it can be gone on with. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { type ServedWeb, type ServeOptions, serveWeb } from '../src/webgraph/served/served-web.ts'
import { commandEnd, interruptAgain, startRankward } from './command-line.ts'
import { expectWholeArchive } from './support/archive-check.ts'
import { fetchedUrls, pageRecords } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 200, sites: 10, seed: 11, linksPerPage: 6 })
const { seed, reachable } = bestSeed(web.graph)

let served: ServedWeb
let serving: ServeOptions = {}
/** Pages asked for, counted when they are asked for. */
let asked: number[] = []
beforeEach(async () => {
  asked = []
  serving = {}
  served = await serveWeb(web, {
    latencyMs: 5,
    onRequest(request, response) {
      if (request.page !== undefined) asked.push(request.page)
      return serving.onRequest?.(request, response)
    },
  })
})
afterEach(() => served.close())

let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))

function options(out: string, more: Partial<CrawlOptions> = {}): CrawlOptions {
  const seeds = [served.urlOf(seed)]
  const strategy = 'breadth-first'
  return {
    seeds,
    out,
    strategy,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    connections: 8,
    threads: 2,
    ...more,
  }
}

/** Every page that the seed reaches was asked for, none more often than so many times in all beyond once. */
async function expectComplete(out: string, repeated = 0): Promise<void> {
  expect(await fetchedUrls(out)).toHaveLength(reachable)
  expect(new Set(asked).size).toBe(reachable)
  expect(asked.length - reachable).toBeLessThanOrEqual(repeated)
  await expectWholeArchive(out)
}

describe('a crawl that is stopped', () => {
  it('finishes requests in flight, and their pages are never refetched', async () => {
    const out = newFolder()
    const running = crawl(options(out, { onEvent: () => void (asked.length > 60 && running.stop()) }))
    const totals = await running.run()
    expect(totals.stoppedBecause).toBe('interrupted')
    expect(totals.pages).toBe(asked.length)
    expect(totals.pages).toBeLessThan(90)
    await expectWholeArchive(out)
    const resumed = await resumeCrawl({ out }).run()
    expect(resumed).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
    await expectComplete(out)
  })

  it('at once aborts requests in flight, which a resume repeats', async () => {
    const out = newFolder()
    // Held until the crawl has ended: only giving them up can end it.
    let release = (): void => {}
    const held = new Promise<boolean>((resolve) => {
      release = () => resolve(false)
    })
    serving = { onRequest: () => (asked.length > 40 ? held : false) }
    const running = crawl(options(out))
    const end = running.run()
    while (asked.length < 48) await pause(5)
    running.stop({ now: true })
    const totals = await end
    release()
    expect(totals.stoppedBecause).toBe('interrupted')
    expect(totals.pages).toBeLessThan(asked.length)
    serving = {}
    expect(await resumeCrawl({ out }).run()).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
    await expectComplete(out, 8)
  })

  it('before it has begun fetches nothing, and is resumed from its seeds', async () => {
    const out = newFolder()
    const running = crawl(options(out))
    running.stop()
    expect(await running.run()).toMatchObject({ pages: 0, stoppedBecause: 'interrupted' })
    expect(asked).toEqual([])
    expect(await resumeCrawl({ out }).run()).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
    await expectComplete(out)
  })

  it('is stopped once, however often it is told', async () => {
    const out = newFolder()
    const events: string[] = []
    const running = crawl(
      options(out, {
        onEvent(event) {
          if (event.kind === 'stopping') events.push(event.because)
          if (asked.length > 20) running.stop()
          if (asked.length > 20) running.stop({ now: true })
        },
      }),
    )
    expect((await running.run()).stoppedBecause).toBe('interrupted')
    expect(events).toEqual(['interrupted'])
    running.stop({ now: true })
  })
})

describe('signals to the command', () => {
  it.each([
    { signal: 'SIGINT', what: 'SIGINT once' },
    { signal: 'SIGINT', what: 'SIGINT twice', isTwice: true },
    { signal: 'SIGTERM', what: 'SIGTERM' },
  ] as const)('$what saves the crawl, which can be resumed', async ({ signal, ...more }) => {
    const isTwice = 'isTwice' in more
    const out = newFolder()
    // Requests in flight end soon, or only if they are aborted.
    let release = (): void => {}
    const held = new Promise<boolean>((resolve) => {
      release = () => resolve(false)
    })
    const late = (): Promise<boolean> => (isTwice ? held : pause(150).then(() => false))
    serving = { onRequest: () => (asked.length > 60 ? late() : false) }
    const args = ['--out', out, '--scope', 'any', '--wait', '0', '--allow-private', '--connections', '8']
    const child = startRankward(['crawl', served.urlOf(seed), ...args])
    const end = commandEnd(child)
    while (asked.length < 66) await pause(5)
    child.kill(signal)
    if (isTwice) await interruptAgain(child)
    const { exitCode, stderr } = await end
    release()
    expect(stderr).not.toMatch(/at .*:\d+:\d+/)
    expect(exitCode).toBe(130)
    const before = await fetchedUrls(out)
    expect(before.length).toBeGreaterThan(30)
    if (isTwice) expect(before.length).toBeLessThan(asked.length)
    else expect(before).toHaveLength(asked.length)
    await expectWholeArchive(out)
    serving = {}
    expect(await resumeCrawl({ out }).run()).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
    await expectComplete(out, isTwice ? 8 : 0)
  })
})

describe('a budget', () => {
  it.each([1, 2, 50])(
    'of %i pages is never exceeded by one request, and a larger one goes on',
    async (pages) => {
      const out = newFolder()
      const totals = await crawl(options(out, { pages, perConnection: 3 })).run()
      expect(totals).toMatchObject({ pages, stoppedBecause: 'pages' })
      expect(asked).toHaveLength(pages)
      expect(await resumeCrawl({ out }).run()).toMatchObject({ pages, stoppedBecause: 'pages' })
      expect(asked).toHaveLength(pages)
      const larger = await resumeCrawl({ out, pages: pages + 30 }).run()
      expect(larger).toMatchObject({ pages: pages + 30, stoppedBecause: 'pages' })
      expect(asked).toHaveLength(pages + 30)
      expect(new Set(asked).size).toBe(pages + 30)
      await expectWholeArchive(out)
    },
  )

  it('of pages counts neither those that failed nor those that robots.txt forbids', async () => {
    serving = {
      onRequest({ page, path }, response) {
        if (path === '/robots.txt') response.end('User-agent: *\nDisallow: /p/18')
        else if (page !== undefined && page % 7 === 1 && page !== seed) response.writeHead(404).end()
        else return false
        return true
      },
    }
    const totals = await crawl(options(newFolder(), { pages: 40 })).run()
    expect(totals).toMatchObject({ pages: 40, stoppedBecause: 'pages' })
    expect(totals.refusedByRobots).toBeGreaterThan(0)
    expect(totals.failed).toBeGreaterThan(0)
    expect(asked).toHaveLength(40 + totals.failed)
  })

  it('of time ends the crawl when it is up, counted from the beginning of the crawl', async () => {
    const out = newFolder()
    serving = { onRequest: () => pause(50).then(() => false) }
    const totals = await crawl(options(out, { seconds: 1, connections: 2 })).run()
    expect(totals.stoppedBecause).toBe('time')
    expect(totals.pages).toBeLessThan(reachable)
    const asks = asked.length
    const again = await resumeCrawl({ out }).run()
    expect(again).toMatchObject({ pages: totals.pages, stoppedBecause: 'time' })
    expect(asked).toHaveLength(asks)
    serving = {}
    expect(await resumeCrawl({ out, seconds: 3600 }).run()).toMatchObject({ stoppedBecause: 'finished' })
    await expectComplete(out, 2)
  })

  it('of bytes ends the crawl, and a resume without budget sends no requests', async () => {
    const out = newFolder()
    const totals = await crawl(options(out, { bytes: 30_000, connections: 4 })).run()
    expect(totals.stoppedBecause).toBe('bytes')
    expect(totals.bytes).toBeGreaterThanOrEqual(30_000)
    expect(totals.pages).toBeLessThan(reachable)
    const asks = asked.length
    expect(await resumeCrawl({ out }).run()).toMatchObject({ pages: totals.pages, stoppedBecause: 'bytes' })
    expect(asked).toHaveLength(asks)
    expect(await resumeCrawl({ out, bytes: 1e9 }).run()).toMatchObject({ stoppedBecause: 'finished' })
    await expectComplete(out, 4)
  })
})

describe('a server that vanishes', () => {
  it('leaves pages that were out of reach, with their mass, and an end', async () => {
    const out = newFolder()
    let closed: Promise<void> | undefined
    const totals = await crawl(
      options(out, {
        attempts: 1,
        waitUnreachableSeconds: 0.2,
        onEvent: () => {
          if (asked.length > 30) closed ??= served.close()
        },
      }),
    ).run()
    await closed
    expect(totals.stoppedBecause).toBe('unreachable')
    expect(totals.outage.pages).toBeGreaterThan(0)
    expect(totals.waiting + totals.temporary + totals.unreachable).toBeGreaterThan(0)
    const { guaranteed, budget } = totals.coverage
    expect(guaranteed + budget).toBeCloseTo(1, 6)
    expect(guaranteed).toBeGreaterThan(0)
    const records = await pageRecords(out)
    expect(records.filter(({ outcome }) => outcome === undefined)).toHaveLength(totals.waiting)
    const errors = new Set(records.map(({ outcome }) => outcome?.error ?? 'none'))
    expect([...errors].every((error) => /^(none|connect-refused|reset)$/.test(error))).toBe(true)
    await expectWholeArchive(out)
  })
})

describe('a folder that cannot be written', () => {
  it('is an error before any request', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    await expect(crawl(options(join(file, 'crawl'))).run()).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(asked).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)(
    'because it is read-only is the same error (not for root, who may write anywhere)',
    async () => {
      const out = newFolder()
      mkdirSync(out)
      chmodSync(out, 0o500)
      await expect(crawl(options(out)).run()).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
      expect(asked).toEqual([])
    },
  )

  it('of a running crawl is an error with a message', async () => {
    const out = newFolder()
    const running = crawl(options(out, { wait: 0.2 }))
    const end = running.run()
    while (asked.length < 3) await pause(5)
    await expect(resumeCrawl({ out }).run()).rejects.toMatchObject({
      code: 'CRAWL_RUNNING',
      message: expect.stringContaining(`process ${process.pid}`),
    })
    running.stop({ now: true })
    expect((await end).stoppedBecause).toBe('interrupted')
    await expectWholeArchive(out)
  })

  it('is no crawl to resume where there is none', async () => {
    await expect(resumeCrawl({ out: newFolder() }).run()).rejects.toMatchObject({ code: 'NO_CRAWL' })
  })
})

/** A file system of its own; undefined: this needs root, and mount. */
function smallDisk(path: string, size: string): boolean {
  try {
    mkdirSync(path)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const disk = join(folder, 'disk')
const hasDisk = smallDisk(disk, '3m')
afterAll(() => {
  if (hasDisk) execFileSync('umount', ['-l', disk], { stdio: 'ignore' })
})
const diskNote = hasDisk ? '' : ' (skipped: a small tmpfs cannot be mounted here)'

describe.skipIf(!hasDisk)(`a disk that is full${diskNote}`, () => {
  const ballast = join(disk, 'ballast')
  afterEach(() => {
    for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true, force: true })
  })

  /** Leaves so many bytes. */
  function fill(left: number): void {
    const free = Number(/(\d+)\s+\d+%/.exec(execFileSync('df', ['-B1', disk]).toString())?.[1])
    try {
      writeFileSync(ballast, Buffer.alloc(Math.max(0, free - left)))
    } catch (error) {
      // The crawl has taken some of the free bytes meanwhile: the disk is full sooner.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  it.each([
    { warc: true, warcLevel: 0, left: 40_000, what: 'while pages are archived' },
    { warc: true, warcLevel: 0, left: 150_000, what: 'later, while pages are archived' },
    { warc: false, warcLevel: 0, left: 20_000, what: 'while the record is written' },
  ])('$what ends the crawl with a clear error, and what was kept goes on with room', async (how) => {
    const out = join(disk, 'crawl')
    const { warc, warcLevel } = how
    let filled = false
    const running = crawl(
      options(out, {
        warc,
        warcLevel,
        onEvent() {
          if (filled || asked.length < 20) return
          filled = true
          fill(how.left)
        },
      }),
    )
    serving = { onRequest: () => pause(30).then(() => false) }
    await expect(running.run()).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: expect.stringMatching(/space|room|full/i),
    })
    rmSync(ballast)
    serving = {}
    const totals = await resumeCrawl({ out }).run()
    expect(totals).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
    expect(new Set(asked).size).toBe(reachable)
    if (warc) await expectWholeArchive(out)
  })

  it('at the very end is an error too, not an end that lacks its last pages', async () => {
    const out = join(disk, 'crawl')
    // Large ones, so that not even what is left of a block takes the last of them.
    serving = {
      onRequest(_, response) {
        if (asked.length < 25) return false
        response.setHeader('content-type', 'text/html').end('large '.repeat(4000) + asked.length)
        return true
      },
    }
    const running = crawl(
      options(out, {
        warcLevel: 0,
        pages: 30,
        onEvent() {
          if (running.progress().pages === 30) fill(0)
        },
      }),
    )
    await expect(running.run()).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    rmSync(ballast)
    serving = {}
    expect(await resumeCrawl({ out, pages: 60 }).run()).toMatchObject({ pages: 60, stoppedBecause: 'pages' })
    expect(await fetchedUrls(out)).toHaveLength(60)
    await expectWholeArchive(out)
  })

  it('from the beginning is an error before any request', async () => {
    fill(0)
    await expect(crawl(options(join(disk, 'crawl'))).run()).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(asked).toEqual([])
  })
})

describe('a record whose tail is damaged', () => {
  function newestLog(out: string): string {
    const log = join(out, 'record', 'log')
    const logs = readdirSync(log).filter((name) => /^\d+\.log$/.test(name))
    return join(log, logs.toSorted().at(-1)!)
  }

  const damages = [
    { what: 'cut short', damage: (log: string) => truncateSync(log, statSync(log).size - 7) },
    { what: 'cut by half', damage: (log: string) => truncateSync(log, statSync(log).size >> 1) },
    {
      what: 'overwritten at its end',
      damage(log: string) {
        const bytes = readFileSync(log)
        bytes.fill(0x5a, bytes.length - 200)
        writeFileSync(log, bytes)
      },
    },
  ]
  const noise = {
    what: 'followed by noise',
    damage: (log: string) => appendFileSync(log, Buffer.alloc(3000, 0xa5)),
  }

  /** A stopped crawl, and the number of its pages. `crawlFile`: crawl.json while it ran. */
  async function stopped(): Promise<{ out: string; pages: number; crawlFile: string }> {
    const out = newFolder()
    let crawlFile = ''
    serving = { onRequest: () => pause(40).then(() => false) }
    const running = crawl(
      options(out, {
        onEvent() {
          if (asked.length <= 80) return
          if (crawlFile === '') crawlFile = readFileSync(join(out, 'crawl.json'), 'utf8')
          running.stop()
        },
      }),
    )
    // Not opened in between: opening the record for writing starts another segment.
    const { pages } = await running.run()
    serving = {}
    return { out, pages, crawlFile }
  }

  it.each([...damages, noise])(
    '($what), of a killed crawl, is gone on with from its last whole group',
    async ({ what, damage }) => {
      const { out, pages, crawlFile } = await stopped()
      // As a kill leaves it: without totals, and without the snapshot of the end.
      writeFileSync(join(out, 'crawl.json'), crawlFile)
      rmSync(join(out, 'record', 'snapshots'), { recursive: true, force: true })
      damage(newestLog(out))
      const totals = await resumeCrawl({ out }).run()
      expect(totals).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
      expect(new Set(asked).size).toBe(reachable)
      expect(asked.length).toBeLessThanOrEqual(reachable + pages)
      if (what === 'cut by half') expect(asked.length).toBeGreaterThan(reachable)
      await expectWholeArchive(out)
    },
  )

  it.each(damages)(
    '($what), of a crawl that was closed, is an error that says what is lost',
    async ({ damage }) => {
      const { out } = await stopped()
      damage(newestLog(out))
      await expect(resumeCrawl({ out }).run()).rejects.toThrow(/groups? \d.* (?:is|are) lost/)
    },
  )
})
