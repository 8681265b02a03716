/** The library checks its options as the command line does, and speaks of them by the library's names. */
import { describe, expect, it } from 'vitest'
import { libraryRows } from '../src/crawler/options/option-table.ts'
import type { CrawlOptions } from '../src/crawler/options/crawl-options.ts'
import { settingsOf } from '../src/crawler/options/crawl-settings.ts'
import {
  crawl,
  duplicates,
  explain,
  exportCrawl,
  graphOf,
  readGraph,
  report,
  resumeCrawl,
  search,
  serveWeb,
  simulate,
  webOf,
  type ResumeOptions,
} from '../src/index.ts'

const seeds = ['https://example.org/']
/** As JavaScript would call it. */
const crawlWith = (options: object): unknown => crawl({ seeds, ...options })

describe('crawl', () => {
  it.each([
    [{ wait: '1' }, 'Option wait of crawl is a string, "1". Expected a number of at least 0.'],
    [{ wait: -1 }, 'Option wait of crawl is a number, -1. Expected a number of at least 0.'],
    [{ wait: NaN }, 'Option wait of crawl is a number, NaN. Expected a number of at least 0.'],
    [{ wait: null }, 'Option wait of crawl is null. Expected a number of at least 0.'],
    [{ pages: 1.5 }, 'Option pages of crawl is a number, 1.5. Expected a whole number of at least 1.'],
    [{ pages: 0 }, 'Option pages of crawl is a number, 0. Expected a whole number of at least 1.'],
    [{ failures: '9' }, 'Option failures of crawl is a string, "9". Expected a whole number of at least 1.'],
    [{ coverage: 95 }, /^Option coverage of crawl is a number, 95\. Expected a share between 0 and 1/],
    [{ coverage: '95%' }, /^Option coverage of crawl is a string, "95%"\. Expected a share/],
    [{ seconds: '2h' }, /^Option seconds of crawl is a string, "2h"\. Expected a time above 0/],
    [{ limitBytes: '1MB' }, /^Option limitBytes of crawl is a string, "1MB"\. Expected a size/],
    [
      { scope: 'site' },
      'Option scope of crawl is a string, "site". Expected one of host, domain, prefix, any.',
    ],
    [{ include: '/a' }, 'Option include of crawl is a string, "/a". Expected an array.'],
    [{ include: ['a'] }, /^Option include of crawl is an array, \["a"\]\. Expected a pattern/],
    [{ robotsTxt: 0 }, 'Option robotsTxt of crawl is a number, 0. Expected true or false.'],
    [{ nearDuplicates: true }, /^Option nearDuplicates .* Expected a number between 0\.5 and 1\.$/],
    [{ headers: ['A: b'] }, /^Option headers .* Expected pairs of a name and a value/],
    [{ headers: [['Host', 'a.org']] }, /^Option headers .* Expected another header than Host/],
    [{ trust: { 'https://example.org/': 1 } }, /^Option trust .* Expected a Map from URLs to numbers\.$/],
    [
      { canonicalRules: { sortQuery: true } },
      /canonicalRules has no option "sortQuery"\. Did you mean "sortedQuery"\?$/,
    ],
    [{ onEvent: 'log' }, 'Option onEvent of crawl is a string, "log". Expected a function.'],
    [{ signal: {} }, 'Option signal of crawl is an object, {}. Expected an AbortSignal.'],
    [{ wiat: 1 }, 'crawl has no option "wiat". Did you mean "wait"?'],
    [{ waitfactor: 1 }, 'crawl has no option "waitfactor". Did you mean "waitFactor"?'],
    [{ frobnicate: 1 }, /^crawl has no option "frobnicate"\. It has out, replaceable, scope, /],
    [{ rate: 100 }, 'Option rate of crawl needs continuous: true. Without it, every page is fetched once.'],
    [{ continuous: true, cost: 'time' }, /^Option cost .* Expected one of fetch, bytes\.$/],
    [{ strategy: 5 }, /^Option strategy .* Expected the name of a strategy, a function or an object\.$/],
    [
      { strategy: { score: () => 1 } },
      /^Option strategy .* Expected an object with discovered, visited, linked\.$/,
    ],
    [{ frontier: 'bread' }, /^Option frontier .* Expected one of two-level, mercator, webbase\.$/],
    [{ frontier: {} }, /^Option frontier .* Expected an object with add, update, /],
    [{ scorer: {} }, /^Option scorer .* Expected an object with score\.$/],
    [{ onPage: 5 }, /^Option onPage .* Expected the path of a module or a function\.$/],
    [{ items: 'a.jsonl' }, 'Option items belongs to a page handler: give onPage too.'],
    [{ threads: 0 }, 'Option threads of crawl is a number, 0. Expected a whole number from 1 to 256.'],
  ])('refuses %j', (options, message) => {
    expect(() => crawlWith(options)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => crawlWith(options)).toThrow(message)
  })

  it('refuses seeds that are no array of URLs, or are missing', () => {
    expect(() => crawlWith({ seeds: 'https://example.org/' })).toThrow(
      /^Option seeds .* Expected an array\.$/,
    )
    expect(() => crawl({} as CrawlOptions)).toThrow(expect.objectContaining({ code: 'BAD_SEED' }))
    expect(() => crawl('https://example.org/' as never)).toThrow(
      /^crawl takes an object of options, not a string/,
    )
  })

  it('takes every option that it has, and undefined for any of them', () => {
    const all: Required<CrawlOptions> = {
      seeds,
      out: 'crawl',
      continuous: true,
      rate: 1000,
      recrawlPolicy: 'mass',
      restSeconds: 60,
      change: 'text',
      cost: 'bytes',
      replaceable: true,
      sitemap: true,
      strategy: 'opic',
      frontier: 'mercator',
      damping: 0.9,
      every: 10,
      demoteSpam: 0.9,
      patience: 0,
      seed: 1,
      trust: new Map([[seeds[0], 1]]),
      historicalScores: new Map([[seeds[0], 1]]),
      topic: 'solar energy',
      topicHot: 'title:sun',
      likeness: 'inner',
      titleWeight: 2,
      language: 'en',
      wordFrequencies: { documents: 1, counts: new Uint32Array(4) },
      scorer: './score.ts',
      scorerSeconds: 0.5,
      pages: 10,
      failures: 10,
      coverage: undefined,
      coverageOf: 'web',
      seconds: 0.25,
      bytes: 1e9,
      requisites: true,
      requisiteFiles: 10,
      requisiteBytes: 1e6,
      render: 'auto',
      renderInclude: ['/app/**'],
      renderExclude: ['/docs/**'],
      renderPages: 100,
      renderShare: 0.5,
      renderSeconds: 20,
      renderNoSandbox: true,
      renderers: 3,
      renderBurst: 4,
      renderChromium: '/opt/chrome',
      scope: 'any',
      include: ['/a/**'],
      exclude: ['/b/**'],
      accept: ['text/html', '.pdf'],
      reject: ['image/*'],
      ignoreRel: ['ugc'],
      linksFrom: ['main'],
      maxDepth: 0,
      maxPagesPerSite: 1,
      canonicalRules: { sortedQuery: true },
      traps: false,
      nearDuplicates: false,
      wait: 0,
      waitFactor: 0,
      waitPerAddress: 0,
      perConnection: 1,
      connections: 8,
      robotsTxt: true,
      purpose: 'search',
      includeOptedOut: true,
      obeyNofollow: true,
      userAgent: 'Me/1',
      contact: 'a@b.example',
      headers: [['A', 'b']],
      own: ['example.org'],
      connectionsPerSite: 2,
      cookies: 'on',
      sign: 'bot.key',
      signatureAgent: 'https://bot.example.org',
      archiveCookies: true,
      auth: 'secrets.txt',
      proxy: 'http://p:1',
      proxies: 'proxies.txt',
      connectTo: ['::127.0.0.1:80'],
      dnsServers: ['127.0.0.1:5353'],
      allowPrivate: true,
      insecure: true,
      http2: false,
      limitBytes: 1000,
      limitSeconds: 1,
      slowSeconds: 2,
      attempts: 1,
      retrySeconds: 0.1,
      retrySecondsMax: 60,
      waitUnreachableSeconds: 0,
      warc: true,
      warcBytesMax: 1000,
      warcLevel: 0,
      warcPrefix: 'news',
      archive: 's3://bucket/news',
      archiveKeep: 1e9,
      dedupAgainst: ['/archive/a.cdxj'],
      operator: 'A Library',
      description: 'News of a day',
      collection: 'news',
      index: true,
      threads: 1,
      dashboard: '127.0.0.1:0',
      dashboardToken: 'token.txt',
      dashboardNames: ['crawl.example'],
      log: 'crawl.log',
      logLevel: 'debug',
      signal: new AbortController().signal,
      onEvent: () => {},
      onPage: './handler.ts',
      onPageSeconds: 1,
      onPageThreads: 2,
      items: 'items.jsonl',
      onRecorded: () => {},
      onError: () => {},
      onSite: () => {},
    }
    expect(settingsOf(all)).toMatchObject({ wait: 0, connections: 8, failures: 10, seconds: 0.25 })
    const none = Object.fromEntries(Object.keys(all).map((name) => [name, undefined]))
    expect(settingsOf({ ...none, seeds })).toEqual(settingsOf({ seeds }))
    for (const name of libraryRows.keys()) expect(all).toHaveProperty(name)
  })
})

describe('the other functions', () => {
  const web = webOf({ graph: graphOf([[1], [0]]) })
  const simulated = (options: object): Promise<unknown> =>
    simulate(web, { strategies: ['opic'], threads: 1, ...options })

  it.each([
    [{ pages: 5 }, 'resumeCrawl', 'Option out of resumeCrawl is missing. Expected the folder of a crawl.'],
    [{ out: 'a', damping: 0.5 }, 'resumeCrawl', 'resumeCrawl has no option "damping".'],
    [{ out: 'a', pages: '5' }, 'resumeCrawl', 'Option pages of resumeCrawl is a string, "5".'],
    [
      { damping: 1 },
      'simulate',
      'Option damping of simulate is a number, 1. Expected a number between 0 and 1.',
    ],
    [{ coverage: '0.9' }, 'simulate', 'Option coverage of simulate is a string, "0.9".'],
    [{ pagesMax: 5 }, 'simulate', 'simulate has no option "pagesMax".'],
    [{ pages: 0 }, 'simulate', 'Option pages of simulate is a number, 0.'],
    [
      { frontier: 'two' },
      'simulate',
      'Option frontier of simulate is a string, "two". Expected one of two-level,',
    ],
    [{ strategies: [5] }, 'simulate', 'Expected the name of a strategy, a function or an object.'],
    [{ time: { waitSeconds: 1 } }, 'simulate', 'simulate: time has no option "waitSeconds".'],
    [{ time: { failureRate: 2 } }, 'simulate', 'Option failureRate of simulate: time is a number, 2.'],
    [{ limit: '3' }, 'search', 'Option limit of search is a string, "3".'],
    [{ max: 3 }, 'search', 'search has no option "max".'],
    [{ out: 'a', strategy: 'opic' }, 'resumeCrawl', 'Option strategy of resumeCrawl is a string, "opic".'],
    [{ members: -1 }, 'duplicates', 'Option members of duplicates is a number, -1.'],
    [{ copies: 1 }, 'duplicates', 'duplicates has no option "copies".'],
    [{ format: 'xml' }, 'exportCrawl', 'Expected one of parquet, tsv, csv, jsonl, edges, wacz.'],
    [{ formats: ['tsv'] }, 'exportCrawl', 'exportCrawl has no option "formats". Did you mean "format"?'],
    [{ scorer: () => 1 }, 'explain', 'explain has no option "scorer".'],
    [{ out: 1 }, 'report', 'Option out of report is a number, 1. Expected a path.'],
    [{ urlsPath: 'a' }, 'readGraph', 'readGraph has no option "urlsPath".'],
    [{ port: '80' }, 'serveWeb', 'Option port of serveWeb is a string, "80".'],
    [{ latency: 3 }, 'serveWeb', 'serveWeb has no option "latency". Did you mean "latencyMs"?'],
  ] as const)('refuse %j (%s)', async (options, name, message) => {
    const calls: Record<typeof name, () => unknown> = {
      resumeCrawl: () => resumeCrawl(options as unknown as ResumeOptions),
      simulate: () => simulated(options),
      search: () => search('nowhere', 'word', options as object),
      duplicates: () => duplicates('nowhere', options as object),
      exportCrawl: () => exportCrawl('nowhere', options as object),
      explain: () => explain('nowhere', 'https://example.org/', options as object),
      report: () => report('nowhere', options as object),
      readGraph: () => readGraph('nowhere', options as object),
      serveWeb: () => serveWeb(web, options as object),
    }
    const error = await Promise.resolve()
      .then(() => calls[name]())
      .then(
        () => undefined,
        (reason: unknown) => reason as { code: string; message: string },
      )
    expect(error?.code).toBe('USAGE')
    expect(error?.message).toContain(message)
  })
})
