/**
 * Crawls that continue under a clock behind their record: its folder comes from a machine whose clock was ahead, or the clock was set back.
 * The first session runs in a process whose clock is ahead.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { resumeCrawl, type CrawlEvent, type CrawlOptions } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { program } from './command-line.ts'
import { gapsBelow } from './support/access-log.ts'
import { runCommand } from './support/child.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const hourMs = 3_600_000
/** As seen by the server, whose clock starts when it reads the head of a request. */
const toleranceMs = 3
let crawls = 0
let web: SmallWeb | undefined
afterEach(async () => web?.close())

const pagesPerSite = 20
const addresses = ['127.9.0.1', '127.9.0.2', '127.9.0.3']

/** Three sites; each page links to the next one of every site. */
async function serve(): Promise<SmallWeb> {
  const page = (address: string, i: number): string => {
    const next = addresses.map((each) => `http://${each}:PORT/${i + 1}`)
    return pageWith(`page ${i} of ${address}`, ...(i + 1 < pagesPerSite ? next : []))
  }
  const paths = Array.from({ length: pagesPerSite }, (_, i) => i)
  web = await serveSmall(
    Object.fromEntries(
      addresses.map((address) => [
        address,
        Object.fromEntries(paths.map((i) => [`/${i}`, page(address, i)])),
      ]),
    ),
  )
  return web
}

const options = (more: Partial<Omit<CrawlOptions, 'out'>>): CrawlOptions & { readonly out: string } => ({
  seeds: addresses.map((address) => web!.url(`${address}/0`)),
  out: join(folder, String(crawls++)),
  scope: 'any',
  allowPrivate: true,
  wait: 0,
  waitFactor: 0,
  waitPerAddress: 0,
  threads: 1,
  traps: false,
  ...more,
})

/** Runs a crawl in a process of its own, to its end. */
async function crawlElsewhere(given: object, imported: readonly string[] = [], clock = ''): Promise<void> {
  const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
  const crawling = spawn(process.execPath, [...imported.flatMap((each) => ['--import', each]), child], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, CLOCK_FILE: clock },
  })
  crawling.stdin.write(JSON.stringify(given))
  const [status] = (await once(crawling, 'exit')) as [number]
  expect(status).toBe(0)
}

interface Times {
  /** Of decisions and of ends of groups. */
  readonly moments: readonly number[]
  /** The rest of each site at the end of the group in which its last request ended, in seconds. */
  readonly rests: readonly number[]
}

async function timesOf(out: string): Promise<Times> {
  const record = await CrawlFolder.open(out).readRecord()
  const moments: number[] = []
  const rests: number[] = []
  let open: number[] = []
  try {
    await record.replay({
      dispatchAt: (now) => void moments.push(now),
      closed: (_site, freeAt) => void open.push(freeAt),
      moment: (now) => {
        moments.push(now)
        rests.push(...open.map((freeAt) => freeAt - now))
        open = []
      },
    })
    return { moments, rests }
  } finally {
    record.close()
  }
}

describe('a crawl whose record is ahead of the clock', () => {
  it.each([
    ['from a snapshot', false],
    ['from the log alone', true],
  ])('continues %s at once, and time does not run back', async (_, isReplayed) => {
    await serve()
    const given = options({})
    await crawlElsewhere({ ...given, clockAheadMs: hourMs, stopAfter: 15 })
    const snapshots = join(given.out, 'record', 'snapshots')
    expect(readdirSync(snapshots)).toHaveLength(1)
    if (isReplayed) rmSync(snapshots, { recursive: true })
    const events: CrawlEvent[] = []
    const resumed = resumeCrawl({ out: given.out, onEvent: (event) => events.push(event) })
    expect((await resumed.run()).pages).toBe(60)
    const said = events.filter((event) => event.kind === 'clock-behind')
    expect(said).toHaveLength(1)
    // The rest of the hour has passed since.
    expect(said[0].seconds).toBeGreaterThan(0)
    expect(said[0].seconds).toBeLessThanOrEqual(3600)
    const { moments } = await timesOf(given.out)
    expect(moments.filter((each, i) => each < moments[i - 1])).toEqual([])
    // Robots.txt files of earlier sessions may be of any age.
    const robots = web!.asked.filter((place) => place === '127.9.0.1/robots.txt')
    expect(robots).toHaveLength(2)
  })

  it('keeps the gaps of its sites, none of them for longer than a gap', async () => {
    const wait = 1
    await serve()
    const given = options({ wait, pages: 6, robotsTxt: false })
    await crawlElsewhere({ ...given, clockAheadMs: 24 * hourMs })
    const { rests } = await timesOf(given.out)
    expect(rests.length).toBeGreaterThan(0)
    expect(Math.max(...rests)).toBeLessThan(wait + 1e-5)
    expect((await resumeCrawl({ out: given.out, pages: 12 }).run()).pages).toBe(12)
    expect(gapsBelow(web!.accesses, wait, { toleranceMs })).toEqual([])
  })

  it('says it in one line on standard error', async () => {
    await serve()
    const given = options({ pages: 5 })
    await crawlElsewhere({ ...given, clockAheadMs: 60 * 24 * hourMs })
    const args = [program, 'resume', given.out, '--pages', '20', '--no-progress']
    const { status, stderr } = await runCommand(process.execPath, args, folder)
    expect(status).toBe(0)
    const lines = stderr.split('\n').filter((line) => line.includes('clock'))
    expect(lines).toEqual([
      'The clock of this machine is 60 days behind the record of this crawl. The crawl continues from the time of the last entry, as if no time had passed since: gaps between requests are kept.',
    ])
  })
})

it('a system clock that was set back by a few seconds does not shorten the gaps of sites', async () => {
  const wait = 1
  await serve()
  const clock = join(folder, 'clock')
  writeFileSync(clock, '-3000')
  const setting = pathToFileURL(fileURLToPath(new URL('support/set-clock.mjs', import.meta.url))).href
  await crawlElsewhere(options({ wait, pages: 9, robotsTxt: false }), [setting], clock)
  expect(web!.accesses.length).toBe(9)
  expect(gapsBelow(web!.accesses, wait, { toleranceMs })).toEqual([])
})
