/** Walls before sites: their responses are failures for now, and no missing pages. The server imitates them. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/options/crawl-options.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { wallOf } from '../src/web/http/walls.ts'
import { pageRecords } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallAnswer, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

const walls: Readonly<Record<string, SmallAnswer>> = {
  'cloudflare-challenge': { status: 403, headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' } },
  'cloudflare-page': {
    status: 503,
    headers: { server: 'cloudflare' },
    body: '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>',
  },
  'cloudflare-1020': { status: 403, headers: { server: 'cloudflare' }, body: 'error code: 1020' },
  aws: { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } },
  cloudfront: { status: 403, headers: { server: 'CloudFront' }, body: 'Request blocked. We can not connect' },
  vercel: { status: 429, headers: { 'x-vercel-mitigated': 'challenge' } },
  datadome: { status: 403, body: '<script src="https://ct.captcha-delivery.com/c.js"></script>' },
  akamai: { status: 403, headers: { server: 'AkamaiGHost' }, body: '<H1>Access Denied</H1> Reference #18.1' },
  imperva: { status: 403, body: '<iframe src="/_Incapsula_Resource?CWUDNSAI=9">' },
  human: { status: 403, body: '<div id="px-captcha"></div>' },
  kasada: { status: 429, headers: { 'x-kpsdk-ct': 'abc' } },
  sucuri: {
    status: 403,
    headers: { server: 'Sucuri/Cloudproxy' },
    body: 'Access Denied - Sucuri Website Firewall',
  },
  'ddos-guard': {
    status: 403,
    headers: { server: 'ddos-guard' },
    body: '<script src="/.well-known/ddos-guard/js-challenge/">',
  },
  fastly: { status: 403, body: '<script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js">' },
  anubis: { status: 403, body: '<script src="/.within.website/x/cmd/anubis/static/js/main.mjs">' },
  f5: { status: 403, body: 'The requested URL was rejected. Please consult with your administrator.' },
}

/** Responses of sites themselves. */
const own: Readonly<Record<string, [answer: SmallAnswer, error: string]>> = {
  forbidden: [{ status: 403, body: 'Access Denied' }, 'http-403'],
  'behind-cloudflare': [{ status: 403, headers: { server: 'cloudflare' }, body: 'Members only' }, 'http-403'],
  'about-walls': [{ status: 404, body: 'window._cf_chl_opt' }, 'http-404'],
}

let web: SmallWeb
beforeAll(async () => {
  const paths = [...Object.keys(walls), ...Object.keys(own)].map((name) => `/${name}`)
  web = await serveSmall({
    '127.46.0.1': {
      '/': pageWith('home', ...paths, '/later'),
      ...Object.fromEntries(Object.entries(walls).map(([name, answer]) => [`/${name}`, answer])),
      ...Object.fromEntries(Object.entries(own).map(([name, [answer]]) => [`/${name}`, answer])),
      '/later': (before) => (before === 0 ? walls['cloudflare-challenge'] : pageWith('later')),
    },
    '127.46.0.2': { '/robots.txt': walls['cloudflare-challenge'], '/': pageWith('home') },
    '127.46.0.3': {
      '/': pageWith('home', '/a'),
      '/a': (before) => (before < 2 ? walls['cloudflare-challenge'] : pageWith('a')),
    },
  })
})
afterAll(() => web.close())

const made = async (out: string, host: string, more: Partial<CrawlOptions> = {}): Promise<CrawlTotals> =>
  crawl({
    seeds: [web.url(`${host}/`)],
    out: join(folder, out),
    allowPrivate: true,
    wait: 0,
    attempts: 2,
    retrySeconds: 0,
    ...more,
  }).run()

describe('a page behind a wall', () => {
  let totals: CrawlTotals
  beforeAll(async () => {
    totals = await made('walls', '127.46.0.1')
  })

  it('has failed for now, with the error `blocked`; a refusal of the site itself is no wall', async () => {
    const records = await pageRecords(join(folder, 'walls'))
    const errors = new Map(
      records.map(({ url, outcome }) => [new URL(url).pathname.slice(1), outcome?.error]),
    )
    for (const name of Object.keys(walls)) expect([name, errors.get(name)]).toEqual([name, 'blocked'])
    for (const [name, [, error]] of Object.entries(own))
      expect([name, errors.get(name)]).toEqual([name, error])
    expect(errors.get('later')).toBeUndefined()
    const count = Object.keys(walls).length
    expect(totals).toMatchObject({ pages: 2, temporary: count, failed: 3, errors: { blocked: count } })
  })

  it('is requested again, as after other failures', () => {
    const asked = web.asked.filter((place) => place === '127.46.0.1/akamai')
    expect(asked.length).toBe(2)
    expect(totals.errors['retried-blocked']).toBe(Object.keys(walls).length + 1)
  })

  it('is obtainable: its importance is missing', () => {
    const { budget, failed } = totals.coverage
    expect(budget / Object.keys(walls).length).toBeCloseTo(failed / Object.keys(own).length, 9)
    expect(totals.isComplete).toBe(false)
  })

  it('is explained, with what to do', async () => {
    const explained = await explain(join(folder, 'walls'), web.url('127.46.0.1/akamai'))
    const text = explanationText('walls', explained)
    expect(text).toContain('without success (403 by a wall of Akamai, not by the site), in 2 attempts.')
    expect(text).toContain('sign your requests (--sign')
    expect(summaryText(totals)).toContain(
      `Blocked: ${Object.keys(walls).length} pages. A wall before the site`,
    )
  })
})

it('a resume requests such pages again', async () => {
  const before = await made('again', '127.46.0.3')
  expect(before).toMatchObject({ pages: 1, temporary: 1 })
  const after = await resumeCrawl({ out: join(folder, 'again') }).run()
  expect(after).toMatchObject({ pages: 2, temporary: 0, errors: { 'retried-blocked': 2 } })
})

it('a wall before robots.txt keeps the whole site out of reach: its rules are not known', async () => {
  const totals = await made('robots', '127.46.0.2')
  expect(totals).toMatchObject({ pages: 0, unreachable: 1, stoppedBecause: 'unreachable' })
  expect(web.asked.filter((place) => place === '127.46.0.2/')).toEqual([])
  expect(await pageRecords(join(folder, 'robots'))).toMatchObject([{ outcome: { error: 'robots-blocked' } }])
})

it('walls are not looked for in other responses', () => {
  const headers = [Buffer.from('cf-mitigated'), Buffer.from('challenge')]
  const body = Buffer.from('window._pxAppId')
  expect(wallOf(200, headers, body)).toBeUndefined()
  expect(wallOf(404, headers, body)).toBeUndefined()
  expect(wallOf(403, [], Buffer.alloc(0))).toBeUndefined()
})
