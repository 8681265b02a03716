/**
 * Time and memory of a search, without the index and with it, and of building the index.
 *
 *   npm run bench -- search [--pages 50673]   pages of uci-ics, evenly spaced, crawled over loopback;
 *                                             a generated web if they are absent
 *   npm run bench -- search --crawl DIR       a crawl of yours, whose index is kept
 *
 * Each search is a separate process, the command as users run it. So is each search of the same
 * words in SQLite's FTS5, compiled to WebAssembly, which is built in this process. `small`: 300 pages of a generated web.
 */
import { spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress, gzipSync } from 'node:zlib'
import { crawl } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { WholeCrawl } from '../src/crawler/read/whole-crawl.ts'
import { warcNaming } from '../src/crawler/record/warc-name.ts'
import { PageArchive } from '../src/crawler/read/page-archive.ts'
import { PageTextReader } from '../src/web/html/page-text.ts'
import { wordsOf } from '../src/web/text/words.ts'
import { RecordedPages } from '../src/crawler/parts/search/recorded-pages.ts'
import type { SearchResults } from '../src/crawler/parts/search/search.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { markdownTable, numberOption, realPath, tell, textOption } from './webs.ts'

const pagesOfFile = 50_673
const built = ['../src/cli/main.js', '../dist/bundle/main.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
/**
 * The last output of the search process: CPU time, and its peak memory if /proc has it (maxRSS includes the
 * parent's).
 */
const tellCost = `
import { existsSync, readFileSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const peakKb = Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
  process.stderr.write(JSON.stringify({ cpuSeconds: (user + system) / 1e6, peakBytes: 1024 * peakKb }))
})`

const searches = [
  ['one word', 'river', '--language', 'none'],
  ['two words, stems', 'learning', 'machines', '--language', 'en'],
  ['a row of words, stems', '"computer science" river', '--language', 'en'],
  ['the commonest word', 'the', '--language', 'none'],
]

export const searchBenchmark: Benchmark = async (size) => {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-search-'))
  try {
    const path = size === 'small' ? undefined : realPath('uci-ics.pages.jsonl.br')
    const pages = size === 'small' ? 300 : numberOption('pages', 10_000)
    const given = size === 'small' ? undefined : textOption('crawl')
    const out = given ?? join(folder, 'crawl')
    if (given === undefined) {
      if (path === undefined) await crawlGenerated(out, pages)
      else await crawlReal(out, path, pages)
    }
    const scanned = searches.map(([name, ...args]) =>
      searched(`${name}, no index`, [out, ...args, '--no-index']),
    )
    const [, ...first] = searches[0]
    const building = searched('the first search, which builds the index', [out, ...first])
    // The first search with stems makes their index.
    searched('', [out, 'x', '--language', 'en'])
    const indexed = searches.map(([name, ...args]) => searched(`${name}, index`, [out, ...args]))
    const fts5 = await searchedByFts5(out, join(folder, 'fts5.db'))
    const found = [...scanned, building, ...indexed, ...fts5.searched]
    const rows = found.map(({ row }) => row)
    if (size === 'full') {
      console.log(`\n${markdownTable(rows)}\n`)
      const share = (bytes: number): string =>
        `${(bytes / 1e6).toFixed(1)} MB, ${((100 * bytes) / fts5.textBytes).toFixed(1)}%`
      tell(
        `text ${share(fts5.textBytes)}; index ${share(indexBytes(join(out, 'search-index')))}; FTS5 ${share(fts5.bytes)}, ${share(fts5.bytesBefore)} before it was optimised`,
      )
    }
    return { rows, check: found.reduce((sum, { matches }) => sum + matches, 0) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function indexBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

interface Fts5 {
  readonly searched: readonly Searched[]
  /** UTF-8 bytes of the titles and texts that are indexed. */
  readonly textBytes: number
  readonly bytes: number
  readonly bytesBefore: number
}

/** Words as ours, positions, no texts; deletable, as new versions of pages need. */
async function searchedByFts5(crawlPath: string, path: string): Promise<Fts5> {
  const { default: sqlite } = await import('node-sqlite3-wasm')
  const db = new sqlite.Database(path)
  const crawled = WholeCrawl.open(crawlPath)
  const read = await crawled.read()
  const { columns, files } = new RecordedPages(read, warcNaming(crawled.folder.file.options))
  const reader = new PageTextReader()
  let textBytes = 0
  const start = process.cpuUsage()
  db.exec(`pragma journal_mode = off; pragma cache_size = -65536;
    create virtual table pages using fts5(title, text, content = '', contentless_delete = 1, tokenize = 'ascii');
    insert into pages(pages, rank) values ('hashsize', ${1 << 24}); begin`)
  const insert = db.prepare('insert into pages (rowid, title, text) values (?, ?, ?)')
  const rows = Uint32Array.from(columns.page.keys())
  for (const [row, body] of new PageArchive(crawled.folder).responses(columns, files, rows)) {
    const { title = '', text = '' } = reader.read(body) ?? {}
    textBytes += Buffer.byteLength(title) + Buffer.byteLength(text)
    insert.run([row + 1, wordsOf(title).join(' '), wordsOf(text).join(' ')])
  }
  insert.finalize()
  db.exec('commit')
  const bytesBefore = statSync(path).size
  db.exec(`insert into pages(pages) values ('optimize'); vacuum`)
  const { user, system } = process.cpuUsage(start)
  db.close()
  read.close()
  const building = {
    search: 'FTS5: building',
    'pages found': rows.length,
    'CPU seconds': (user + system) / 1e6,
  }
  const ranked = 'select rowid from pages where pages match ? order by bm25(pages, 2, 1)'
  const counted = 'select doc, col, count(*) from temp.words where term = ? group by doc, col'
  const queries: [string, string, string][] = [
    ['one word', ranked, '"river"'],
    ['two words', ranked, '"learning" "machines"'],
    ['a row of words', ranked, '"computer science" "river"'],
    ['the commonest word', ranked, '"the"'],
    ['the commonest word, with the counts that BM25+ needs', counted, 'the'],
  ]
  const searched = queries.map(([name, sql, words]) => queriedByFts5(`FTS5: ${name}`, path, sql, words))
  const bytes = statSync(path).size
  return { searched: [{ row: building, matches: rows.length }, ...searched], textBytes, bytes, bytesBefore }
}

/** Without the rest of a search: start of the command, PageRank, texts and snippets. */
function queriedByFts5(name: string, path: string, sql: string, words: string): Searched {
  const library = createRequire(import.meta.url).resolve('node-sqlite3-wasm')
  const program = `
    const { Database } = require(${JSON.stringify(library)})
    const db = new Database(${JSON.stringify(path)}, { readOnly: true })
    db.exec("create virtual table temp.words using fts5vocab('main', 'pages', 'instance')")
    console.log(JSON.stringify({ matches: db.all(${JSON.stringify(sql)}, ${JSON.stringify(words)}).length }))`
  return measured(name, ['-e', program])
}

interface Searched {
  readonly row: Record<string, string | number>
  readonly matches: number
}

function searched(name: string, args: readonly string[]): Searched {
  const program = built.find((path) => existsSync(path))!
  return measured(name, [program, 'search', ...args, '--json', '--no-progress'])
}

/** Runs a program that prints its result as JSON. */
function measured(name: string, args: readonly string[]): Searched {
  const start = process.hrtime.bigint()
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tellCost)}`, ...args],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (status !== 0) throw new Error(stderr)
  const { pages, matches } = JSON.parse(stdout) as Pick<SearchResults, 'matches'> & Partial<SearchResults>
  const { cpuSeconds, peakBytes } = JSON.parse(stderr) as { cpuSeconds: number; peakBytes: number }
  const row = {
    search: name,
    ...(pages === undefined ? {} : { pages }),
    'pages found': matches,
    seconds: Number(seconds.toFixed(2)),
    'CPU seconds': Number(cpuSeconds.toFixed(2)),
    'peak RSS, MB': Math.round(peakBytes / 1e6),
  }
  return { row, matches }
}

async function crawlGenerated(out: string, pages: number): Promise<void> {
  const web = syntheticGraph({ pages, sites: 8, seed: 1 })
  const served = await serveWeb(web)
  const seeds = [served.urlOf(bestSeed(web.graph).seed)]
  await crawl({ seeds, out, scope: 'any', wait: 0, allowPrivate: true, threads: 1 }).run()
  await served.close()
}

/** All pages are seeds, under their own names; their links lead out of the crawl. */
async function crawlReal(out: string, path: string, pages: number): Promise<void> {
  const bodies: Buffer[] = []
  const step = Math.max(1, Math.floor(pagesOfFile / pages))
  let line = 0
  for await (const text of createInterface({
    input: createReadStream(path).pipe(createBrotliDecompress()),
  })) {
    if (line++ % step === 0 && bodies.length < pages) {
      bodies.push(gzipSync((JSON.parse(text) as { content: string }).content, { level: 1 }))
    }
  }
  tell(`${bodies.length} pages are read; now they are crawled.`)
  const server = createServer((request, response) => {
    const body = bodies[Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)]
    if (body === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
        .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const seeds = bodies.map((_, i) => `${origin}/p/${i}`)
  const include = [`${origin}/p/**`]
  const totals = await crawl({
    seeds,
    out,
    include,
    wait: 0,
    allowPrivate: true,
    strategy: 'breadth-first',
    pages: seeds.length,
  }).run()
  server.closeAllConnections()
  server.close()
  const bytes = totals.warcFiles.reduce((sum, name) => sum + statSync(join(out, 'warc', name)).size, 0)
  tell(`${totals.pages} pages, ${Math.round(totals.bytes / 1e6)} MB, ${Math.round(bytes / 1e6)} MB of WARC`)
}

await benchmarkMain(import.meta.url, searchBenchmark)
