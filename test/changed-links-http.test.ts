/**
 * The guarantee of a crawl over HTTP whose links change (S70): status, summary and report never say more than an exact solve of the
 * links that the crawl exports, and stay close to it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { crawl, type Crawl } from '../src/crawler/crawler.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { status } from '../src/crawler/read/status.ts'
import { report } from '../src/view/reporter.ts'
import { seededRandom } from '../src/lib/random.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const damping = 0.85
const folder = temporaryFolder()
let folders = 0
let web: ChangingWeb
let out: string
let running: Crawl | undefined

beforeEach(async () => {
  web = new ChangingWeb()
  await web.open()
  out = join(folder, `crawl-${folders++}`)
})

afterEach(async () => {
  running?.stop({ now: true })
  await running?.totals.catch(() => {})
  running = undefined
  web.close()
})

/** About 100 looks a second, at the page seen longest ago. */
function begin(): Crawl {
  running = crawl({
    seeds: [web.url()],
    out,
    allowPrivate: true,
    wait: 0,
    waitPerAddress: 0,
    threads: 1,
    traps: false,
    strategy: 'exact-rankmass',
    continuous: true,
    rate: 100 * 86_400,
    recrawlPolicy: 'uniform',
    restSeconds: 0.05,
  })
  void running.run()
  return running
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(20)
}

/** What the fetched pages certainly hold by the exported links, walked step by step. */
async function exportedCoverage(): Promise<number> {
  const to = `${out}-tables`
  await exportCrawl(out, { to, format: ['jsonl'] })
  const rows = <T>(table: string): T[] =>
    readFileSync(join(to, `${table}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T)
  const pages = rows<{ page: number; state: string; url: string }>('pages')
  const held = new Set(pages.filter(({ state }) => state === 'fetched').map(({ page }) => page))
  const links = new Map<number, number[]>()
  for (const { from, to: target } of rows<{ from: number; to: number }>('links'))
    links.set(from, [...(links.get(from) ?? []), target])
  let coverage = 0
  let now = new Map([[pages.find(({ url }) => url === web.url())!.page, 1]])
  for (let steps = 0; steps < 200; steps++) {
    const next = new Map<number, number>()
    for (const [page, mass] of now) {
      if (!held.has(page)) continue
      coverage += (1 - damping) * mass
      const targets = links.get(page) ?? [0]
      for (const target of targets)
        next.set(target, (next.get(target) ?? 0) + (damping * mass) / targets.length)
    }
    now = next
  }
  return coverage
}

it('a seed whose only link moves from a held ring to an unfetched page makes the ring uncertain everywhere', async () => {
  const ring = Array.from({ length: 5 }, (_, i) => `/ring-${i}`)
  web.put('/', 'the seed', [ring[0]])
  ring.forEach((path, i) => web.put(path, `page ${i} of the ring`, [ring[(i + 1) % ring.length]]))
  const { totals } = begin()
  await web.again(ring[4], 2)
  await until(() => running!.progress().guaranteed! > 0.99)
  web.put('/new', 'not to be had', [], { status: 503 })
  web.put('/', 'the seed has changed', ['/new'])
  await web.again('/', 2)
  await until(() => running!.progress().guaranteed! < 0.2)
  await until(() => (status(out).progress?.guaranteed ?? 1) < 0.2)
  running!.stop()
  const { coverage, headline } = await totals
  const exact = await exportedCoverage()
  expect(exact).toBeCloseTo(1 - damping, 9)
  expect(status(out).progress!.guaranteed).toBeLessThanOrEqual(exact + 1e-9)
  expect(coverage.share).toBeLessThanOrEqual(exact + 1e-9)
  expect(headline).toContain('15% of the importance is certain')
  await report(out, { out: `${out}.html` })
  const html = readFileSync(`${out}.html`, 'utf8')
  expect(html).toContain('15% of the importance is certain')
  expect(html.match(/[\d.]+% of the importance is certain/g)).toEqual(['15% of the importance is certain'])
})

it('with every page held, the coverage stays near the truth while links change all the time', async () => {
  const paths = ['/', ...Array.from({ length: 19 }, (_, i) => `/page-${i}`)]
  const draw = seededRandom(3)
  let version = 0
  /** The link to the next page stays, so that every page can be reached. */
  const change = (index: number): void => {
    const others = Array.from({ length: 3 }, () => paths[draw.below(paths.length)])
    web.put(paths[index], `version ${version++}`, [paths[(index + 1) % paths.length], ...others])
  }
  paths.forEach((_, index) => change(index))
  const { totals } = begin()
  await web.again(paths[19], 2)
  let least = 1
  for (let changes = 0; changes < 400; changes++) {
    change(draw.below(paths.length))
    if (changes % 10 !== 0) continue
    await web.again('/page-3')
    least = Math.min(least, running!.progress().guaranteed!)
  }
  running!.stop()
  const { coverage } = await totals
  const exact = await exportedCoverage()
  expect(exact).toBeGreaterThan(0.999)
  expect(coverage.share).toBeLessThanOrEqual(exact + 1e-9)
  expect(least).toBeGreaterThan(0.99)
})

it('a page that is gone is explained as gone, with the importance that rests on it', async () => {
  web.put('/', 'the seed', ['/a', '/b'])
  web.put('/a', 'page a', ['/'])
  web.put('/b', 'page b', ['/'])
  const { totals } = begin()
  await web.again('/b', 2)
  web.put('/a', 'no more', [], { status: 410 })
  await web.again('/a')
  await web.again('/b', 2)
  running!.stop()
  await totals
  const explanation = await explain(out, web.url('/a'))
  expect(explanation.rests).toMatchObject({ as: 'unobtainable' })
  expect(explanationText(out, explanation)).toContain('Gone since: the copy counts no longer')
})
