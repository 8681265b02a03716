/**
 * Names and addresses (H62, H106 to H110): a real resolver that says what it likes, and changes its mind. Nothing that
 * is private is ever connected to, by links or redirects.
 */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import { Addresses } from '../src/crawler/desk/addresses.ts'
import { canonicalUrl } from '../src/web/url/canonical-url.ts'
import { type DnsAnswer, type DnsServer, serveDns } from './hostile/dns-server.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

async function dnsOf(answer: (name: string, before: number) => DnsAnswer): Promise<DnsServer> {
  const dns = await serveDns(answer)
  closing.push(dns)
  return dns
}

let crawls = 0

async function crawled(
  options: Partial<CrawlOptions> & Pick<CrawlOptions, 'seeds'>,
): Promise<{ totals: CrawlTotals; records: PageRecord[] }> {
  const out = join(folder, String(crawls++))
  const totals = await crawl({
    out,
    scope: 'any',
    strategy: 'breadth-first',
    wait: 0,
    threads: 1,
    attempts: 2,
    limitSeconds: 600,
    ...options,
  }).run()
  return { totals, records: await pageRecords(out) }
}

const inner = '127.9.0.2'
const outer = '127.9.0.1'

/** A site that may be reached, since the user has named its address, and one that may not. */
async function twoSites(pages: SmallSites[string]): Promise<{ web: SmallWeb; connectTo: string[] }> {
  const secret = pageWith('secret')
  const web = await serveSmall({
    [outer]: pages,
    [inner]: { '/': secret, '/robots.txt': 'Sitemap: /x', '/sitemap.xml': secret },
  })
  closing.push(web)
  return { web, connectTo: [`public.test:80:${outer}:${web.port}`, `:80::${web.port}`] }
}

const innerAsked = (web: SmallWeb): string[] => web.asked.filter((place) => place.startsWith(inner))

describe('a private address (H62, H106)', () => {
  const privates = [
    '127.0.0.1 10.0.0.1 169.254.169.254 192.168.1.1 172.16.0.1 0.0.0.0 100.64.0.1',
    '2130706433 0x7f.1 0177.0.0.1 0x7f000001 017700000001 127.1 0 127.0.0.1.',
    '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [fd00::1] [fe80::1] [64:ff9b::7f00:1]',
    '[2002:7f00:1::] localhost localhost. LOCALHOST a.localhost ①②⑦.0.0.1 127。0。0。1',
  ].flatMap((line) => line.split(' '))

  it.each(privates)('written as %s is refused', async (written) => {
    const url = canonicalUrl(`http://${written}/`)!
    const [, host] = /^http:\/\/(.*)\/$/.exec(url)!
    expect(await new Addresses({ dnsServers: ['127.0.0.1:9'] }).resolve(host, 80, 0)).toBe('private-address')
  })

  it('is not connected to from a page, however it is written', async () => {
    const { web, connectTo } = await twoSites({})
    const links = privates.map((written) => `http://${written}:${web.port}/`)
    const home = await serveSmall({
      '127.9.0.3': { '/': pageWith('home', ...links, `http://${inner}:${web.port}/`) },
    })
    closing.push(home)
    const { records } = await crawled({
      seeds: ['http://start.test/'],
      connectTo: [`start.test:80:127.9.0.3:${home.port}`, ...connectTo],
      dnsServers: [(await dnsOf(() => 'no-name')).place],
    })
    expect(web.asked).toEqual([])
    const others = records.filter(({ url }) => url !== 'http://start.test/')
    expect(others.length).toBeGreaterThan(15)
    expect(others.filter(({ outcome }) => outcome?.error !== 'private-address')).toEqual([])
  })

  it('is not connected to by a redirect, a robots.txt that lies there, or a sitemap', async () => {
    const dns = await dnsOf((name) => (name === 'evil.test' ? [inner] : 'no-name'))
    const { web, connectTo } = await twoSites({
      '/robots.txt': { body: 'Sitemap: http://evil.test/sitemap.xml' },
      '/': pageWith('home', '/by-name', '/by-number', 'http://moved-robots.test/'),
      '/by-name': { status: 302, headers: { location: 'http://evil.test/' } },
      '/by-number': { status: 307, headers: { location: `http://${inner}:PORT/` } },
    })
    const moved = await serveSmall({
      '127.9.0.4': {
        '/robots.txt': { status: 301, headers: { location: 'http://evil.test/robots.txt' } },
        '/': pageWith('moved'),
      },
    })
    closing.push(moved)
    const { records, totals } = await crawled({
      seeds: ['http://public.test/'],
      sitemap: true,
      connectTo: [`moved-robots.test:80:127.9.0.4:${moved.port}`, ...connectTo],
      dnsServers: [dns.place],
    })
    expect(innerAsked(web)).toEqual([])
    const errorOf = (url: string): string | undefined =>
      records.find((one) => one.url === url)?.outcome?.error
    expect(errorOf('http://evil.test/')).toBe('private-address')
    expect(errorOf(`http://${inner}:${web.port}/`)).toBe('private-address')
    expect(moved.asked).toContain('127.9.0.4/')
    expect(totals.stoppedBecause).toBe('finished')
  })

  it('among public ones is passed over', async () => {
    const dns = await dnsOf(() => ['10.0.0.1', '127.9.9.9', '192.168.0.1'])
    const isPublic = (address: string): boolean => address.startsWith('127.9.')
    const addresses = new Addresses({ dnsServers: [dns.place], isPublic })
    expect(await addresses.resolve('mixed.test', 80, 0)).toMatchObject({ address: '127.9.9.9' })
  })
})

describe('a name that changes its address (H107)', () => {
  it('is connected to where it was looked up, and nowhere else, though its answer lives no second', async () => {
    const dns = await dnsOf((_name, before) => [before === 0 ? outer : inner])
    const { web, connectTo } = await twoSites({
      '/': pageWith('home', '/1', '/2', '/3', '/away'),
      '/1': { headers: { connection: 'close' }, body: pageWith('one', '/4') },
      '/2': { headers: { connection: 'close' }, body: pageWith('two') },
      '/3': pageWith('three'),
      '/4': pageWith('four'),
      '/away': { status: 302, headers: { location: 'http://rebind.test/5' } },
      '/5': pageWith('five'),
    })
    const { totals } = await crawled({
      seeds: ['http://rebind.test/'],
      connectTo: connectTo.slice(1),
      dnsServers: [dns.place],
      allowPrivate: true,
    })
    expect(totals).toMatchObject({ pages: 6, redirects: 1, failed: 0 })
    expect(innerAsked(web)).toEqual([])
    expect(dns.asked).toEqual(['rebind.test'])
  })

  it('is refused when it is looked up again and has become private', async () => {
    const dns = await dnsOf((_name, before) => [before === 0 ? '127.9.9.9' : '10.0.0.1'])
    const isPublic = (address: string): boolean => address.startsWith('127.9.')
    const addresses = new Addresses({ dnsServers: [dns.place], isPublic })
    expect(await addresses.resolve('rebind.test', 80, 0)).toMatchObject({ address: '127.9.9.9' })
    expect(addresses.known('rebind.test', 80, 59)).toMatchObject({ address: '127.9.9.9' })
    expect(addresses.known('rebind.test', 80, 61)).toBeUndefined()
    expect(await addresses.resolve('rebind.test', 80, 61)).toBe('private-address')
  })
})

describe('a name that does not resolve (H108)', () => {
  it('fails in time, is retried once in a while, and delays no other site', async () => {
    const answers: Record<string, DnsAnswer> = {
      'none.test': 'no-name',
      'broken.test': 'failure',
      'silent.test': 'silence',
    }
    const dns = await dnsOf((name) => answers[name] ?? [outer])
    const names = Object.keys(answers)
    const { web, connectTo } = await twoSites({
      '/': pageWith('home', '/1', ...names.map((name) => `http://${name}/`)),
      '/1': pageWith('one', ...names.map((name) => `http://${name}/2`)),
    })
    const { records } = await crawled({
      seeds: ['http://good.test/'],
      connectTo: connectTo.slice(1),
      dnsServers: [dns.place],
      allowPrivate: true,
      limitSeconds: 4,
    })
    const errorOf = (url: string): string | undefined =>
      records.find((one) => one.url === url)?.outcome?.error
    expect(errorOf('http://none.test/')).toBe('no-address')
    expect(errorOf('http://broken.test/')).toBe('no-answer')
    expect(errorOf('http://silent.test/')).toBe('no-answer')
    expect(web.asked).toEqual(expect.arrayContaining([`${outer}/`, `${outer}/1`]))
    expect(records.every(({ outcome }) => outcome !== undefined)).toBe(true)
  })
})

describe('addresses and politeness', () => {
  it('many addresses for one host are still one site, asked one page at a time (H110)', async () => {
    const dns = await dnsOf((_name, before) => (before % 2 === 0 ? [outer, inner] : [inner, outer]))
    const slow = { headers: { connection: 'close' }, afterMs: 50 }
    const pages = {
      '/': pageWith('home', '/1', '/2'),
      '/1': { ...slow, body: 'one' },
      '/2': { ...slow, body: 'two' },
    }
    const web = await serveSmall({ [outer]: pages, [inner]: pages })
    closing.push(web)
    await crawled({
      seeds: [`http://round.test:${web.port}/`],
      dnsServers: [dns.place],
      allowPrivate: true,
      wait: 0.3,
    })
    const starts = web.accesses.map(({ startMs }) => startMs).toSorted((a, b) => a - b)
    expect(web.asked.filter((place) => !place.endsWith('robots.txt'))).toHaveLength(3)
    for (let i = 1; i < starts.length; i++) expect(starts[i] - starts[i - 1]).toBeGreaterThanOrEqual(290)
  })

  it('one address for many hosts rests between them (H109)', async () => {
    const dns = await dnsOf(() => [outer])
    const web = await serveSmall({ [outer]: { '/': pageWith('shared') } })
    closing.push(web)
    await crawled({
      seeds: Array.from({ length: 4 }, (_, i) => `http://h${i}.test:${web.port}/`),
      dnsServers: [dns.place],
      allowPrivate: true,
      robotsTxt: false,
      waitPerAddress: 0.3,
    })
    const starts = web.accesses.map(({ startMs }) => startMs).toSorted((a, b) => a - b)
    expect(starts).toHaveLength(4)
    for (let i = 1; i < starts.length; i++) expect(starts[i] - starts[i - 1]).toBeGreaterThanOrEqual(290)
  })
})
