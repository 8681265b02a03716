/** Pages with the same bytes at several URLs: what they lead to, what ends, and what `explain` says of them. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallPage, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const host = (number: number): string => `127.1.0.${number}`
const home = host(1)
let crawls = 0

const options = {
  scope: 'host',
  wait: 0,
  allowPrivate: true,
  threads: 1,
  strategy: 'breadth-first',
  warc: false,
} as const

interface Ended {
  readonly web: SmallWeb
  readonly totals: CrawlTotals
  /** By place, such as `127.1.0.1/a`. */
  readonly records: ReadonlyMap<string, PageRecord>
  readonly out: string
}

async function served(sites: SmallSites): Promise<SmallWeb> {
  const web = await serveSmall(sites)
  closing.push(web)
  return web
}

async function ended(web: SmallWeb, out: string, totals: CrawlTotals): Promise<Ended> {
  const placeOf = (url: string): string => url.replace('http://', '').replace(`:${web.port}`, '')
  const records = await pageRecords(out)
  return { web, totals, out, records: new Map(records.map((record) => [placeOf(record.url), record])) }
}

async function crawled(
  sites: SmallSites,
  seeds: readonly string[] = [`${home}/`],
  more: Partial<CrawlOptions> = {},
): Promise<Ended> {
  const web = await served(sites)
  const out = join(folder, String(crawls++))
  const connectTo = more.connectTo?.map((rule) => rule.replace('PORT', String(web.port)))
  const urls = seeds.map((seed) => (connectTo === undefined ? web.url(seed) : `http://${seed}`))
  const totals = await crawl({ ...options, seeds: urls, out, ...more, connectTo }).run()
  return ended(web, out, totals)
}

const fetched = ({ records }: Ended): string[] =>
  [...records].filter(([, { outcome }]) => outcome?.status === 200).map(([place]) => place)

describe('seeds with the same home page', () => {
  it('five with the same meta refresh are all crawled', async () => {
    const refresh =
      '<!doctype html><meta http-equiv="refresh" content="0; url=start.html"><p>Please wait.</p>'
    const sites = Object.fromEntries(
      [1, 2, 3, 4, 5].map((i) => [
        host(i),
        {
          '/': refresh,
          '/start.html': pageWith(`start of ${i}`, 'more.html'),
          '/more.html': pageWith(`more of ${i}`),
        },
      ]),
    )
    const end = await crawled(
      sites,
      Object.keys(sites).map((name) => `${name}/`),
    )
    expect(end.totals).toMatchObject({ pages: 15, duplicates: 4, waiting: 0 })
    expect(fetched(end)).toHaveLength(15)
    const homes = [1, 2, 3, 4, 5].map((i) => end.records.get(`${host(i)}/`)!)
    // The original is the one whose response was the first.
    const [original, ...others] = homes.filter(({ outcome }) => outcome?.duplicateOf === undefined)
    expect(others).toEqual([])
    for (const copy of homes.filter((one) => one !== original)) {
      expect(copy.outcome).toMatchObject({ duplicateOf: original.page })
      expect(copy.outcome?.sameLinks).toBeUndefined()
    }
  })

  it.each([true, false])(
    'a fast mirror does not silence a slow site that is a seed (traps: %s)',
    async (traps) => {
      const names = Array.from(
        { length: 40 },
        (_, i) => `docs/page${'abcdefghij'[i % 10]}${'klmn'[i % 4]}${i}.html`,
      )
      const text = (name: string): string =>
        `${name} `.repeat(5).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)])
      const pages = (afterMs: number): Record<string, SmallPage> => ({
        '/': { body: pageWith('The home page of the victim', ...names), afterMs },
        ...Object.fromEntries(
          names.map((name) => [
            `/${name}`,
            { body: pageWith(text(name), name.replace('docs/', '').replace('.html', '-next.html')), afterMs },
          ]),
        ),
        ...Object.fromEntries(
          names.map((name) => [
            `/${name.replace('.html', '-next.html')}`,
            { body: pageWith(`next ${text(name)}`), afterMs },
          ]),
        ),
      })
      const end = await crawled(
        { [home]: pages(20), [host(2)]: pages(0) },
        ['mirror.example/', 'victim.test/'],
        { traps, connectTo: [`mirror.example:80:${host(2)}:PORT`, `victim.test:80:${home}:PORT`] },
      )
      const ofVictim = fetched(end).filter((place) => place.startsWith('victim.test/'))
      expect(ofVictim).toHaveLength(81)
      expect(end.totals).toMatchObject({ pages: 162, duplicates: 81, waiting: 0 })
    },
  )
})

describe('a mirror that is no seed', () => {
  it('leads on to its own pages, those of its own and those that it shares', async () => {
    const shared = (i: number): Record<string, SmallPage> => ({
      '/m/': pageWith('manual', 'one.html', 'two.html'),
      '/m/one.html': pageWith('chapter one', 'deep/three.html'),
      '/m/two.html': pageWith('chapter two'),
      '/m/deep/three.html': pageWith(`chapter three on ${i}`),
    })
    const end = await crawled(
      {
        [home]: { '/': pageWith('home', '/m/', `http://${host(2)}:PORT/m/`), ...shared(1) },
        [host(2)]: shared(2),
      },
      [`${home}/`],
      { scope: 'any' },
    )
    expect(fetched(end)).toHaveLength(9)
    expect(end.records.get(`${host(2)}/m/deep/three.html`)?.outcome).toMatchObject({ status: 200 })
    expect(end.totals).toMatchObject({ duplicates: 3 })
  })
})

describe('copies within one site', () => {
  /** The same frameset in every folder; what it shows differs. */
  const framed = (count: number): Record<string, SmallPage> => {
    const names = Array.from({ length: count }, (_, i) => `f${i}`)
    const frames =
      '<!doctype html><frameset cols="1,9"><frame src="menu.html"><frame src="main.html"></frameset>'
    return {
      '/': pageWith('home', ...names.map((name) => `/${name}/`)),
      ...Object.fromEntries(
        names.flatMap((name) => [
          [`/${name}/`, frames],
          [`/${name}/menu.html`, pageWith(`menu of ${name}`)],
          [`/${name}/main.html`, pageWith(`main page of ${name}`)],
        ]),
      ),
    }
  }

  it('lead to what each of them shows', async () => {
    const end = await crawled({ [home]: framed(50) }, undefined, { traps: false })
    expect(end.totals).toMatchObject({ pages: 151, duplicates: 49 })
  })

  /** Every path has the same bytes, with links that grow: without an end. */
  const trap = (body: string): SmallSites => ({
    [home]: new Proxy<Record<string, SmallPage>>(
      {},
      { get: (_, path) => (path === '/robots.txt' ? undefined : body) },
    ),
  })

  it.each([
    ['one link', pageWith('trap', 'a/')],
    ['three links', pageWith('trap', 'a/', 'b/', 'c/')],
    ['a meta refresh', '<meta http-equiv=refresh content="0; url=a/">trap'],
  ])('that breed copies without end, by %s, end without the trap watch', async (_name, body) => {
    const end = await crawled(trap(body), undefined, { traps: false, pages: 500 })
    expect(end.totals.stoppedBecause).toBe('finished')
    // The home page is an original, its links lead to copies, and nine copies on copies are followed.
    expect(end.totals.pages).toBeLessThanOrEqual(1 + 3 + 3 * (3 + 9))
    expect(end.totals.pages).toBeGreaterThan(5)
  })

  it('that breed copies by redirects end too', async () => {
    const pages = new Proxy<Record<string, SmallPage>>(
      {},
      {
        get: (_, path: string) => {
          if (path === '/robots.txt') return undefined
          return path.endsWith('go')
            ? { status: 302, headers: { location: path.replace(/go$/, 'a/') } }
            : pageWith('trap', 'go')
        },
      },
    )
    const end = await crawled({ [home]: pages }, undefined, { traps: false, pages: 500 })
    expect(end.totals.stoppedBecause).toBe('finished')
    expect(end.totals.pages).toBeLessThan(40)
  })

  it('are explained: what they repeat, where they lead, and why links were not followed', async () => {
    const { out, records, web } = await crawled(trap(pageWith('trap', 'a/')), undefined, { traps: false })
    const told = async (place: string): Promise<string> =>
      explanationText(out, await explain(out, web.url(place)))
    const last = [...records].find(([, { outcome }]) => outcome?.copyOnCopy === 'known')!
    expect(last[1].outcome).toMatchObject({ duplicateOf: 0, siteOriginal: 0, unfollowed: 1 })
    const text = await told(last[0])
    expect(text).toContain(`the same as ${web.url(`${home}/`)}, but with links to other pages`)
    expect(text).toContain(
      `not followed: 1 link to new pages. The page repeats ${web.url(`${home}/`)}, was found on`,
    )
    expect(await told(`${home}/a/`)).not.toContain('not followed')
    const unknown = await told(`${last[0]}a/`)
    expect(unknown).toContain('Never seen')
    expect(unknown).toContain(`1 page of its site that repeats others, such as\n${web.url(last[0])}`)
  })

  it.each([true, false])('are judged the same after a stop at any page (traps: %s)', async (traps) => {
    const twin = pageWith('twin', 'x/')
    // One page leads to the next, so that the order is always the same. On the second host copies breed copies.
    const sites: SmallSites = {
      [home]: {
        '/': pageWith('home', '1/'),
        '/1/': twin,
        '/1/x/': pageWith('first x', '../2/x/'),
        '/1/2/x/': twin,
        '/1/2/x/x/': pageWith('second x', `http://${host(2)}:PORT/`),
      },
      [host(2)]: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [
          `/${'x/'.repeat(i)}`,
          i === 0 ? pageWith('other', 'x/') : twin,
        ]),
      ),
    }
    const judged = ({ records }: Ended): unknown[] =>
      [...records].map(([place, { outcome }]) => {
        const { duplicateOf, siteOriginal, copyOnCopy, sameLinks, unfollowed, prints } = outcome ?? {}
        return [place, duplicateOf, siteOriginal, copyOnCopy, sameLinks, unfollowed, prints]
      })
    const more = { scope: 'any', connections: 1, traps } as const
    const web = await served(sites)
    const run = async (pages?: number): Promise<Ended> => {
      const out = join(folder, String(crawls++))
      const settings = { ...options, ...more, seeds: [web.url(`${home}/`)], out }
      const totals = await crawl(pages === undefined ? settings : { ...settings, pages }).run()
      return ended(web, out, totals)
    }
    const whole = await run()
    expect(whole.totals.stoppedBecause).toBe(traps ? 'traps' : 'finished')
    expect(
      [...whole.records.values()].some(
        ({ outcome }) => outcome?.copyOnCopy === (traps ? 'followed' : 'known'),
      ),
    ).toBe(true)
    for (const stop of [2, 4, 7, 8, 9, 12, 15]) {
      const { out } = await run(stop)
      const totals = await resumeCrawl({ out, pages: 1000 }).run()
      expect(judged(await ended(web, out, totals))).toEqual(judged(whole))
    }
  })
})

it('explain says why links were not followed: nofollow, and the depth limit', async () => {
  const { out, web } = await crawled(
    {
      [home]: {
        '/': pageWith('home', '/quiet', '/deep'),
        '/quiet': `<meta name=robots content=nofollow>${pageWith('quiet', '/unseen')}`,
        '/deep': pageWith('deep', '/x', '/y'),
      },
    },
    undefined,
    { maxDepth: 1 },
  )
  const told = async (path: string): Promise<string> =>
    explanationText(out, await explain(out, web.url(home + path)))
  expect(await told('/quiet')).toContain('not followed: 1 link, since the page says nofollow')
  expect(await told('/deep')).toContain('not followed: 2 links too far from a seed (--max-depth)')
})
