/** What owners say about the use of their pages: it is recorded and shown, and a crawl with a purpose does not fetch what it could not use. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/options/crawl-options.ts'
import { dataset, type DatasetOptions, type DatasetResult } from '../src/crawler/dataset/dataset.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { exportCrawl, type ExportOptions, type ExportResult } from '../src/crawler/read/export/export.ts'
import { verify } from '../src/crawler/read/verify/verify.ts'
import { status } from '../src/crawler/read/status.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const text = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } })
const page = (name: string, headers: Record<string, string>) => ({
  body: pageWith(name),
  headers: { 'content-type': 'text/html', ...headers },
})

let web: SmallWeb

beforeAll(async () => {
  web = await serveSmall({
    '127.44.0.1': {
      '/robots.txt': text(`User-agent: *
Content-Signal: search=yes, ai-input=no
Disallow: /forbidden

User-agent: GPTBot
User-agent: CCBot
Disallow: /articles/
`),
      '/': pageWith('home', '/articles/1', '/usage', '/meta', '/plain', '/forbidden', '/articles/2'),
      '/articles/1': pageWith('one'),
      '/articles/2': pageWith('two'),
      '/usage': page('usage', { 'content-usage': 'train-ai=n, search=y', link: '</l.xml>; rel="license"' }),
      '/meta': `<meta name="robots" content="noai, noimageai"><meta name="tdm-reservation" content="1"><meta name=tdm-policy content="/p.json">${pageWith('meta')}`,
      '/plain': pageWith('plain'),
    },
    '127.44.0.5': {
      '/robots.txt': text(
        'User-agent: *\nContent-Usage: train-ai=y, search=y\nContent-Signal: ai-train=yes, search=yes\n',
      ),
      '/': `<meta name="robots" content="noai"><meta name="tdm-reservation" content="0">${pageWith('home', '/a')}`,
      '/a': page('a', {
        'content-usage': 'search=n',
        'content-signal': 'search=yes',
        'x-robots-tag': 'index',
      }),
    },
    '127.44.0.3': {
      '/robots.txt': text('License: http://127.44.0.3:PORT/license.xml\n'),
      '/.well-known/tdmrep.json': text(
        '[{"location":"/free/*","tdm-reservation":0},{"location":"/reserved/*","tdm-reservation":1,"tdm-policy":"/p"}]',
      ),
      '/license.xml': {
        body: '<rsl xmlns="https://rslstandard.org/rsl"><content url="/sold/"><license><permits type="usage">ai-train</permits><payment type="purchase"/></license></content></rsl>',
        headers: { 'content-type': 'application/rsl+xml' },
      },
      '/': pageWith('home', '/free/1', '/reserved/1', '/sold/1', '/other'),
      '/free/1': pageWith('free'),
      '/reserved/1': pageWith('reserved'),
      '/sold/1': pageWith('sold'),
      '/other': pageWith('other'),
    },
    '127.44.0.4': {
      '/.well-known/tdmrep.json': { status: 503, headers: { 'retry-after': '0' } },
      '/': pageWith('home', '/a'),
      '/a': pageWith('a'),
    },
    '127.44.0.2': {
      '/': pageWith('silent', '/a', '/b.pdf'),
      '/a': page('a', { 'x-robots-tag': 'noindex' }),
      '/b.pdf': {
        body: '%PDF-',
        headers: { 'content-type': 'application/pdf', 'x-robots-tag': 'otherbot: none' },
      },
    },
  })
})
afterAll(() => web.close())

const made = async (
  out: string,
  more: Partial<CrawlOptions> = {},
  host = '127.44.0.1',
): Promise<CrawlTotals> =>
  crawl({ seeds: [web.url(`${host}/`)], out: join(folder, out), allowPrivate: true, wait: 0, ...more }).run()

interface Row {
  readonly url: string
  readonly state: string
  readonly error?: string
  readonly preferences?: readonly string[]
  readonly use_train_ai?: string
  readonly use_ai_input?: string
  readonly use_search?: string
}

let exports = 0
async function exported(
  out: string,
  options: ExportOptions = {},
): Promise<{ rows: Record<string, Row>; result: ExportResult }> {
  const to = join(folder, `${exports++}.jsonl`)
  const result = await exportCrawl(join(folder, out), { to, table: 'pages', ...options })
  const lines = readFileSync(to, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const rows = lines.map((line) => JSON.parse(line) as Row)
  return { rows: Object.fromEntries(rows.map((row) => [new URL(row.url).pathname, row])), result }
}

const askedSince = (before: number): string[] => web.asked.slice(before)

describe('a crawl without a purpose', () => {
  beforeAll(() => made('all'))

  it('records the statements of pages as they were made, and derives what they allow', async () => {
    const { rows, result } = await exported('all')
    const signal = 'robots.txt content-signal: search=yes, ai-input=no'
    expect(rows['/plain'].preferences).toEqual([signal])
    expect(rows['/usage'].preferences).toEqual([
      'content-usage: train-ai=n, search=y',
      'link: </l.xml>; rel="license"',
      signal,
    ])
    expect(rows['/meta'].preferences).toEqual([
      'meta robots: noai, noimageai',
      'meta tdm-reservation: 1',
      'meta tdm-policy: /p.json',
      signal,
    ])
    expect(rows['/articles/1'].preferences).toEqual([signal, 'robots.txt disallows: CCBot, GPTBot'])
    const uses = Object.entries(rows).map(([path, row]) => [
      path,
      row.use_train_ai,
      row.use_ai_input,
      row.use_search,
    ])
    expect(uses).toEqual([
      ['/', undefined, 'disallowed', 'allowed'],
      ['/articles/1', 'disallowed', 'disallowed', 'allowed'],
      ['/usage', 'disallowed', 'disallowed', 'allowed'],
      ['/meta', 'disallowed', 'disallowed', 'allowed'],
      ['/plain', undefined, 'disallowed', 'allowed'],
      ['/forbidden', undefined, 'disallowed', 'allowed'],
      ['/articles/2', 'disallowed', 'disallowed', 'allowed'],
    ])
    expect(result.use).toBeUndefined()
  })

  it('counts them', () => {
    const { progress } = status(join(folder, 'all'))
    expect(progress?.preferences).toEqual({
      stated: 6,
      optedOut: 0,
      disallowed: { 'train-ai': 4, 'ai-input': 6, search: 0 },
    })
  })

  it('explains them', async () => {
    const explained = await explain(join(folder, 'all'), web.url('127.44.0.1/usage'))
    expect(explained.use?.['train-ai']).toEqual({
      answer: 'disallowed',
      sources: ['content-usage: train-ai=n, search=y'],
    })
    expect(explanationText('all', explained)).toContain(
      'not allowed for train-ai: content-usage: train-ai=n, search=y',
    )
  })

  it('is exported for a purpose without the pages that may not be used for it', async () => {
    const { rows, result } = await exported('all', { purpose: 'train-ai' })
    expect(Object.keys(rows)).toEqual(['/', '/plain', '/forbidden'])
    expect(result.use).toEqual({ purpose: 'train-ai', leftOut: 4, unknown: 2 })
    const search = await exported('all', { purpose: 'search' })
    expect(search.result.use).toEqual({ purpose: 'search', leftOut: 0, unknown: 0 })
    const wacz = exportCrawl(join(folder, 'all'), { to: join(folder, 'x.wacz'), purpose: 'search' })
    await expect(wacz).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('has nothing to say about a site that says nothing, but its noindex', async () => {
    const totals = await made('silent', {}, '127.44.0.2')
    expect(totals.preferences).toMatchObject({ stated: 2, disallowed: { search: 2 } })
    const { rows } = await exported('silent')
    expect(rows['/'].preferences).toBeUndefined()
    expect(rows['/a']).toMatchObject({ preferences: ['x-robots-tag: noindex'], use_search: 'disallowed' })
    // Also of what is no HTML, and for whichever crawler it is.
    expect(rows['/b.pdf']).toMatchObject({
      preferences: ['x-robots-tag: otherbot: none'],
      use_search: 'disallowed',
    })
  })
})

it('if statements contradict each other, the most restrictive counts', async () => {
  await made('contradictory', {}, '127.44.0.5')
  const { rows } = await exported('contradictory')
  expect(rows['/']).toMatchObject({
    preferences: [
      'meta robots: noai',
      'meta tdm-reservation: 0',
      'robots.txt content-usage: train-ai=y, search=y',
      'robots.txt content-signal: ai-train=yes, search=yes',
    ],
    use_train_ai: 'disallowed',
    use_ai_input: 'allowed',
    use_search: 'allowed',
  })
  expect(rows['/a']).toMatchObject({ use_train_ai: 'allowed', use_search: 'disallowed' })
})

describe('a data set', () => {
  const documents = async (
    inputs: string | string[],
    name: string,
    options: Partial<DatasetOptions> = {},
  ): Promise<{ paths: Record<string, readonly string[]>; result: DatasetResult; card: string }> => {
    const to = join(folder, name)
    const result = await dataset(inputs, { to, format: 'jsonl', dedup: 'none', ...options })
    const lines = readFileSync(join(to, 'documents-00000.jsonl'), 'utf8').split('\n').filter(Boolean)
    const rows = lines.map((line) => JSON.parse(line) as Row)
    const paths = Object.fromEntries(rows.map((row) => [new URL(row.url).pathname, row.preferences ?? []]))
    return { paths, result, card: readFileSync(join(to, 'README.md'), 'utf8') }
  }

  beforeAll(async () => {
    await made('archived', { warc: true, includeOptedOut: true, purpose: 'train-ai' })
    await made('archived-for', { warc: true, purpose: 'train-ai' })
  })

  it('leaves out what its purpose or that of its crawl does not allow, and counts it', async () => {
    const all = await documents(join(folder, 'archived'), 'data-all')
    expect(Object.keys(all.paths)).toEqual(['/', '/articles/1', '/usage', '/meta', '/plain', '/articles/2'])
    expect(all.result.use).toBeUndefined()
    expect(all.card).toContain('Purpose: none.')
    expect(all.card).toContain('| train-ai | 0 | 4 | 2 |\n| ai-input | 0 | 6 | 0 |\n| search | 6 | 0 | 0 |')
    const given = await documents(join(folder, 'archived'), 'data-given', { purpose: 'train-ai' })
    expect(Object.keys(given.paths)).toEqual(['/', '/plain'])
    expect(given.result).toMatchObject({
      reasons: { 'opted-out': 4 },
      use: { purpose: 'train-ai', leftOut: 4, unknown: 2 },
    })
    expect(given.card).toContain('Purpose: train-ai.')
    const own = await documents(join(folder, 'archived-for'), 'data-own')
    expect(Object.keys(own.paths)).toEqual(['/', '/plain'])
    const anyway = await documents(join(folder, 'archived-for'), 'data-anyway', { includeOptedOut: true })
    expect(Object.keys(anyway.paths)).toEqual(['/', '/usage', '/meta', '/plain'])
    const both = dataset(join(folder, 'archived'), {
      to: join(folder, 'x'),
      purpose: 'search',
      includeOptedOut: true,
    })
    await expect(both).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('of WARC files knows what the robots.txt among their responses says', async () => {
    const archive = join(folder, 'archived', 'warc')
    const files = readdirSync(archive).filter((name) => name.endsWith('.warc.gz'))
    const { paths } = await documents(
      files.map((name) => join(archive, name)),
      'data-files',
    )
    const { paths: recorded } = await documents(join(folder, 'archived'), 'data-recorded')
    expect(Object.keys(paths)).toHaveLength(6)
    for (const [path, stated] of Object.entries(paths))
      expect(stated.toSorted()).toEqual(recorded[path].toSorted())
  })
})

describe('a crawl with a purpose', () => {
  it('does not fetch what it could not use, and says so', async () => {
    const before = web.asked.length
    const totals = await made('training', { purpose: 'train-ai' })
    expect(askedSince(before).some((place) => place.includes('/articles/'))).toBe(false)
    expect(totals).toMatchObject({
      pages: 4,
      refusedByRobots: 3,
      isComplete: true,
      preferences: { optedOut: 2, stated: 4, disallowed: { 'train-ai': 2 } },
    })
    // The other pages are all that is obtainable.
    expect(totals.coverage.share).toBeCloseTo(1, 6)
    const { rows, result } = await exported('training')
    expect(Object.keys(rows)).toEqual(['/', '/plain', '/forbidden'])
    expect(result.use).toMatchObject({ purpose: 'train-ai', leftOut: 4 })
    const all = await exported('training', { includeOptedOut: true })
    expect(all.rows['/articles/1']).toMatchObject({ state: 'robots', error: 'opted-out' })
    const explained = await explain(join(folder, 'training'), web.url('127.44.0.1/articles/1'))
    expect(explanationText('training', explained)).toContain(
      'Never fetched: its owner does not allow the use that the crawl is for (robots.txt disallows: CCBot, GPTBot).',
    )
  })

  it('also reads tdmrep.json and the licence of a site, before its first page', async () => {
    const before = web.asked.length
    const totals = await made('files', { purpose: 'train-ai', warc: true }, '127.44.0.3')
    expect(totals).toMatchObject({ pages: 3, preferences: { optedOut: 2 }, stoppedBecause: 'finished' })
    const asked = askedSince(before).map((place) => place.replace('127.44.0.3', ''))
    expect(asked.slice(0, 4)).toEqual(['/robots.txt', '/.well-known/tdmrep.json', '/license.xml', '/'])
    expect(asked.slice(4).toSorted()).toEqual(['/free/1', '/other'])
    const { rows } = await exported('files', { includeOptedOut: true })
    expect(rows['/reserved/1'].preferences).toContain('tdmrep.json tdm-reservation: 1')
    expect(rows['/sold/1'].preferences).toContain('licence prohibits: ai-train')
    expect(rows['/free/1'].use_train_ai).toBe('allowed')
    expect((await verify(join(folder, 'files'))).state).toBe('good')
    // A resume has them in the record.
    const later = web.asked.length
    await resumeCrawl({ out: join(folder, 'files') }).run()
    expect(askedSince(later)).toEqual([])
  })

  it('crawls a site that cannot say', async () => {
    const options = { purpose: 'train-ai', attempts: 2, retrySeconds: 0 } as const
    const totals = await made('cannot', options, '127.44.0.4')
    expect(totals.pages).toBe(2)
    expect(totals.preferences).toBeUndefined()
  })

  it('fetches them with the words for it', async () => {
    const totals = await made('anyway', { purpose: 'train-ai', includeOptedOut: true })
    expect(totals).toMatchObject({ pages: 6, preferences: { optedOut: 0, disallowed: { 'train-ai': 4 } } })
  })

  it('keeps its purpose in a resume and in a recrawl', async () => {
    const out = join(folder, 'later')
    const before = web.asked.length
    await made('later', { purpose: 'train-ai', pages: 1 })
    const totals = await resumeCrawl({ out, pages: 100 }).run()
    expect(totals).toMatchObject({ pages: 4, preferences: { optedOut: 2, stated: 4 } })
    const again = await recrawl({ out, restSeconds: 0 }).run()
    expect(again).toMatchObject({ preferences: { optedOut: 2, stated: 4 } })
    const asked = askedSince(before).filter((place) => !/robots\.txt|tdmrep/.test(place))
    expect(asked.length).toBe(8)
    expect(asked.filter((place) => place.includes('/articles/'))).toEqual([])
  })

  it('needs robots.txt', async () => {
    await expect(() => made('none', { purpose: 'search', robotsTxt: false })).rejects.toMatchObject({
      code: 'USAGE',
    })
  })
})
