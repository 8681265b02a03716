import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { readGraph } from '../../../webgraph/formats/index.ts'
import { pageRank } from '../../../webgraph/pagerank/pagerank.ts'
import { spamMass } from '../../../webgraph/spam-mass.ts'
import type { Web } from '../../../webgraph/web.ts'
import { simulate } from '../../../simulator/simulator.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { WriterLock } from '../../record/writer-lock.ts'
import { readCrawlWeb } from './crawl-web.ts'
import { exportCrawl, type ExportResult } from './export.ts'
import { knownCrawl } from '../model/known-crawl.ts'
import { linkBatches } from './link-rows.ts'
import { fieldColumns } from './field-columns.ts'
import { pageColumns } from './page-rows.ts'
import { columnsOf } from './planned-export.ts'
import { versionColumns } from './version-rows.ts'
import { smallCrawl, type SmallCrawl } from './small-crawl.cases.ts'

type Cell = string | number | bigint | boolean | Date | null | undefined
type Row = Record<string, Cell>

const folder = temporaryFolder()
const out = join(folder, 'out')
let made: SmallCrawl
let result: ExportResult
let pages: Row[]
let links: Row[]

async function parquet(name: string): Promise<Row[]> {
  return (await parquetReadObjects({ file: await asyncBufferFromFile(join(out, name)) })) as Row[]
}

function tsv(name: string): Record<string, string>[] {
  const [head, ...lines] = readFileSync(join(out, name), 'utf8').slice(0, -1).split('\n')
  const names = head.split('\t')
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [names[i], cell])))
}

/** The row of a page of the served web. */
const rowOf = (page: number): Row => pages.find(({ url }) => url === made.urls[page])!

const listsOf = ({ graph, urls }: Web): [string, string[]][] => {
  const cursor = graph.cursor()
  return Array.from({ length: graph.pages }, (_, page) => {
    cursor.seek(page)
    return [urls!.at(page), [...cursor.targets.subarray(cursor.start, cursor.end)].map((to) => urls!.at(to))]
  })
}

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
  result = await exportCrawl(made.folder, { to: out, format: ['parquet', 'tsv', 'csv', 'edges'] })
  pages = await parquet('pages.parquet')
  links = await parquet('links.parquet')
})

describe('an exported crawl', () => {
  it('has a row for every known page, in the order in which they were found, and none for the outside', () => {
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, i) => i))
    expect(pages.length).toBe(made.totals.known)
    expect(Object.keys(pages[0])).toEqual(pageColumns.map(({ name }) => name))
    expect(pages.every(({ url }) => made.urls.includes(url as string))).toBe(true)
    expect(result).toMatchObject({ pages: pages.length, links: links.length, linksOutside: 3 })
  })

  it('has the outcome of each page', () => {
    expect(rowOf(0)).toMatchObject({ state: 'fetched', status: 200, depth: 0, links: 3, links_outside: 1 })
    expect(rowOf(0).found_on ?? undefined).toBeUndefined()
    expect(rowOf(1)).toMatchObject({ found_on: made.urls[0], depth: 1, noindex: false })
    expect(rowOf(6)).toMatchObject({ state: 'redirect', status: 301, location: made.urls[7], links: 1 })
    expect(rowOf(8)).toMatchObject({ state: 'failed', status: 404, error: 'http-404', rank_mass: 0 })
    expect(rowOf(9)).toMatchObject({ state: 'robots', error: 'robots' })
    expect(rowOf(9).fetched_at ?? undefined).toBeUndefined()
    const copies = [rowOf(5), rowOf(11)].filter(({ duplicate_of: of }) => of != null)
    expect(copies.map(({ title, status }) => ({ title, status }))).toEqual([{ title: 'Copy', status: 200 }])
    const waiting = pages.filter(({ state }) => state === 'waiting')
    expect(waiting.length).toBe(made.totals.waiting)
    expect(waiting.length).toBeGreaterThan(0)
    expect(waiting.every(({ score, order, status }) => (score ?? order ?? status) == null)).toBe(true)
  })

  it('has the time, the position in fetch order and the position in the archive of each page', () => {
    const fetched = pages.filter(({ state }) => state === 'fetched')
    expect(result.fetched).toBe(fetched.length)
    for (const row of fetched) {
      expect(row.fetched_at).toBeInstanceOf(Date)
      expect(Math.abs(Date.now() - Number(row.fetched_at))).toBeLessThan(120_000)
      expect(row.order).toBeGreaterThan(0)
      expect(existsSync(join(made.folder, 'warc', row.warc_file as string))).toBe(true)
      expect(row.warc_length).toBeGreaterThan(100n)
    }
    expect(new Set(fetched.map(({ order }) => order)).size).toBe(fetched.length)
  })

  it('has the links of fetched pages, by page', () => {
    const url = (page: Cell): Cell => pages[page as number].url
    const ofPage = (page: number): Cell[] =>
      links.filter(({ from }) => url(from) === made.urls[page]).map(({ to }) => url(to))
    const urls = (...of: number[]): string[] => of.map((page) => made.urls[page])
    expect(ofPage(0)).toEqual(urls(1, 2, 3))
    expect(ofPage(4)).toEqual(urls(10))
    expect(ofPage(6)).toEqual(urls(7))
    expect(ofPage(9)).toEqual([])
    expect(links.length).toBe(pages.reduce((sum, row) => sum + Number(row.links ?? 0), 0))
  })

  it('has RankMass that sums up to the guaranteed coverage, and the PageRank of the known graph', async () => {
    const sum = pages.reduce((total, row) => total + Number(row.rank_mass), 0)
    expect(sum).toBeCloseTo(made.totals.coverage.guaranteed, 6)
    expect(result.rankMass).toBeCloseTo(sum, 12)
    const { scores } = await pageRank((await readCrawlWeb(made.folder)).graph, { damping: 0.85 })
    expect(pages.map((row) => row.page_rank)).toEqual([...scores])
  })

  it('has the spam mass of every page, the seeds being trusted', async () => {
    const { graph } = await readCrawlWeb(made.folder)
    const trust = Float64Array.from(pages, ({ depth }) => (depth === 0 ? 1 : 0))
    const { relative } = await spamMass(graph, { trust, damping: 0.85 })
    expect(pages.map((row) => row.spam)).toEqual([...relative])
    expect(Number(rowOf(0).spam)).toBe(Math.min(...relative))
  })

  it('has only the rows that fulfil a condition', async () => {
    const path = join(folder, 'dead.csv')
    const dead = await exportCrawl(made.folder, { to: path, where: 'status=404 and found_on is not empty' })
    expect(dead.files).toMatchObject([{ path, table: 'pages', format: 'csv', rows: 1 }])
    const [head, row, ...more] = readFileSync(path, 'utf8').split('\n')
    expect(head).toBe(pageColumns.map(({ name }) => name).join(','))
    expect(row).toContain(`,${made.urls[8]},`)
    expect(more).toEqual([''])
    const wrong = exportCrawl(made.folder, { to: join(folder, 'none.csv'), where: 'size>3' })
    await expect(wrong).rejects.toMatchObject({ code: 'USAGE' })
    expect(existsSync(join(folder, 'none.csv'))).toBe(false)
  })

  it('has the rows that fulfil a condition on their contents', async () => {
    const rowsOf = async (where: string | undefined): Promise<Record<string, string>[]> => {
      const to = join(folder, `where-${where?.length ?? 0}.jsonl`)
      await exportCrawl(made.folder, {
        to,
        table: 'pages',
        content: ['text', 'charset'],
        where,
        overwrite: true,
      })
      const lines = readFileSync(to, 'utf8').trim().split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, string>)
    }
    const all = await rowsOf(undefined)
    const withText = all.filter(({ text }) => text !== undefined)
    expect(withText.length).toBeGreaterThan(0)
    expect(withText.length).toBeLessThan(all.length)
    expect(await rowsOf('text is not empty')).toEqual(withText)
    expect(await rowsOf('text is empty or depth=0')).toEqual(
      all.filter(({ text, depth }) => text === undefined || Number(depth) === 0),
    )
    const unknown = exportCrawl(made.folder, { to: join(folder, 'x.tsv'), where: 'text is empty' })
    await expect(unknown).rejects.toThrow(/no column text.*text is a column of --content/)
  })

  it('has contents from the archive if they are chosen', async () => {
    const path = join(folder, 'contents.jsonl')
    const content = ['text', 'html', 'headers', 'charset', 'language'] as const
    await exportCrawl(made.folder, { to: path, table: 'pages', content })
    const rows = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.length).toBe(pages.length)
    const copy = rows.find(({ title }) => title === 'Copy')!
    expect(copy).toMatchObject({ text: 'Text', html: '<title>Copy</title>Text', charset: 'utf-8' })
    expect(copy.headers).toContain('content-type: text/html')
    expect(rows.filter((row) => row.state === 'waiting').every((row) => row.html === undefined)).toBe(true)
    const none = exportCrawl(made.folder, { to: join(folder, 'x.tsv'), format: 'edges', content: ['text'] })
    await expect(none).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('is the same in all kinds of tables', () => {
    const text = (value: Cell): string =>
      value == null ? '' : value instanceof Date ? value.toISOString() : String(value)
    const asText = (row: Row): [string, string][] =>
      Object.entries(row).map(([name, value]) => [name, text(value)])
    expect(tsv('pages.tsv')).toEqual(pages.map((row) => Object.fromEntries(asText(row))))
    expect(readFileSync(join(out, 'pages.csv'), 'utf8').split('\n').length).toBe(pages.length + 2)
    expect(tsv('links.tsv')).toEqual(links.map((row) => Object.fromEntries(asText(row))))
  })

  it('has all its columns in the documents', () => {
    const text = readFileSync(new URL('../../../../docs/reference/crawl-output.md', import.meta.url), 'utf8')
    const between = (start: string, end: string): Map<string, string> => {
      const section = text.slice(text.indexOf(start), text.indexOf(end, text.indexOf(start)))
      const rows = section.matchAll(/^\| `([a-z_]+)` \| (.*) \|$/gm)
      return new Map(Array.from(rows, ([, name, about]) => [name, about]))
    }
    const pages = between('| column |', '\n\n')
    const versions = between('\n### Versions\n', '\n### Requisites\n')
    const requisites = between('\n### Requisites\n', '\n### Items\n')
    const items = between('\n### Items\n', '\n### Links\n')
    expect([...pages.keys()]).toEqual(pageColumns.map(({ name }) => name))
    expect([...versions.keys()]).toEqual(versionColumns.map(({ name }) => name))
    expect([...requisites.keys()]).toEqual(columnsOf('requisites').map(({ name }) => name))
    expect([...items.keys()]).toEqual(columnsOf('items').map(({ name }) => name))
    for (const { name, about } of Object.values(fieldColumns('pages'))) expect(pages.get(name)).toBe(about)
    for (const { name, about } of Object.values(fieldColumns('versions')))
      expect(versions.get(name)).toBe(about)
  })

  it('is written in row groups', async () => {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(out, 'links.parquet')))
    expect(Number(metadata.num_rows)).toBe(links.length)
    const record = await CrawlFolder.open(made.folder).readRecord()
    const crawl = await knownCrawl(record)
    record.close()
    const sizes = Array.from(linkBatches(crawl, 4), ([from]) => from.length)
    expect(sizes.slice(0, -1).every((size) => size === 4)).toBe(true)
    expect(sizes.reduce((a, b) => a + b)).toBe(links.length)
  })

  it('leaves nothing but its files behind', async () => {
    expect(readdirSync(out).toSorted()).toEqual(
      [
        'edges.tsv.gz',
        'export.json',
        'links.csv',
        'links.parquet',
        'links.tsv',
        'pages.csv',
        'pages.parquet',
        'pages.tsv',
        'urls.txt.gz',
      ].toSorted(),
    )
    const blocked = join(folder, 'blocked')
    mkdirSync(join(blocked, 'pages.parquet'), { recursive: true })
    const failing = exportCrawl(made.folder, { to: blocked, format: ['parquet'], overwrite: true })
    await expect(failing).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(readdirSync(blocked)).toEqual(['pages.parquet'])
    writeFileSync(join(folder, 'file'), '')
    const inFile = exportCrawl(made.folder, { to: join(folder, 'file', 'x'), format: [] })
    await expect(inFile).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
  })

  it('is made while the crawl is being run, and refused where there is no crawl', async () => {
    const lock = WriterLock.take(CrawlFolder.open(made.folder).record)
    const running = await exportCrawl(made.folder, { to: join(folder, 'running'), format: [] })
    lock.release()
    expect(running.pages).toBe(pages.length)
    await expect(exportCrawl(folder, { to: out })).rejects.toMatchObject({ code: 'NO_CRAWL' })
  })
})

describe('a crawl that is simulated again', () => {
  it('is the same web from its folder and from its edge list', async () => {
    const direct = await readCrawlWeb(made.folder)
    const listed = await readGraph(join(out, 'edges.tsv.gz'), { urls: join(out, 'urls.txt.gz') })
    expect(listsOf(direct)).toEqual(listsOf(listed))
    expect(direct.counts).toEqual(listed.counts)
    expect(direct.sites).toEqual(listed.sites)
    const orderOf = async (web: Web): Promise<number[]> => {
      let order: number[] = []
      await simulate(web, {
        strategies: ['exact-rankmass'],
        seeds: [0],
        onRun: (_, { ids }) => (order = [...ids]),
      })
      return order
    }
    const order = await orderOf(direct)
    expect(order.length).toBe(direct.graph.pages)
    expect(await orderOf(listed)).toEqual(order)
  })
})
