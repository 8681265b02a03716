/**
 * Whether main content helps: search, near-duplicates and topics by whole texts and by main content, on the pages of uci-ics.
 *
 *   npm run bench -- content-uses [--pages 10000] [--queries 600] [--show 0]
 *
 * Search: a query is the anchor text of a link, and the page that it leads to is the answer: known-item search, judged by those who wrote
 * the links. Anchors of 2 to 6 words that lead to one page only, one for each answer; those of other hosts first. MRR: mean of 1/rank, 0
 * beyond the tenth. Near-duplicates: as a crawl finds them; --show prints pairs that only one of both finds, to be judged by hand.
 * Topics: the words of the benchmark `topics`. A page is on a topic if its title or the anchor of a link to it has the word; how well do
 * occurrences in its text say so? The small size has made-up pages whose menus have all titles.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContentsReader } from '../src/crawler/audit/page-contents.ts'
import { newColumns } from '../src/crawler/parts/search/columns.ts'
import { SegmentBuilder } from '../src/crawler/parts/search/index/segment-builder.ts'
import { SegmentReader } from '../src/crawler/parts/search/index/segment.ts'
import { TermStems } from '../src/crawler/parts/search/index/term-stems.ts'
import { countUnits } from '../src/crawler/parts/search/index/unit-counts.ts'
import { otherText, pageColumns } from '../src/crawler/parts/search/page-table.ts'
import { Query } from '../src/crawler/parts/search/query.ts'
import { Ranking } from '../src/crawler/parts/search/ranking.ts'
import { pageSnippet, snippetOf, wordsMarked, type Snippet } from '../src/crawler/parts/search/snippet.ts'
import { hostOf } from '../src/lib/host.ts'
import { ContentReader } from '../src/web/content/content-reader.ts'
import { SiteTemplates } from '../src/web/content/site-template.ts'
import { PageTextReader } from '../src/web/html/page-text.ts'
import { NearIndex } from '../src/web/near/near-index.ts'
import { ShingleReader } from '../src/web/near/shingles.ts'
import { WordHashes } from '../src/web/text/word-hashes.ts'
import { Sketcher } from '../src/web/near/sketch.ts'
import { loadStemmer } from '../src/web/text/stem.ts'
import { wordsOf } from '../src/web/text/words.ts'
import { defaultRules } from '../src/web/url/canonical-rules.ts'
import { canonicalUrl } from '../src/web/url/canonical-url.ts'
import { siteOf } from '../src/web/url/site.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { uciPagesIn } from './content/pages.ts'
import { jaccardOf } from './exact-pairs.ts'
import { uciTopics } from './topics/test-webs.ts'
import { numberOption, realPath, tell } from './webs.ts'

interface StoredPage {
  readonly url: string
  readonly html: string
}

/** A page with its texts. */
interface ReadPage {
  readonly url: string
  readonly title: string
  readonly whole: string
  readonly main: string
  /** By the page alone, without the frame of its site. */
  readonly alone: string
}

interface KnownItem {
  readonly query: string
  readonly page: number
}

type Row = BenchmarkResult['rows'][number]
type Stored = () => AsyncIterable<StoredPage> | Iterable<StoredPage>

const runPages = 250
const nearThreshold = 0.9

export const contentUsesBenchmark: Benchmark = async (size) => {
  const stored = size === 'small' ? () => madeUp() : uciIcs(numberOption('pages', 10_000))
  const { pages, items, named } = await read(stored, size === 'small' ? 20 : numberOption('queries', 600))
  tell(`${pages.length} pages, ${items.length} queries`)
  const rows = [
    ...(await searched(pages, items)),
    ...nearDuplicates(pages, numberOption('show', 0)),
    ...onTopics(pages, named, size === 'small' ? ['topic1', 'topic2'] : uciTopics),
  ]
  return { rows, check: rows.reduce((sum, row) => sum + Number(row['MRR'] ?? row['found'] ?? 0), 0) }
}

function uciIcs(wanted: number): Stored {
  const path = realPath('uci-ics.pages.jsonl.br')
  if (path === undefined) throw new Error('The pages of uci-ics are not beside the checkout.')
  return () => uciPagesIn(path, wanted, runPages)
}

/** The menu of every page has all titles; the text has that of its own. */
function* madeUp(): Generator<StoredPage> {
  const count = 40
  const menu = Array.from({ length: count }, (_, i) => `<li><a href="/p${i}">amber topic${i}</a></li>`).join(
    '',
  )
  for (let page = 0; page < count; page++) {
    const text = Array.from({ length: 60 }, (_, i) => `word${page}x${i % 31}`).join(' ')
    const html = `<!doctype html><title>Page</title><nav><ul>${menu}</ul></nav>
      <main><p>The amber topic${page} is explained here, at some length: ${text}.</p><p>${text}, and more of it.</p></main>`
    yield { url: `http://made.example/p${page}`, html }
  }
}

async function read(
  stored: Stored,
  queries: number,
): Promise<{
  readonly pages: readonly ReadPage[]
  readonly items: readonly KnownItem[]
  /** By URL: the words of the anchors that lead there. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
}> {
  const content = new ContentReader()
  const templates = new SiteTemplates()
  for await (const { url, html } of stored()) {
    const site = siteOf(url) ?? ''
    if (!templates.isCounting(site)) continue
    content.readBlocks(html)
    templates.add(site, content.scan)
  }
  const cost = { whole: new CpuTime(), main: new CpuTime() }
  const reader = new PageTextReader()
  const links = new ContentsReader(defaultRules)
  const pages: ReadPage[] = []
  const pageOf = new Map<string, number>()
  /** By anchor: the pages that it leads to, and whether another host has the link. */
  const anchors = new Map<string, Map<string, boolean>>()
  const named = new Map<string, Set<string>>()
  for await (const { url, html } of stored()) {
    const body = { contentType: 'text/html; charset=utf-8', body: Buffer.from(html), isCoded: false }
    const text = cost.whole.of(() => reader.read(body))
    if (text === undefined) continue
    const alone = cost.main.of(() => {
      content.read(html, url)
      return content.text()
    })
    content.read(html, url, templates.of(siteOf(url) ?? ''))
    const self = canonicalUrl(url, undefined, defaultRules) ?? url
    pageOf.set(self, pages.length)
    pages.push({ url: self, title: text.title, whole: text.text, main: content.text(), alone })
    links.read(url, body, ({ url: target, anchor }) => {
      const words = wordsOf(anchor())
      if (target !== self) {
        const names = named.get(target) ?? new Set()
        for (const word of words) names.add(word)
        named.set(target, names)
      }
      if (words.length < 2 || words.length > 6 || target === self) return
      const query = words.join(' ')
      const targets = anchors.get(query) ?? new Map<string, boolean>()
      targets.set(target, targets.get(target) === true || hostOf(target) !== hostOf(self))
      anchors.set(query, targets)
    })
  }
  const best = new Map<number, KnownItem & { readonly isForeign: boolean }>()
  for (const [query, targets] of anchors) {
    const [[target, isForeign]] = targets
    const page = targets.size === 1 ? pageOf.get(target) : undefined
    if (page === undefined || best.get(page)?.isForeign === true) continue
    if (isForeign || !best.has(page)) best.set(page, { query, page, isForeign })
  }
  const items = [...best.values()].toSorted((a, b) => a.page - b.page)
  const foreign = items.filter(({ isForeign }) => isForeign).slice(0, queries / 2)
  const own = items.filter(({ isForeign }) => !isForeign)
  const rest = Math.min(own.length, queries - foreign.length)
  const spread = Array.from({ length: rest }, (_, i) => own[Math.floor((i * own.length) / rest)])
  tell(
    `CPU: whole text ${cost.whole.ms(pages.length)} ms a page, main content ${cost.main.ms(pages.length)} ms`,
  )
  tell(`${foreign.length} anchors on other hosts, ${spread.length} on the same host`)
  return { pages, items: [...foreign, ...spread], named }
}

class CpuTime {
  #micros = 0

  of<Result>(run: () => Result): Result {
    const start = process.cpuUsage()
    const result = run()
    const { user, system } = process.cpuUsage(start)
    this.#micros += user + system
    return result
  }

  ms(count: number): number {
    return Math.round(this.#micros / count) / 1000
  }
}

async function searched(pages: readonly ReadPage[], items: readonly KnownItem[]): Promise<Row[]> {
  const stem = await loadStemmer('en')
  const folder = mkdtempSync(join(tmpdir(), 'rankward-content-uses-'))
  const forms: Readonly<Record<string, (page: ReadPage) => string>> = {
    'whole text': ({ whole }) => whole,
    'main content': ({ main }) => main,
    'main content twice': ({ whole, main }) => `${whole} ${main}`,
    'main content four times': ({ whole, main }) => `${whole} ${main} ${main} ${main}`,
  }
  const rows: Row[] = []
  try {
    for (const [form, textOf] of Object.entries(forms)) {
      const builder = new SegmentBuilder({ tokens: Infinity, terms: Infinity })
      const columns = newColumns(pageColumns, pages.length)
      for (const [row, page] of pages.entries()) {
        columns.page[row] = columns.original[row] = columns.document[row] = row
        columns.pageRank[row] = columns.kind[row] = 1
        const words = { title: wordsOf(page.title), text: wordsOf(textOf(page)) }
        columns.titleWords[row] = new Set(words.title).size
        columns.textWords[row] = new Set(words.text).size
        builder.add({ file: 0, offset: row, kind: otherText, ...words })
      }
      const path = join(folder, form)
      const segment = new SegmentReader(path, await builder.write(path))
      const stems = [await TermStems.build(segment, stem)]
      const table = { count: pages.length, columns, files: [], lowest: 1, highest: 1, url: String }
      const all = Uint32Array.from(columns.page)
      let [reciprocal, first, ten] = [0, 0, 0]
      const snippets = { whole: new SnippetCounts(), alone: new SnippetCounts() }
      for (const { query: text, page } of items) {
        const query = new Query(text, stem)
        const ranking = new Ranking(table, all, query, countUnits(query, [segment], stems, columns, all), 0)
        const { best } = ranking.ranked('any', 10)
        const rank = best.findIndex(({ row }) => row === page) + 1
        for (const { row } of form === 'whole text' ? best : []) {
          snippets.whole.add(snippetOf(pages[row].whole, query), pages[row])
          snippets.alone.add(pageSnippet(pages[row].alone, pages[row].whole, query), pages[row])
        }
        if (rank > 0) reciprocal += 1 / rank
        first += Number(rank === 1)
        ten += Number(rank > 0)
      }
      segment.close()
      const share = (count: number): number => Math.round((1000 * count) / items.length) / 1000
      rows.push({ searched: form, MRR: share(reciprocal), first: share(first), 'first ten': share(ten) })
      if (form !== 'whole text') continue
      rows.push({ snippets: 'of the whole text', ...snippets.whole.row() })
      rows.push({ snippets: 'of main content, if it has as many of the words', ...snippets.alone.row() })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return rows
}

/** How many snippets are mostly frame: less than half of their runs of three words are in the main content. */
class SnippetCounts {
  #all = 0
  #frame = 0
  #words = 0

  add(snippet: Snippet, { main }: ReadPage): void {
    const content = ` ${wordsOf(main).join(' ')} `
    const words = wordsOf(snippet.text)
    const runs = words.slice(2).map((_, i) => ` ${words.slice(i, i + 3).join(' ')} `)
    this.#all++
    this.#words += wordsMarked(snippet)
    if (runs.filter((run) => content.includes(run)).length < runs.length / 2) this.#frame++
  }

  row(): Row {
    const share = (count: number): number => Math.round((1000 * count) / this.#all) / 1000
    return { results: this.#all, 'mostly frame': share(this.#frame), 'words marked': share(this.#words) }
  }
}

/** Pages that a crawl would call near-duplicates of an earlier one. Texts equal to an earlier one are left out. */
function nearDuplicates(pages: readonly ReadPage[], shown: number): Row[] {
  const words = new WordHashes()
  const shingles = new ShingleReader()
  const setOf = (text: string): Uint32Array => {
    const bytes = Buffer.from(text)
    shingles.read(words.readAll(bytes))
    return Uint32Array.from(new Set(shingles.hashes.subarray(0, shingles.count))).sort()
  }
  const texts = new Set<string>()
  const different = pages.filter(({ whole }) => whole !== '' && texts.size < texts.add(whole).size)
  const sets = {
    whole: different.map(({ whole }) => setOf(whole)),
    main: different.map(({ main }) => setOf(main)),
  }
  const found = { whole: nearPairs(sets.whole), main: nearPairs(sets.main) }
  return (['whole', 'main'] as const).map((form) => {
    const other = form === 'whole' ? 'main' : 'whole'
    const pairs = [...found[form]]
    const like = pairs.map(([a, b]) => jaccardOf(sets[other][a], sets[other][b]))
    const alone = pairs.filter((_, i) => like[i] < 0.5)
    const step = Math.max(1, Math.floor(alone.length / Math.max(1, shown)))
    for (const [a, b] of alone.filter((_, i) => i % step === 0).slice(0, shown))
      tell(`by ${form} only:\n  ${different[a].url}\n  ${different[b].url}`)
    return {
      compared: form === 'whole' ? 'whole text' : 'main content',
      pages: different.length,
      found: pairs.length,
      'other text less than half alike': alone.length,
      'no sketch': sets[form].filter(
        (set) => new Sketcher(nearThreshold).sketch(set, set.length) === undefined,
      ).length,
    }
  })
}

/** By page: the earlier page that it is nearly a copy of. */
function nearPairs(sets: readonly Uint32Array[]): ReadonlyMap<number, number> {
  const sketcher = new Sketcher(nearThreshold)
  const index = new NearIndex({ threshold: nearThreshold })
  const pairs = new Map<number, number>()
  for (const [page, set] of sets.entries()) {
    const sketch = sketcher.sketch(set, set.length)
    if (sketch === undefined) continue
    const original = index.find(sketch)
    if (original < 0) index.add(page, sketch)
    else pairs.set(page, original)
  }
  return pairs
}

/** How well the occurrences of a word in a page's text say that the page is named by it. */
function onTopics(
  pages: readonly ReadPage[],
  named: ReadonlyMap<string, ReadonlySet<string>>,
  topics: readonly string[],
): Row[] {
  const forms = { 'whole text': 'whole', 'main content': 'main' } as const
  const titles = pages.map(({ url, title }) => new Set([...wordsOf(title), ...(named.get(url) ?? [])]))
  return Object.entries(forms).map(([form, key]) => {
    const counts = pages.map((page) => {
      const ofPage = new Map<string, number>()
      for (const word of wordsOf(page[key])) ofPage.set(word, (ofPage.get(word) ?? 0) + 1)
      return ofPage
    })
    let [precision, judged] = [0, 0]
    const f1 = new Float64Array(occurrencesMax + 1)
    for (const topic of topics) {
      const truth = titles.map((words) => words.has(topic))
      const found = counts.map((ofPage) => ofPage.get(topic) ?? 0)
      const all = truth.filter(Boolean).length
      if (all === 0) continue
      judged++
      precision += averagePrecision(truth, found, all)
      for (let least = 1; least <= occurrencesMax; least++) {
        const hits = found.filter((count, i) => count >= least && truth[i]).length
        f1[least] += (2 * hits) / (all + found.filter((count) => count >= least).length)
      }
    }
    const share = (sum: number): number => Math.round((1000 * sum) / judged) / 1000
    const best = f1.indexOf(Math.max(...f1))
    return {
      'on topic by': form,
      topics: judged,
      'average precision': share(precision),
      'F1 at 10': share(f1[10]),
      'best F1': share(f1[best]),
      'at occurrences': best,
    }
  })
}

const occurrencesMax = 20

/** Of pages by occurrences; equal ones count with their mean order. */
function averagePrecision(truth: readonly boolean[], found: readonly number[], all: number): number {
  const levels = [...new Set(found)].filter((count) => count > 0).toSorted((a, b) => b - a)
  let [hits, taken, sum] = [0, 0, 0]
  for (const level of levels) {
    const at = found.flatMap((count, i) => (count === level ? [i] : []))
    const right = at.filter((i) => truth[i]).length
    hits += right
    taken += at.length
    sum += right * (hits / taken)
  }
  return sum / all
}

await benchmarkMain(import.meta.url, contentUsesBenchmark)
