import { omissionsOf } from '../../crawler/options/omissions.ts'
import { expect, it } from 'vitest'
import { xmlElements } from '../../../test/xml-checker.ts'
import { crawlReportFiles } from './crawl-report.ts'
import { certainPercent } from '../../lib/amounts.ts'
import type { ReportedCrawl, ReportedHistogram } from '../../crawler/read/figures/reported-crawl.ts'
import { ShareBar, type PartColour } from '../pictures/share-bar.tsx'
import { breakable } from '../pictures/words.tsx'
import { markup } from './page.tsx'

/** Schemes that run scripts, quotes, right-to-left marks, great length. */
const hostileUrls = [
  'javascript:alert(1)//http://x/',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://x/"onmouseover="alert(1)',
  `http://x/${'a'.repeat(5000)}`,
  'http://x/\u202Etxt.exe',
  'HTTP:javascript',
]
const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

const histogram: ReportedHistogram = {
  count: 90,
  mean: 123,
  median: 100,
  p90: 200,
  p99: 300,
  max: 345,
  bins: [
    { low: 100, high: 158, count: 60 },
    { low: 158, high: 251, count: 30 },
  ],
}

const crawl: ReportedCrawl = {
  folder: '/somewhere/a-crawl',
  startedAt: '2026-01-31T12:05:06.789Z',
  options: {
    seeds: ['http://example.org/', 'http://example.net/x', 'http://c.test/', 'http://d.test/'],
    sitemap: false,
    strategy: 'opic',
    frontier: 'two-level',
    damping: 0.85,
    pages: 100,
    scope: 'domain',
    include: [],
    exclude: ['/private/*'],
    wait: 1.5,
    perConnection: 1,
    connections: 64,
    robotsTxt: true,
    obeyNofollow: true,
    userAgent: 'Rankward/1',
  },
  rows: [],
  plans: [],
  counts: {
    pages: 100,
    bytes: 1_234_567,
    links: 4321,
    ...omissionsOf([]),
    linksOutOfScope: 77,
    duplicates: 3,
    redirects: 2,
    refusedByRobots: 5,
    refusedByLimits: 1,
    failed: 10,
    temporary: 0,
    unreachable: 0,
    seconds: 65,
    errors: { 'http-404': 10, 'retried-timeout': 6 },
  },
  isRunning: false,
  end: { stoppedBecause: 'pages', outOfOrder: 0 },
  known: 2345,
  waiting: 2230,
  sites: 40,
  sitesVisited: 21,
  coverage: {
    guaranteed: 0.8999,
    robots: 0.01,
    scope: 0.02,
    failed: 0.0001,
    budget: 0.07,
    obtainable: 0.9899,
    share: 0.90908,
  },
  headline: '90.9% of the obtainable importance is certain.',
  curve: [
    [1, 0.15],
    [50, 0.82],
    [100, 0.8999],
  ],
  time: { binSeconds: 5, pages: [10, 30, 60], bytes: [1e5, 4e5, 734_567], sessions: 2 },
  answers: [
    { answer: '200', isError: false, wasAsked: true, pages: 90, examples: [] },
    {
      answer: 'http-404',
      isError: true,
      wasAsked: true,
      pages: 10,
      examples: ['http://example.org/gone', 'javascript:alert(1)'],
    },
    { answer: 'robots', isError: true, wasAsked: false, pages: 5, examples: [] },
  ],
  types: [
    { type: 'text/html', pages: 80, bytes: 1e6 },
    { type: '', pages: 10, bytes: 0 },
  ],
  depths: [
    { found: 4, fetched: 4 },
    { found: 2341, fetched: 96 },
  ],
  sizes: histogram,
  durations: histogram,
  particulars: {
    duplicateBodies: 2,
    duplicateTexts: 1,
    duplicateBytes: 5000,
    redirects: 4,
    empty: 0,
    truncated: 0,
    noindex: 1,
    retried: 6,
  },
  topSites: [
    { site: 'example.org', fetched: 60, waiting: 9, failed: 2, refused: 5, bytes: 1e6, meanMs: 41.5 },
  ],
  topPages: [{ url: 'http://example.org/', title: 'Home', mass: 0.1234, order: 1, depth: 0 }],
  missedPages: [
    { url: 'http://example.org/next', mass: 0.004, depth: 2, state: 'waiting' },
    { url: 'http://example.org/old', mass: 0.001, depth: 1, state: 'failed', error: 'http-404' },
    { url: 'http://example.org/private/', mass: 0.0005, depth: 1, state: 'robots', error: 'robots' },
  ],
  importance: [
    {
      name: 'example.org',
      held: 0.8,
      waiting: 0.05,
      parts: [
        { name: '/docs/', held: 0.7, waiting: 0 },
        { name: '/', held: 0.1, waiting: 0.05 },
      ],
    },
    { name: '39 other sites', held: 0.0999, waiting: 0.02 },
  ],
  importanceByTime: {
    partSeconds: 86_400,
    parts: [
      { pages: 50, pageRank: 0.6, rankMass: 0.7 },
      { pages: 0, pageRank: 0, rankMass: 0 },
      { pages: 50, pageRank: 0.15, rankMass: 0.1999 },
    ],
  },
  importanceByDepth: [
    { pages: 4, pageRank: 0.15, rankMass: 0.2 },
    { pages: 96, pageRank: 0.6, rankMass: 0.6999 },
  ],
}

const origin = { command: 'rankward report a-crawl', version: '1.2.3', date: '2026-02-01 00:00 UTC' }
const pageOf = (given: ReportedCrawl): string => crawlReportFiles(given, { name: 'report' }, origin)[0].text

function check(html: string): void {
  const shown = html.replaceAll(/<script[^]*?<\/script>/g, '')
  expect(/\bundefined\b|\bNaN\b|\[object|Infinity/.exec(shown)?.[0]).toBeUndefined()
  for (const svg of html.match(/<svg [^]*?<\/svg>/g) ?? []) xmlElements(svg)
  expect(html.match(/<figure /g)?.length ?? 0).toBe(html.match(/<\/figure>/g)?.length ?? 0)
  const ids = [...shown.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids.length).toBe(new Set(ids).size)
}

it('the page has the figures', () => {
  const html = pageOf(crawl)
  check(html)
  for (const words of [
    '90.9% of the obtainable importance is certain. The crawl stopped at',
    'The crawl stopped at the page budget.',
    '100 fetched of 2,345 known; 2,230 wait',
    '21 requested of 40 known',
    '1.23 MB, 12.3 kB per page',
    '1:05 min, 1.54 pages per second, in 2 sessions',
    '2026-01-31 12:05 UTC',
    'http://example.org/, http://example.net/x, http://c.test/, 1 more',
    'opic, d = 0.85, frontier two-level',
    'the domains of the seeds; without /private/*',
    '1.5 s between requests to a site; up to 64 connections at a time; robots.txt obeyed',
    'Most of the missing part, 7.0%, lies behind pages that wait or are over a limit.',
    'It was 80% after 50 pages.',
    '404 Not Found',
    'disallowed by robots.txt',
    'none given',
    'timeout 6',
    '<td class="number" data-value="0.1234">0.1234</td>',
    '<dt>coverage</dt><dd><strong>90.9%</strong><span>of the obtainable importance is held</span>',
    '<dt>pages</dt><dd><strong>100</strong><span>of 2,345 known; 2,230 waiting</span>',
    '<dt>pages per second</dt><dd><strong>1.54</strong>',
    '<dt>duration</dt><dd><strong>1:05 min</strong><span>in 2 sessions</span>',
    // The same duration and rate as above, whatever the bins of the plot are.
    '100 pages in 1:05 min; half of them after',
    '1.54 pages per second on average, ',
    'failed: 404 Not Found</td>',
    'waiting when the crawl stopped',
    'Half of the pages are below about 100 bytes',
    '3 pages (5 kB) were copies of another.',
    'Every page was the best one waiting',
    'With 50% of the pages, the crawl had 80% of their PageRank. The share of the PageRank is never below that of the pages.',
    'day of the crawl',
    'the first part of the crawl has 1.6 times the mean PageRank, the last 0.4 times',
    'PageRank: 5 times at depth 0, 0.83 times at depth 1.',
  ]) {
    expect(html).toContain(words)
  }
})

it('the numbers and the bar are first, before all sections, and the settings last', () => {
  const html = pageOf(crawl)
  const places = ['<dl class="big">', 'id="importance-bar"', '<nav ', '<h2 id="section-1"', '<h2 id="facts">']
  expect(places.map((place) => html.split(place).length)).toEqual(places.map(() => 2))
  const order = places.map((place) => html.indexOf(place))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

it('the bar has every part, and what is out of scope beside it', () => {
  const html = pageOf(crawl)
  const [bar] = /<figure id="importance-bar">[^]*?<\/figure>/.exec(html)!
  for (const words of ['held', 'robots.txt', 'out of scope', 'failed', 'waiting', '89.9%', '&lt;0.1%'])
    expect(bar).toContain(words)
})

it('the bar says why the rest of the pages was not fetched', () => {
  const barOf = (counts: Partial<ReportedCrawl['counts']>, waiting: number): string =>
    /<figure id="importance-bar">[^]*?<\/figure>/.exec(
      pageOf({ ...crawl, counts: { ...crawl.counts, ...counts }, waiting }),
    )![0]
  const none = { temporary: 0, unreachable: 0, refusedByLimits: 0 }
  expect(barOf(none, 5)).toMatch(/<span class="name">waiting<\/span>/)
  const failed = barOf({ ...none, temporary: 2, unreachable: 1 }, 0)
  expect(failed).toMatch(/<span class="name">failed for now<\/span>/)
  expect(failed).not.toContain('wait for')
  expect(barOf({ ...none, temporary: 2, refusedByLimits: 1 }, 5)).toMatch(
    /<span class="name">waiting, failed for now or over a limit<\/span>/,
  )
})

it('the parts of a bar are as long as their shares, and the legend has all of them', () => {
  const colours: PartColour[] = ['held', 'robots', 'failed', 'waiting']
  const parts = [0.5, 0.4998, 0.0002, 0].map((share, i) => ({
    name: `part ${i}`,
    share,
    colour: colours[i],
    hint: '<b>',
  }))
  const html = markup(ShareBar({ label: 'A bar', parts }))
  xmlElements(html)
  const lengths = [...html.matchAll(/class="segment is-(\w+)" title="[^"]*" style="flex-grow:([\d.]+);"/g)]
  expect(lengths.map(([, colour, length]) => [colour, Number(length)])).toEqual([
    ['held', 500],
    ['robots', 499.8],
    ['failed', 0.2],
  ])
  expect(html).toContain('aria-label="A bar: part 0 50.0%, part 1 50.0%, part 2 &lt;0.1%"')
  expect(html.match(/<li /g)).toHaveLength(4)
})

it('nothing from outside becomes markup, and it needs no network', () => {
  const html = pageOf({
    ...crawl,
    folder: hostile,
    options: { ...crawl.options, seeds: [`http://x/${hostile}`], userAgent: hostile, strategy: hostile },
    answers: [{ answer: hostile, isError: true, wasAsked: true, pages: 1, examples: hostileUrls }],
    types: [{ type: hostile, pages: 1, bytes: 1 }],
    topSites: [{ ...crawl.topSites[0], site: hostile }],
    topPages: hostileUrls.map((url) => ({ ...crawl.topPages[0], url, title: `$& ${hostile}` })),
    missedPages: hostileUrls.map((url) => ({ ...crawl.missedPages[0], url, error: hostile })),
    importance: [
      { name: hostile, held: 0.5, waiting: 0.1, parts: [{ name: hostile, held: 0.5, waiting: 0.1 }] },
      { name: 'x'.repeat(5000), held: 0.2, waiting: 0.1 },
    ],
  })
  check(html)
  expect(html).not.toMatch(/<script>alert|<img/)
  for (const [, address] of html.matchAll(/<[a-z](?:[^>"]|"[^"]*")* (?:src|href)="([^"]*)"/g))
    expect(address).toMatch(/^(#|data:|https?:\/\/x\/)/)
  // A link that leads out of the page says nothing of it.
  const links = [...html.matchAll(/<a href="http[^"]*"(?:[^>"]|"[^"]*")*>/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [link] of links) expect(link).toContain('" rel="noreferrer noopener nofollow">')
})

it('addresses are links, and other schemes are text', () => {
  const html = pageOf(crawl)
  expect(html).toContain('<a href="http://example.org/gone" rel="noreferrer noopener nofollow">')
  expect(html).toContain('<span class="address">javascript:alert(1)</span>')
  expect(html).not.toMatch(/href="javascript/i)
})

it('the map has a rectangle for every directory, as large as its importance', () => {
  const [svg] = /<svg class="wide treemap"[^]*?<\/svg>/.exec(pageOf(crawl))!
  const areas = [...svg.matchAll(/<rect class="rest" x="\d+" y="\d+" width="(\d+)" height="(\d+)"/g)].map(
    ([, width, height]) => Number(width) * Number(height),
  )
  expect(areas).toHaveLength(3)
  // /docs/ has 0.7, / has 0.15; names take some of the space.
  expect(areas[0] / areas[1]).toBeGreaterThan(3.5)
  expect(areas[0] / areas[1]).toBeLessThan(6)
  expect(svg).toContain('example.org /docs/: 70% of all importance held, 0% waiting')
})

it('a crawl that fetched nothing, and one that was interrupted, also have reports', () => {
  const empty = pageOf({
    ...crawl,
    counts: { ...crawl.counts, pages: 0, bytes: 0, seconds: 0, errors: {} },
    coverage: { guaranteed: 0, robots: 1, scope: 0, failed: 0, budget: 0, obtainable: 0, share: 0 },
    headline: 'No page was fetched.',
    end: undefined,
    curve: [[0, 0]],
    time: { binSeconds: 1, pages: [], bytes: [], sessions: 1 },
    answers: [],
    types: [],
    depths: [{ found: 1, fetched: 0 }],
    sizes: undefined,
    durations: undefined,
    topPages: [],
    missedPages: [],
    importance: [],
    importanceByTime: { partSeconds: 1, parts: [] },
    importanceByDepth: [],
  })
  check(empty)
  expect(empty).toContain('No page was fetched. The crawl was interrupted')
})

it('says what a crawl was looking for, and how much of it it found', () => {
  const page = pageOf({
    ...crawl,
    rows: [['found', '18 hot pages']],
    plans: [['Looks for', ['pages about solar <b>energy', 'relevant: title:solar']]],
  })
  check(page)
  expect(page).toContain('pages about solar &lt;b>energy; relevant: title:solar')
  expect(page).toContain('18 hot pages')
  expect(pageOf(crawl)).not.toContain('looks for')
})

it('the certain share is never rounded up', () => {
  expect([0.89999, 0.9999, 1 - 1e-8, 1, 0.0004, 0].map(certainPercent)).toEqual([
    '89.9%',
    '99.9%',
    '100%',
    '100%',
    '<0.1%',
    '0.0%',
  ])
})

it('a long host can be broken', () => {
  expect(breakable('documents.example.org:8080')).toBe('documents.\u200Bexample.\u200Borg:\u200B8080')
  expect(breakable('www.example.org:8080')).toBe('www.example.org:8080')
  expect(
    Math.max(
      ...breakable('x'.repeat(60))
        .split('\u200B')
        .map((part) => part.length),
    ),
  ).toBe(16)
})
