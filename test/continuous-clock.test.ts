/** Continuous crawls over days, and under a system clock that is set while they run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type Crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { factsOf } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const dayMs = 86_400_000
let folders = 0
let web: ChangingWeb
let out: string
let running: Crawl | undefined
const { timeOrigin } = performance

beforeEach(async () => {
  web = new ChangingWeb()
  await web.open()
  out = join(folder, `crawl-${folders++}`)
  web.put('/', 'the first page', ['/a', '/b'])
  web.put('/a', 'page a')
  web.put('/b', 'page b')
})

afterEach(async () => {
  setCrawlClock(0)
  running?.stop({ now: true })
  await running?.totals.catch(() => {})
  running = undefined
  web.close()
})

const options = (): CrawlOptions => ({
  seeds: [web.url()],
  out,
  allowPrivate: true,
  wait: 0,
  waitPerAddress: 0,
  threads: 1,
  traps: false,
  continuous: true,
  rate: 20 * 86_400,
  recrawlPolicy: 'uniform',
  restSeconds: 0.3,
})

function started(crawled: Crawl): void {
  running = crawled
  void running.run()
}

async function end(): Promise<void> {
  running?.stop()
  await running?.totals
}

/** The clock of crawls in this process is ahead by this time. */
function setCrawlClock(ms: number): void {
  Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + ms, configurable: true })
}

async function verdictsOf(path: string): Promise<string[]> {
  const record = await CrawlFolder.open(out).readRecord()
  try {
    for (let page = 0; page < record.known; page++) {
      if (record.found(page).url !== web.url(path)) continue
      const verdicts = Array.from(record.looks(page), ({ verdict }) => verdict).toReversed()
      return verdicts.filter((verdict, i) => verdict !== verdicts[i - 1])
    }
    return []
  } finally {
    record.close()
  }
}

describe('a held page that robots.txt disallows from some day on', () => {
  const robots = (rules: string): void => {
    web.pages.set('/robots.txt', { html: `User-agent: *\n${rules}` })
  }

  it('is not requested, keeps its version, and is looked at again when it is allowed', async () => {
    robots('Disallow: /private')
    started(crawl(options()))
    await web.again('/a', 2)
    await end()
    // A day later, in another session.
    setCrawlClock(1.1 * dayMs)
    robots('Disallow: /a')
    const before = web.requests('/a').length
    started(resumeCrawl({ out }))
    await web.again('/b', 4)
    expect(web.requests('/a')).toHaveLength(before)
    await end()
    expect(await verdictsOf('/a')).toEqual(['first', 'same', 'forbidden'])
    const explanation = await explain(out, web.url('/a'))
    expect(explanation.state).toBe('fetched')
    expect(explanation.freshness).toMatchObject({ state: 'forbidden', dueAt: undefined })
    expect(explanation.freshness?.looks[0]).toMatchObject({
      verdict: 'forbidden',
      error: 'robots',
      status: 0,
    })
    expect(explanation.robots).toMatchObject({ forbids: true })
    const { pages, files } = await exportCrawl(out, { to: join(out, 'tables'), format: 'jsonl' })
    expect([pages, files.map(({ table, rows }) => [table, rows])]).toEqual([
      3,
      [
        ['pages', 3],
        ['links', 2],
        ['versions', 3],
      ],
    ])
    // Another day later, while the crawl runs.
    started(resumeCrawl({ out }))
    await web.again('/b', 2)
    expect(web.requests('/a')).toHaveLength(before)
    robots('Disallow: /private')
    setCrawlClock(2.2 * dayMs)
    await web.again('/a', 2)
    await end()
    expect(await verdictsOf('/a')).toEqual(['first', 'same', 'forbidden', 'same'])
  })
})

describe('a system clock that is set while a crawl runs', () => {
  it('neither stops the crawl, nor shortens the rest of a page, nor turns its time back', async () => {
    const clock = join(folder, `clock-${folders}`)
    const setting = pathToFileURL(fileURLToPath(new URL('support/set-clock.mjs', import.meta.url))).href
    const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
    const begin = (given: object): ReturnType<typeof spawn> => {
      const process = spawn(globalThis.process.execPath, ['--import', setting, child], {
        stdio: ['pipe', 'ignore', 'inherit'],
        env: { ...globalThis.process.env, CLOCK_FILE: clock },
      })
      process.stdin.write(JSON.stringify(given))
      return process
    }
    let process = begin(options())
    await web.again('/a', 3)
    for (const offsetMs of [3 * dayMs, -3 * dayMs, 400 * dayMs, 0]) {
      writeFileSync(clock, String(offsetMs))
      web.put('/a', `page a when the clock is off by ${offsetMs}`)
      await web.again('/a', 3)
    }
    process.kill('SIGKILL')
    await once(process, 'exit')
    const killedMs = performance.now()
    // A session under a clock that is a year slow.
    writeFileSync(clock, String(-365 * dayMs))
    process = begin({ out })
    await web.again('/a', 3)
    process.kill('SIGKILL')
    await once(process, 'exit')
    for (const path of ['/', '/a', '/b']) {
      const requests = web.requests(path).map(({ atMs }) => atMs)
      expect(requests.length).toBeGreaterThan(10)
      requests.slice(1).forEach((atMs, i) => {
        // The last look before the kill may not have been recorded.
        const isNextSession = atMs > killedMs && requests[i] < killedMs
        if (!isNextSession) expect(atMs - requests[i]).toBeGreaterThanOrEqual(300)
      })
    }
    const { looks } = await factsOf(out)
    looks.slice(1).forEach(({ seconds }, i) => expect(seconds).toBeGreaterThanOrEqual(looks[i].seconds))
    const changed = looks.filter(({ verdict }) => verdict === 'changed')
    expect(changed).toHaveLength(4)
    expect(changed[3].seconds - changed[0].seconds).toBeLessThan(3600)
  })
})
