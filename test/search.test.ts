/** A small web with known texts, crawled over loopback and searched, by the command and by the library. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { search as searchCrawl, type SearchResults } from '../src/crawler/parts/search/search.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const out = join(folder, 'crawl')
const host = '127.1.0.1'
let web: SmallWeb

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ')
/** Text that is like no other, and long enough that it can be compared. */
const own = (seed: number): string =>
  Array.from({ length: 60 }, (_, i) => `${filler[(i * 7 + seed * 5) % 12]}${(i * i + seed) % 97}`).join(' ')

const html = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`

const paths =
  '/title /body /loved /lonely /noindex /copy-1 /copy-2 /near-1 /near-2 /de /zh /escape /phrase /scattered /gone /plain /connected /latin1 /hidden /untitled'.split(
    ' ',
  )
const lovers = Array.from({ length: 8 }, (_, i) => `/lover-${i}`)
const nearText = Array.from({ length: 300 }, (_, i) => `quokka${i}`).join(' ')

const sites: SmallSites = {
  [host]: {
    '/': html('Home', [...paths, ...lovers].map((path) => `<a href="${path}">there</a>`).join(' ')),
    '/title': html('Wombats of the south', `<p>${own(1)} many animals</p>`),
    '/body': html('Animals', `<p>${own(2)} among them a wombat</p>`),
    '/loved': html('Loved', `<p>${own(3)} platypus</p>`),
    '/lonely': html('Loner', `<p>${own(14)} platypus</p>`),
    ...Object.fromEntries(lovers.map((path, i) => [path, html(path, `<a href="/loved">${own(20 + i)}</a>`)])),
    '/noindex': html('Secret', `<p>${own(4)} echidna</p>`, '<meta name="robots" content="noindex">'),
    '/copy-1': html('Copied', `<p>${own(5)} numbat</p>`),
    '/copy-2': html('Copied', `<p>${own(5)} numbat</p>`),
    '/near-1': html('Near', `<p>${nearText}</p>`),
    '/near-2': html('Near', `<p>${nearText} bettong</p>`),
    '/de': html('Häuser', `<p>Die alten H&auml;user stehen am Fluß.</p>`).replace('"en"', '"de"'),
    '/zh': html('北京', '<p>我们喜欢北京大学的图书馆。</p>').replace('"en"', '"zh"'),
    '/escape': html('Evil \u{1b}[31mred\u{7} &#27;]0;owned&#7;', `<p>${own(6)} dingo \u{1b}[2J\u{202e}</p>`),
    '/phrase': html('Phrase', `<p>${own(7)} the <b>solar</b> energy of e-<i>mail</i></p>`),
    '/scattered': html('Scattered', `<p>energy ${own(8)} solar mail ${own(9)} e</p>`),
    '/gone': { status: 404, body: html('Gone', 'wombat solar energy') },
    '/plain': { headers: { 'content-type': 'text/plain' }, body: 'A thylacine, <b>plain</b>.' },
    '/connected': html('Connected', `<p>${own(10)} connections</p>`),
    '/latin1': {
      headers: { 'content-type': 'text/html; charset=windows-1252' },
      body: html('Latin', `<p>caf\u{e9}terie ${own(11)}</p>`),
    },
    '/hidden': html('Hidden', `<script>var bilby</script><style>.bilby{}</style><!-- bilby --> ${own(12)}`),
    '/untitled': `<p>kookaburra ${own(13)}</p>`,
  },
}

beforeAll(async () => {
  web = await serveSmall(sites)
  await crawl({
    seeds: [web.url(`${host}/`)],
    out,
    wait: 0,
    allowPrivate: true,
    threads: 1,
    connections: 1,
  }).run()
  await web.close()
})

const search = (words: string, options: Parameters<typeof searchCrawl>[2] = {}): Promise<SearchResults> =>
  searchCrawl(out, words, { language: 'none', ...options })
const pathsOf = ({ results }: SearchResults): string[] => results.map(({ url }) => new URL(url).pathname)

describe('a search in a crawl', () => {
  it('finds the pages that have the words, and shows where', async () => {
    const found = await search('Thylacine')
    expect(pathsOf(found)).toEqual(['/plain'])
    const [{ snippet, found: places, title, depth, copies }] = found.results
    expect({ title, depth, copies }).toEqual({ title: '', depth: 1, copies: 0 })
    expect(snippet).toBe('A thylacine, <b>plain</b>.')
    expect(places.map(([start, end]) => snippet.slice(start, end))).toEqual(['thylacine'])
    expect(found).toMatchObject({ query: 'Thylacine', units: ['Thylacine'], matches: 1, match: 'all' })
  })

  it('ranks a word in the title above one in the text', async () => {
    expect(pathsOf(await search('wombat wombats', { match: 'any' }))).toEqual(['/title', '/body'])
    expect(pathsOf(await search('wombat', { language: 'en' }))).toEqual(['/title', '/body'])
  })

  it('weights PageRank by the option', async () => {
    const plain = await search('platypus', { rankWeight: 0 })
    expect(plain.results[0].bm25).toBeCloseTo(plain.results[1].bm25, 1)
    expect(plain.results.every(({ score, bm25 }) => score === bm25)).toBe(true)
    const ranked = await search('platypus')
    expect(pathsOf(ranked)).toEqual(['/loved', '/lonely'])
    const [loved, lonely] = ranked.results
    expect(loved.pageRank).toBeGreaterThan(2 * lonely.pageRank)
    expect(loved.score / loved.bm25).toBeGreaterThan(lonely.score / lonely.bm25)
    // The text counts all the same: what is loved but does not have the word as often is not lifted over everything.
    const both = await search('platypus wombats', { match: 'any' })
    expect(pathsOf(both)[0]).toBe('/title')
    expect(pathsOf(await search('platypus wombats', { match: 'any', rankWeight: 50 }))[0]).toBe('/loved')
  })

  it('takes the PageRank that the export has', async () => {
    await exportCrawl(out, { to: join(folder, 'pages.tsv'), format: 'tsv' })
    const [head, ...rows] = readFileSync(join(folder, 'pages.tsv'), 'utf8').trimEnd().split('\n')
    const columns = head.split('\t')
    const ranks = new Map(
      rows
        .map((row) => row.split('\t'))
        .map((row) => [row[columns.indexOf('url')], row[columns.indexOf('page_rank')]]),
    )
    const { results } = await search('platypus wombat', { match: 'any' })
    expect(results.length).toBeGreaterThan(2)
    for (const { url, pageRank } of results) expect(pageRank).toBe(Number(ranks.get(url)))
  })

  it('omits failed pages and, by default, pages marked noindex', async () => {
    expect(pathsOf(await search('echidna'))).toEqual([])
    expect(pathsOf(await search('echidna', { noindex: true }))).toEqual(['/noindex'])
    expect(pathsOf(await search('solar wombat', { match: 'any' }))).not.toContain('/gone')
  })

  it('finds copies once, and says how many there are', async () => {
    const { results, matches } = await search('numbat')
    expect(results.map(({ copies }) => copies)).toEqual([1])
    expect(matches).toBe(1)
    const near = await search('quokka7')
    expect(near.results.map(({ copies, title }) => ({ copies, title }))).toEqual([
      { copies: 1, title: 'Near' },
    ])
    // What only the near-duplicate has is found in it.
    expect((await search('bettong')).matches).toBe(1)
  })

  it('reads what a reader sees: no scripts, styles and comments, references resolved', async () => {
    expect((await search('bilby')).matches).toBe(0)
    expect(pathsOf(await search('Häuser'))).toEqual(['/de'])
    expect(pathsOf(await search('HÄUSER fluß'))).toEqual(['/de'])
    // UTF-8 that its server calls windows-1252 is read as the crawl and browsers read it.
    expect(pathsOf(await search('cafÃ'))).toEqual(['/latin1'])
  })

  it('cuts scripts without spaces into words', async () => {
    const found = await search('喜欢 北京')
    expect(pathsOf(found)).toEqual(['/zh'])
    const [{ snippet, found: places }] = found.results
    expect(places.map(([start, end]) => snippet.slice(start, end))).toEqual(['喜欢', '北京'])
    expect(pathsOf(await search('我们喜欢'))).toEqual(['/zh'])
  })

  it('compares stems of the language that most pages declare, or of the one that it is told', async () => {
    const found = await searchCrawl(out, 'connecting')
    expect(found.language).toBe('en')
    expect(pathsOf(found)).toEqual(['/connected'])
    expect(found.results[0].snippet.slice(...found.results[0].found[0])).toBe('connections')
    expect((await search('connecting')).matches).toBe(0)
    expect(pathsOf(await search('Hauses', { language: 'German' }))).toEqual(['/de'])
    expect((await search('x', { language: 'de-AT' })).language).toBe('de')
  })

  it('finds words in a row where they are quoted or written as one', async () => {
    expect(pathsOf(await search('solar energy')).toSorted()).toEqual(['/phrase', '/scattered'])
    expect(pathsOf(await search('"solar energy"'))).toEqual(['/phrase'])
    expect(pathsOf(await search('“Solar Energy” of'))).toEqual(['/phrase'])
    expect(pathsOf(await search('e-mail'))).toEqual(['/phrase'])
  })

  it('requires all words, or any if no page has all, and says which', async () => {
    expect(await search('wombat platypus')).toMatchObject({ match: 'any', matches: 3 })
    expect(await search('wombat platypus', { match: 'all' })).toMatchObject({ match: 'all', matches: 0 })
    expect(await search('wombat animals')).toMatchObject({ match: 'all', matches: 1 })
    expect(await search('wombat animals', { match: 'any' })).toMatchObject({ match: 'any', matches: 2 })
  })

  it('gives as many results as it is told, the best', async () => {
    const all = await search('lorem0 lorem1 lorem2 wombat', { match: 'any', limit: 100 })
    const some = await search('lorem0 lorem1 lorem2 wombat', { match: 'any', limit: 2 })
    expect(some.results).toEqual(all.results.slice(0, 2))
    expect(some.matches).toBe(all.results.length)
    expect(all.results.map(({ score }) => score)).toEqual(
      all.results.map(({ score }) => score).toSorted((a, b) => b - a),
    )
  })

  it.each([0, 6])('reads bodies as they were sent, from WARC files of level %d', async (warcLevel) => {
    const codings = { '/': ['gzip', gzipSync], '/b': ['br', brotliCompressSync] } as const
    const server = createServer((request, response) => {
      const [coding, pack] = codings[request.url as '/'] ?? codings['/']
      const body = html(`Coded ${request.url}`, `<a href="/b">next</a> cassowary ${own(30)} ${request.url}`)
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end(pack(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const seeds = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`]
    const coded = join(folder, `coded-${warcLevel}`)
    const options = { wait: 0, pages: 2, allowPrivate: true, threads: 1, nearDuplicates: false as const }
    await crawl({ ...options, seeds, out: coded, warcLevel }).run()
    server.closeAllConnections()
    server.close()
    expect((await searchCrawl(coded, 'cassowary')).results.map(({ title }) => title).toSorted()).toEqual([
      'Coded /',
      'Coded /b',
    ])
  })

  it.each([
    ['', {}, /"" has no words to search for/],
    ['?! --', {}, /"\?! --" has no words to search for/],
    [Array.from({ length: 51 }, (_, i) => `w${i}`).join(' '), {}, /51 words are too many/],
    ['x', { language: 'klingon' }, /no stems for the language "klingon"/],
    ['x', { limit: 0 }, /Option limit of search is a number, 0\. Expected a whole number of at least 1/],
    [
      'x',
      { rankWeight: -1 },
      /Option rankWeight of search is a number, -1\. Expected a number of at least 0/,
    ],
  ])('refuses %j with %j', async (words, options, message) => {
    await expect(search(words, options)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
    })
  })
})

describe('rankward search', () => {
  it('shows title, URL, snippet and the parts of the score', async () => {
    const { stdout, stderr, exitCode } = await rankward(['search', 'crawl', 'wombats'], folder)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(
      /^2 of \d+ pages have: wombats \(English stems\)\n\n1 {2}Wombats of the south\n {3}http:/,
    )
    expect(stdout).toMatch(/\n {3}score [\d.]+ · text [\d.]+ · PageRank 0\.\d+ · depth 1\n\n2 {2}Animals\n/)
    expect(stdout).toMatch(/among them a wombat\n/)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('says if no page has all words, and if there are no matches', async () => {
    const fallback = await rankward(['search', 'crawl', 'wombat', 'platypus', '--limit', '1'], folder)
    expect(fallback.stdout).toMatch(
      /^No page has all of: wombat, platypus \(English stems\)\. 4 of \d+ pages have some\.\n/,
    )
    expect(fallback.stdout).toMatch(/\n… and 3 more pages \(--limit\)\n$/)
    const none = await rankward(
      ['search', 'crawl', 'wombat', 'platypus', '--all', '--language', 'none'],
      folder,
    )
    expect(none).toMatchObject({ stderr: '', exitCode: 0 })
    expect(none.stdout).toMatch(/^None of \d+ pages has all of: wombat, platypus\n$/)
    const untitled = await rankward(['search', 'crawl', 'kookaburra'], folder)
    expect(untitled.stdout).toMatch(/\n1 {2}http:\S+\/untitled\n {3}kookaburra /)
  })

  it('prints one JSON document', async () => {
    const found = await rankwardJson<SearchResults & { folder: string }>(
      ['search', 'crawl', '"solar energy"', 'of', '--limit', '5', '--rank-weight', '0', '--language', 'none'],
      folder,
    )
    expect(found).toMatchObject({ folder: 'crawl', query: '"solar energy" of', match: 'all', matches: 1 })
    expect(Object.keys(found.results[0])).toEqual(
      'url title snippet found score bm25 pageRank depth copies'.split(' '),
    )
  })

  it('keeps control characters of pages away from the terminal', async () => {
    const text = await rankward(['search', 'crawl', 'dingo'], folder)
    const json = await rankward(['search', 'crawl', 'dingo', '--json'], folder)
    for (const { stdout } of [text, json]) {
      expect(stdout).toContain('Evil ')
      // oxlint-disable-next-line no-control-regex -- control characters must be replaced
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e]/)
    }
    expect(text.stdout).toContain('\\x1b[31mred')
  })

  it('refuses impossible options in one line', async () => {
    const refused = async (...args: string[]) => rankward(['search', ...args], folder)
    expectRefusal(await refused('nowhere', 'x'), 2, /nowhere holds no crawl/)
    expectRefusal(await refused('crawl'), 2, /Expected words to search for/)
    expectRefusal(await refused('crawl', '...'), 2, /no words to search for/)
    expectRefusal(await refused('crawl', 'x', '--limit', '0'), 2, /whole number of at least 1/)
    expectRefusal(await refused('crawl', 'x', '--rank-weight', 'much'), 2, /Expected a number of at least 0/)
    expectRefusal(await refused('crawl', 'x', '--all', '--any'), 2, /cannot be used with/)
    expectRefusal(await refused('crawl', 'x', '--language', 'englsh'), 2, /Did you mean english\?/)
    mkdirSync(join(folder, 'no-crawl'))
    expectRefusal(await refused('no-crawl', 'x'), 2, /holds no crawl/)
    writeFileSync(join(folder, 'no-crawl', 'crawl.json'), '{')
    expectRefusal(await refused('no-crawl', 'x'), 2, /is damaged/)
  })

  it('says why a crawl without an archive cannot be searched, and when a WARC file is gone', async () => {
    const served = await serveSmall({ '127.1.0.2': { '/': html('Home', 'wombat') } })
    const seeds = [served.url('127.1.0.2/')]
    const options = { seeds, wait: 0, allowPrivate: true, threads: 1 }
    await crawl({ ...options, out: join(folder, 'bare'), warc: false }).run()
    await crawl({ ...options, out: join(folder, 'gone') }).run()
    await served.close()
    expectRefusal(
      await rankward(['search', 'bare', 'x'], folder),
      2,
      /has no archived pages to search \(warc is off\)/,
    )
    rmSync(join(folder, 'gone', 'warc', 'rankward-0-00000.warc.gz'))
    expectRefusal(
      await rankward(['search', 'gone', 'x'], folder),
      1,
      /Cannot read .*rankward-0-00000\.warc\.gz/,
    )
  })

  it('finds nothing in a crawl that got nothing', async () => {
    const served = await serveSmall({ '127.1.0.3': { '/': { status: 500, body: 'broken' } } })
    const seeds = [served.url('127.1.0.3/')]
    const made = crawl({
      seeds,
      out: join(folder, 'empty'),
      wait: 0,
      allowPrivate: true,
      threads: 1,
      attempts: 1,
    })
    await made.run().catch(() => {})
    await served.close()
    const { stdout, exitCode } = await rankward(['search', 'empty', 'x'], folder)
    expect({ stdout, exitCode }).toEqual({ stdout: 'The crawl has no pages to search.\n', exitCode: 0 })
  })
})
