/**
 * Compares hand-written code with libraries for the same task. docs/internals/dependencies.md has the decisions.
 *
 *   npm run bench -- hand-written [--pages 3000]   pages of uci-ics if present, generated pages otherwise
 *
 * Both sides read the same input and must give the same results; if the results cannot be equal
 * (fingerprints), a property of them is compared.
 */
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { normalizeEncoding } from '@exodus/bytes/encoding.js'
import { SaxesParser } from 'saxes'
import xxhash from 'xxhash-wasm'
import { assert } from '../src/lib/assert.ts'
import { fingerprint } from '../src/lib/fingerprint.ts'
import { prescan } from '../src/web/charset/sniffing.ts'
import { decodedText, XmlScanner } from '../src/web/sitemap/xml-scanner.ts'
import { benchmarkMain, bestSeconds, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption, realPath } from './webs.ts'

type Row = BenchmarkResult['rows'][number]

interface Comparison {
  readonly task: string
  readonly library: string
  /** The amount of input per pass, in `unit`. */
  readonly amount: number
  readonly unit: string
  /** One pass over the input; both return the same number. */
  readonly ours: () => number
  readonly theirs: () => number
}

export const handWrittenBenchmark: Benchmark = async (size) => {
  const path = size === 'full' ? realPath('uci-ics.pages.jsonl.br') : undefined
  const pages =
    path === undefined
      ? generatedPages(size === 'full' ? 3000 : 50)
      : await realPages(path, numberOption('pages', 3000))
  const comparisons = [
    prescanComparison(pages),
    sitemapComparison('sitemap XML, in chunks of 64 KiB', sitemapOf(size === 'full' ? 50_000 : 500)),
    sitemapComparison('unfinished tags, in chunks of 64 KiB', '<a'.repeat(size === 'full' ? 4000 : 200)),
    await fingerprintComparison(pages),
  ]
  const rows: Row[] = []
  let check = 0
  for (const comparison of comparisons) {
    const { row, result } = await compared(comparison, size === 'full' ? 30 : 1)
    rows.push(row)
    check += result
  }
  return { rows, check }
}

/** The two alternate, so that a busy machine slows both. */
async function compared(
  { task, library, amount, unit, ours, theirs }: Comparison,
  rounds: number,
): Promise<{ row: Row; result: number }> {
  const result = ours()
  assert(result === theirs(), `${task}: ours and ${library} give different results`)
  let oursSeconds = Infinity
  let theirSeconds = Infinity
  for (let round = 0; round < rounds; round++) {
    oursSeconds = Math.min(oursSeconds, await bestSeconds(1, ours))
    theirSeconds = Math.min(theirSeconds, await bestSeconds(1, theirs))
  }
  const row = {
    task,
    library,
    unit,
    ours: (amount / oursSeconds).toPrecision(3),
    theirs: (amount / theirSeconds).toPrecision(3),
    'times as fast': (theirSeconds / oursSeconds).toFixed(2),
  }
  return { row, result }
}

/** A sum that depends on every character of the texts and its position. */
function textCheck(text: string): number {
  let sum = text.length
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  return sum >>> 0
}

/** The library has no types. */
const sniff = createRequire(import.meta.url)('html-encoding-sniffer') as (
  bytes: Uint8Array,
  options: { defaultEncoding: string },
) => string

/** Excludes pages that begin with an XML declaration: the library does not read the encoding in it. */
function prescanComparison(pages: readonly string[]): Comparison {
  const bodies = pages.filter((page) => !page.startsWith('<?xml')).map((page) => Buffer.from(page))
  const ours = (bytes: Uint8Array): string => prescan(bytes, normalizeEncoding) ?? ''
  const theirs = (bytes: Uint8Array): string => sniff(bytes, { defaultEncoding: '' })
  for (const bytes of bodies) assert(ours(bytes) === theirs(bytes).toLowerCase(), 'two encodings of one page')
  return {
    task: 'encoding that a page declares',
    library: 'html-encoding-sniffer',
    amount: bodies.length / 1e6,
    unit: 'million pages a second',
    ours: () => bodies.reduce((sum, bytes) => sum + ours(bytes).length, 0),
    theirs: () => bodies.reduce((sum, bytes) => sum + theirs(bytes).length, 0),
  }
}

/** The same consumer for both: the text of every `loc` and `lastmod`. */
class Locations {
  check = 0
  #text: string | undefined
  readonly #decoded: (text: string) => string

  /** Our scanner leaves references in the text undecoded, since a chunk may end inside one. */
  constructor(decoded: (text: string) => string = (text) => text) {
    this.#decoded = decoded
  }

  open(name: string): void {
    this.#text = name === 'loc' || name === 'lastmod' ? '' : undefined
  }

  text(text: string): void {
    if (this.#text !== undefined) this.#text += text
  }

  close(): void {
    if (this.#text !== undefined)
      this.check = (Math.imul(this.check, 31) + textCheck(this.#decoded(this.#text))) >>> 0
    this.#text = undefined
  }
}

function sitemapOf(urls: number): string {
  const entries = Array.from(
    { length: urls },
    (_, i) =>
      `  <url>\n    <loc>https://www.example.org/shop/product?id=${i}&amp;category=${i % 97}</loc>\n` +
      `    <lastmod>2026-${String((i % 12) + 1).padStart(2, '0')}-15T10:00:00+00:00</lastmod>\n    <priority>0.5</priority>\n  </url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

function sitemapComparison(task: string, xml: string): Comparison {
  const chunks = Array.from({ length: Math.ceil(xml.length / 65_536) }, (_, i) =>
    Buffer.from(xml.slice(i * 65_536, (i + 1) * 65_536)).toString(),
  )
  return {
    task,
    library: 'saxes',
    amount: xml.length / 1e6,
    unit: 'million characters a second',
    ours: () => {
      const locations = new Locations(decodedText)
      const scanner = new XmlScanner({
        open: (name) => locations.open(name),
        text: (written) => locations.text(written),
        cdata: (text) => locations.text(text),
        close: () => locations.close(),
      })
      for (const chunk of chunks) scanner.push(chunk)
      scanner.end()
      return locations.check
    },
    theirs: () => {
      const locations = new Locations()
      const parser = new SaxesParser()
      parser.on('error', () => {})
      parser.on('opentag', ({ name }) => locations.open(name))
      parser.on('text', (text) => locations.text(text))
      parser.on('cdata', (text) => locations.text(text))
      parser.on('closetag', () => locations.close())
      for (const chunk of chunks) parser.write(chunk)
      parser.close()
      return locations.check
    },
  }
}

/** Both must distinguish all URLs. Strings are newly created, as those of links are. */
async function fingerprintComparison(pages: readonly string[]): Promise<Comparison> {
  const hasher = await xxhash()
  const urls = pages
    .flatMap((page, i) =>
      [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => `https://www.example.org/${i % 20}/${link}`),
    )
    .slice(0, 100_000)
  const bytes = urls.map((url) => Buffer.from(url))
  const out = new Uint32Array(2 * urls.length)
  const distinct = (): number => {
    const keys = new Set<bigint>()
    for (let i = 0; i < out.length; i += 2) keys.add((BigInt(out[i + 1]) << 32n) | BigInt(out[i]))
    return keys.size
  }
  const ours = (): number => {
    for (let i = 0; i < bytes.length; i++) fingerprint(bytes[i].toString('latin1'), out, 2 * i)
    return urls.length
  }
  const low = (1n << 32n) - 1n
  const theirs = (): number => {
    for (let i = 0; i < bytes.length; i++) {
      const hash = hasher.h64(bytes[i].toString('latin1'))
      out[2 * i] = Number(hash & low)
      out[2 * i + 1] = Number(hash >> 32n)
    }
    return urls.length
  }
  for (const run of [ours, theirs]) {
    run()
    assert(
      distinct() === new Set(bytes.map((url) => url.toString('latin1'))).size,
      'two URLs share a fingerprint',
    )
  }
  return {
    task: 'fingerprints of URLs',
    library: 'xxhash-wasm',
    amount: urls.length / 1e6,
    unit: 'million URLs a second',
    ours,
    theirs,
  }
}

async function realPages(path: string, count: number): Promise<string[]> {
  const pages: string[] = []
  const file = createReadStream(path)
  const text = file.pipe(createBrotliDecompress())
  for await (const stored of createInterface({ input: text })) {
    if (pages.push((JSON.parse(stored) as { content: string }).content) === count) break
  }
  file.destroy()
  text.destroy()
  return pages
}

/** Pages with a head, links and paragraphs; one in three declares its encoding in the old form. */
function generatedPages(count: number): string[] {
  return Array.from({ length: count }, (_, page) => {
    const meta = [
      '<meta charset="utf-8">',
      '',
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    ]
    const paragraphs = Array.from(
      { length: 30 },
      (_, i) =>
        `<p>Caf&eacute; &amp; bar ${i}&nbsp;&#8211; <a href="/list?page=${page}&amp;item=${i}">item ${i}</a> of <a href="item-${i}.html">a list</a> &copy 2026</p>\n`,
    )
    return `<!doctype html>\n<html lang="en"><head>\n<title>Page ${page}</title>\n${meta[page % 3]}\n<link rel="stylesheet" href="style.css"></head>\n<body>${paragraphs.join('')}</body></html>\n`
  })
}

await benchmarkMain(import.meta.url, handWrittenBenchmark)
