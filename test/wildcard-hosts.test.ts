/** Hosts without end: every name under a domain answers, by a resolver of ours, beside honest blogs on one domain. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, type CrawlTotals } from '../src/crawler/crawler.ts'
import { closeAll } from '../src/webgraph/served/listening.ts'
import { AlikeHosts } from '../src/web/traps/alike-hosts.ts'
import { TrapWatch } from '../src/web/traps/trap-watch.ts'
import { serveDns, type DnsServer } from './hostile/dns-server.ts'
import { prose } from './support/trap-web.ts'

const blogs = 60
/** Hosts of a honest domain whose front pages are all the same. */
const branches = 100
const pagesOfBranch = 4
const pagesOfBlog = 6
const address = '127.6.0.1'

/** What the made-up hosts of each domain show. */
const wildcards: Readonly<Record<string, (host: string) => string>> = {
  'same.test': () => prose('always the same', 80),
  'named.test': (host) => `${prose('nearly the same', 120)} ${host} ${prose('to the end', 120)}`,
  'numbered.test': (host) =>
    `Shop number ${Buffer.from(host).reduce((sum, byte) => (sum * 7 + byte) % 1e9, 0)} is open`,
}

interface Web {
  readonly seed: string
  readonly dns: DnsServer
  readonly asked: { host: string; path: string }[]
  readonly server: Server
}

async function serveWildcards(): Promise<Web> {
  const asked: { host: string; path: string }[] = []
  let port = 0
  const at = (host: string, path = '/'): string => `<a href="http://${host}:${port}${path}">x</a> `
  const page = (host: string, path: string): string | undefined => {
    const domain = host.split('.').slice(-2).join('.')
    if (host === 'seed.test') {
      const all = Array.from({ length: blogs }, (_, i) => at(`blog${i}.blogs.test`))
      const more = Array.from({ length: branches }, (_, i) => at(`branch${i}.branches.test`))
      return `<p>seed</p>${[...all, ...more].join('')}${Object.keys(wildcards)
        .map((name) => at(`www.${name}`))
        .join('')}`
    }
    if (domain === 'branches.test') {
      if (path === '/')
        return `<p>${prose('welcome', 60)}</p>${[1, 2, 3].map((i) => at(host, `/${i}`)).join('')}`
      return Number(path.slice(1)) < pagesOfBranch ? `<p>${prose(host + path, 90)}</p>${at(host)}` : undefined
    }
    if (domain === 'blogs.test') {
      const next = (Number(path.slice(1)) || 0) + 1
      if (next > pagesOfBlog) return undefined
      const blog = Number(/\d+/.exec(host)?.[0])
      const friend = at(`blog${(blog * 7 + 1) % blogs}.blogs.test`)
      return `<p>${prose(host + path, 90)}</p>${next < pagesOfBlog ? at(host, `/${next}`) : ''}${friend}`
    }
    const text = wildcards[domain]?.(host)
    if (text === undefined) return undefined
    // Each page makes up four more hosts, and another page of its own.
    const made = Array.from({ length: 4 }, (_, i) =>
      at(`${prose(host + path + String(i), 3).replaceAll(' ', '')}.${domain}`),
    )
    return `<p>${text}</p>${made.join('')}${at(host, `/${prose(path, 1)}${path.length}`)}`
  }
  const server = createServer((request, response) => {
    const host = request.headers.host!.replace(/:\d+$/, '')
    const path = request.url!
    const html = path === '/robots.txt' ? undefined : page(host, path)
    if (path !== '/robots.txt') asked.push({ host, path })
    if (html === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  port = (server.address() as AddressInfo).port
  const dns = await serveDns(() => [address])
  return { seed: `http://seed.test:${port}/`, dns, asked, server }
}

describe.each(['breadth-first', 'exact-rankmass'])('a crawl by %s among hosts without end', (strategy) => {
  let web: Web
  let totals: CrawlTotals
  const honest = blogs * pagesOfBlog

  beforeAll(async () => {
    web = await serveWildcards()
    totals = await crawl({
      seeds: [web.seed],
      strategy,
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      dnsServers: [web.dns.place],
      // Without a defence the crawl would end here, among made-up hosts.
      pages: 20 * honest,
    }).run()
  })

  afterAll(async () => {
    await web.dns.close()
    await closeAll([web.server])
  })

  const askedOf = (domain: string): { host: string; path: string }[] =>
    web.asked.filter(({ host }) => host.endsWith(domain))

  it('comes to an end, which is not called finished', () => expect(totals.stoppedBecause).toBe('traps'))

  it.each([
    ['blogs on one domain', 'blogs.test', honest],
    ['branches with the same front page', 'branches.test', branches * pagesOfBranch],
  ])('gets every page of %s', (_, domain, pages) => {
    const got = askedOf(domain).map(({ host, path }) => host + path)
    expect(new Set(got).size).toBe(pages)
  })

  it.each(Object.keys(wildcards))('spends little on %s', (domain) => {
    console.log(
      strategy,
      domain,
      askedOf(domain).length,
      new Set(askedOf(domain).map(({ host }) => host)).size,
    )
    expect(askedOf(domain).length).toBeLessThan(800)
  })
})

describe('hosts that are alike', () => {
  const domainOf = (host: string): string => host.split('.').slice(-2).join('.')
  /** Of `d.test`, each with so many pages of which the first has come, and says nothing new. */
  const alike = (count: number, pages: number): AlikeHosts => {
    const hosts = new AlikeHosts(domainOf)
    for (let i = 0; i < count; i++) {
      for (let page = 0; page < pages; page++) hosts.found(`h${i}.d.test`)
      hosts.fetched(`h${i}.d.test`, true, 0)
    }
    return hosts
  }

  it('count as their domain once many of them have nothing new, and so does the next host', () => {
    expect(alike(15, 1).nameOf('new.d.test')).toBe('new.d.test')
    const hosts = alike(16, 1)
    expect(hosts.nameOf('new.d.test')).toBe('*.d.test')
    expect(hosts.nameOf('h3.d.test')).toBe('*.d.test')
    expect(hosts.waits('new.d.test')).toBe(true)
    expect(hosts.nameOf('new.other.test')).toBe('new.other.test')
    expect(hosts.waits('new.other.test')).toBe(false)
  })

  it('keep the next ones waiting while they have more to show, four pages of each', () => {
    const hosts = alike(16, 9)
    expect(hosts.waits('new.d.test')).toBe(true)
    expect(hosts.nameOf('new.d.test')).toBe('new.d.test')
    expect(hosts.waits('h3.d.test')).toBe(false)
    for (let i = 0; i < 8 * 3; i++) hosts.fetched(`h${i % 8}.d.test`, true, 0)
    expect(hosts.nameOf('new.d.test')).toBe('*.d.test')
    expect(hosts.nameOf('h3.d.test')).toBe('*.d.test')
    expect(hosts.nameOf('h9.d.test')).toBe('h9.d.test')
  })

  it('are left alone again as most of them show something new', () => {
    const hosts = alike(16, 2)
    for (let i = 0; i < 9; i++) hosts.fetched(`h${i}.d.test`, false, 100 + i)
    expect(hosts.waits('new.d.test')).toBe(false)
    expect(hosts.nameOf('h0.d.test')).toBe('h0.d.test')
  })

  it('are those that differ in numbers alone, too', () => {
    const hosts = new AlikeHosts(domainOf)
    for (let i = 0; i < 20; i++) {
      hosts.found(`h${i}.d.test`)
      hosts.fetched(`h${i}.d.test`, false, 7)
    }
    expect(hosts.nameOf('new.d.test')).toBe('*.d.test')
    expect(hosts.nameOf('h0.d.test')).toBe('h0.d.test')
  })
})

describe('a site, or a kind, of near-duplicates', () => {
  const none = { links: new Uint32Array(0), linkCount: 0, ancestors: [-1, -1] as const, text: 0 }
  const watched = (alike: number, fresh: number, elsewhere: number): TrapWatch => {
    const traps = new TrapWatch()
    let page = 0
    const came = (url: string, isAlike: boolean): void => {
      traps.found(page, url)
      traps.fetched(page, url, {
        ...none,
        knownBefore: ++page,
        isCopy: false,
        isSameText: false,
        isAlike,
        shape: page,
      })
    }
    // Each is of a kind of its own, so that only the site can tell.
    for (let i = 0; i < fresh; i++) came(`http://a.test/${'n'.repeat(1 + i)}/x/`, false)
    for (let i = 0; i < alike; i++) came(`http://a.test/${'k'.repeat(1 + i)}/x/`, true)
    for (let i = 0; i < elsewhere; i++) came(`http://b.test/${'k'.repeat(1 + i)}/x/`, false)
    return traps
  }
  const standing = (traps: TrapWatch, url: string): string => traps.verdict(url, () => false).standing

  it('waits with all that it has once they are two of three, and 32 besides', () => {
    expect(standing(watched(51, 10, 200), 'http://a.test/other/y/')).toBe('good')
    expect(standing(watched(52, 10, 200), 'http://a.test/other/y/')).toBe('poor')
    expect(standing(watched(52, 10, 200), 'http://b.test/other/y/')).toBe('good')
  })

  it('keeps only the kind waiting where the site has enough besides', () => {
    const traps = watched(0, 200, 200)
    const came = { ...none, knownBefore: 0, isCopy: false, isSameText: false, isAlike: true, shape: 0 }
    // It earns by links back to its own pages, and yet says nothing new.
    for (let i = 0; i < 40; i++) traps.fetched(400 + i, `http://a.test/old?version=${i}`, came)
    expect(standing(traps, 'http://a.test/old?version=99')).toBe('poor')
    expect(standing(traps, 'http://a.test/other/y/')).toBe('good')
  })

  it('does not where it is what the crawl is about, and is never closed', () => {
    expect(standing(watched(200, 10, 100), 'http://a.test/other/y/')).toBe('good')
    expect(standing(watched(1000, 0, 2000), 'http://a.test/other/y/')).toBe('poor')
  })
})
