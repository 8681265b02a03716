/**
 * The catalogue of hostile servers (test/hostile/README.md), each behaviour shown by a real server on a loopback address: the crawl records the
 * documented outcome, ends in bounded time and memory, and fetches every page of the honest sites. test/hostile-catalogue.test.ts
 * compares these behaviours with the catalogue.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import { hasOpenssl } from '../src/crawler/fetch/fetch-thread.cases.ts'
import { secondsSince } from './cpu-time.ts'
import { bodies, bodyLimit } from './hostile/bodies.ts'
import { connections, outOfTurn } from './hostile/connections.ts'
import { content, contentBytesMax } from './hostile/content.ts'
import { serveDns, type DnsServer } from './hostile/dns-server.ts'
import { headers } from './hostile/headers.ts'
import { type Behaviour, type HostileWeb, serveHostile } from './hostile/hostile-web.ts'
import { redirects } from './hostile/redirects.ts'
import { robots } from './hostile/robots.ts'
import { sitemaps } from './hostile/sitemaps.ts'
import { statusLines } from './hostile/status-lines.ts'
import { tls, tlsUnchecked } from './hostile/tls.ts'
import { depthMax, sitePagesMax, urlSpace } from './hostile/url-space.ts'
import { archivedAt, captures } from './support/archive-check.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
/** Of processor time, servers included. */
const cpuSecondsMax = 60
const growthMax = 400 * 1024 * 1024

interface Group {
  readonly name: string
  readonly behaviours: readonly Behaviour[]
  readonly options?: Partial<CrawlOptions>
}

/** A group, crawled. */
interface Crawled {
  readonly out: string
  readonly web: HostileWeb
  readonly dns: DnsServer
  readonly totals: CrawlTotals
  readonly records: readonly PageRecord[]
  readonly cpuSeconds: number
  readonly growth: number
}

/** The time limit of a request to servers that hang: at first, and at most. */
const hangSeconds = 2
const hangSecondsMax = 128

const kinds: readonly Group[] = [
  { name: 'connections and heads', behaviours: [...connections, ...statusLines, ...headers] },
  { name: 'answers out of turn', behaviours: outOfTurn, options: { wait: 0.5 } },
  { name: 'bodies', behaviours: bodies, options: { limitBytes: bodyLimit } },
  {
    name: 'redirects and URLs',
    behaviours: [...redirects, ...urlSpace],
    options: { maxPagesPerSite: sitePagesMax, maxDepth: depthMax, canonicalRules: { sortedQuery: true } },
  },
  { name: 'content', behaviours: content, options: { limitBytes: contentBytesMax } },
  { name: 'TLS', behaviours: hasOpenssl() ? tls : [] },
  { name: 'TLS unchecked', behaviours: hasOpenssl() ? tlsUnchecked : [], options: { insecure: true } },
  { name: 'robots.txt', behaviours: robots },
  { name: 'sitemaps', behaviours: sitemaps, options: { sitemap: true, limitBytes: 1_000_000 } },
]

const isHanging = ({ hangs = false }: Behaviour): boolean => hangs

/** Servers that hang are crawled apart from the others, which need no time limit. */
const others: readonly Group[] = kinds.map((group) => ({
  ...group,
  behaviours: group.behaviours.filter((behaviour) => !isHanging(behaviour)),
}))
const hanging: readonly Group[] = kinds
  .filter(({ behaviours }) => behaviours.some(isHanging))
  .map(({ name, behaviours, options }) => ({
    name: `${name}, hanging`,
    behaviours: behaviours.filter(isHanging),
    ...(options === undefined ? {} : { options }),
  }))
const groups = [...others, ...hanging]

let crawls = 0

async function crawled({ name, behaviours, options }: Group): Promise<Crawled> {
  const number = groups.findIndex((group) => group.name === name)
  const web = await serveHostile(number + 1, behaviours)
  const wild = behaviours.findIndex((one) => one.name === 'wildcard')
  const dns = await serveDns((host) => (host.endsWith('.wild.test') ? [web.addressOf(wild)] : 'no-name'))
  const out = join(folder, `${crawls++} ${name}`)
  const before = process.resourceUsage().maxRSS * 1024
  const start = process.cpuUsage()
  const totals = await crawl({
    seeds: [...web.seeds, ...web.honestSeeds],
    out,
    dnsServers: [dns.place],
    scope: 'any',
    strategy: 'breadth-first',
    wait: 0,
    allowPrivate: true,
    threads: 1,
    connections: 256,
    attempts: 2,
    limitSeconds: 600,
    slowSeconds: 600,
    limitBytes: 500_000,
    maxPagesPerSite: 200,
    ...options,
  }).run()
  const cpuSeconds = secondsSince(start)
  const growth = process.resourceUsage().maxRSS * 1024 - before
  return { out, web, dns, totals, records: await pageRecords(out), cpuSeconds, growth }
}

async function close({ web, dns }: Crawled): Promise<void> {
  await web.close()
  await dns.close()
}

function expectBehaviour({ out, web, records }: Crawled, { expected }: Behaviour, index: number): void {
  const seen = web.seen(index, records, (url) => archivedAt(out, url))
  if (typeof expected === 'function') expected(seen)
  else expect(seen.outcome()).toMatchObject(expected)
}

function expectHonestPages({ web, records, totals }: Crawled): void {
  const fetched = new Set(records.filter(({ outcome }) => outcome?.status === 200).map(({ url }) => url))
  expect(web.honestPages.filter((url) => !fetched.has(url))).toEqual([])
  // Some of the hostile sites never respond.
  expect(totals.stoppedBecause).toMatch(/^(finished|unreachable|traps)$/)
  expect(totals.waiting).toBe(0)
}

let crawledHanging: Promise<Crawled[]> | undefined

/**
 * Doubles the time limit of a request until everything is as expected. So it is short on an idle machine, and a busy one, where
 * honest requests take long too, does not change the result.
 */
async function crawledInTime(group: Group): Promise<Crawled> {
  for (let limitSeconds = hangSeconds; ; limitSeconds *= 2) {
    const ended = await crawled({ ...group, options: { ...group.options, limitSeconds } })
    if (limitSeconds >= hangSecondsMax || isAsExpected(group, ended)) return ended
    await close(ended)
  }
}

function isAsExpected({ behaviours }: Group, ended: Crawled): boolean {
  try {
    expectHonestPages(ended)
    behaviours.forEach((behaviour, index) => expectBehaviour(ended, behaviour, index))
    return true
  } catch {
    return false
  }
}

/** All of them at once: they only wait. */
async function crawledBesideOthers(group: Group): Promise<Crawled> {
  crawledHanging ??= Promise.all(hanging.map(crawledInTime))
  const all = await crawledHanging
  return all[hanging.findIndex(({ name }) => name === group.name)]
}

describe.each(groups)('hostile $name', (group) => {
  const { name, behaviours } = group
  let ended: Crawled

  beforeAll(async () => {
    const isOneOfMany = hanging.some((one) => one.name === name)
    ended = await (isOneOfMany ? crawledBesideOthers(group) : crawled(group))
  })

  afterAll(() => close(ended))

  it.each(behaviours.map((behaviour, index) => ({ ...behaviour, index })))('$id: $what', (behaviour) =>
    expectBehaviour(ended, behaviour, behaviour.index),
  )

  it('leaves the honest sites complete', () => expectHonestPages(ended))

  it('ends in bounded processor time and memory', () => {
    const { cpuSeconds, growth } = ended
    expect(cpuSeconds).toBeLessThan(cpuSecondsMax)
    expect(growth).toBeLessThan(growthMax)
    if (process.env['HOSTILE_FIGURES']) {
      console.log(
        `${name}: ${cpuSeconds.toFixed(1)} s of processor time, ${Math.round(growth / 1e6)} MB more, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
      )
    }
  })

  it('leaves an archive that can be read to its end', () => {
    expect(captures(ended.out).length).toBeGreaterThanOrEqual(ended.web.honestPages.length)
  })

  it('gives every page a named outcome', () => {
    const names =
      /^(crawl-delay|http-\d+|connect-\w+|tls|timeout|reset|bad-http|headers-too-large|robots|robots-\w+|site-\w+|too-many-redirects|redirect-loop|trap-[\w-]+|no-address)$/
    for (const { outcome } of ended.records) {
      if (outcome?.error !== undefined) expect(outcome.error).toMatch(names)
    }
  })
})
