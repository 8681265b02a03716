/** A topical web as others meet it: written by the command, read back, served, crawled. */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readPageContents } from '../src/simulator/contents/page-contents.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import type { PageContent } from '../src/webgraph/formats/page-contents.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { reachableFrom } from '../src/webgraph/reachability.ts'
import { PageTexts } from '../src/webgraph/synthetic/page-text.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import { topicalWeb } from '../src/webgraph/synthetic/topical-web.ts'
import { type ServedWeb, serveWeb } from '../src/webgraph/served/served-web.ts'
import { extractLinks, extractPage } from '../src/web/html/page.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

function linksOf(graph: Graph, page: number): number[] {
  const cursor = graph.cursor()
  cursor.seek(page)
  return [...cursor.targets.subarray(cursor.start, cursor.end)]
}

async function pagesOf(path: string): Promise<PageContent[]> {
  const pages: PageContent[] = []
  for await (const page of readPageContents(path)) pages.push(page)
  return pages
}

const generate = ['graph', 'generate', '--pages', '1500', '--topics', '8', '--seed', '4']

describe.concurrent('rankward graph generate --topics', () => {
  it('writes graph, URLs and pages that agree, link by link', async () => {
    const own = mkdtempSync(join(folder, 'agree-'))
    expect(await rankwardJson([...generate, '--out', 'web.tsv.gz'], own)).toMatchObject({
      pages: 1500,
      topics: 8,
      urlsOut: 'web.urls.txt',
      pagesContent: 'web.pages.jsonl.gz',
    })
    expect(readdirSync(own).toSorted()).toEqual(['web.pages.jsonl.gz', 'web.tsv.gz', 'web.urls.txt'])
    const { graph, urls } = await readGraph(join(own, 'web.tsv.gz'), { urls: join(own, 'web.urls.txt') })
    const web = new SyntheticWeb({ pages: 1500, topics: 8, seed: 4 })
    const texts = new PageTexts(web.topics!, 4)
    const pages = await pagesOf(join(own, 'web.pages.jsonl.gz'))
    expect(pages.map(({ id }) => id)).toEqual(Array.from({ length: 1500 }, (_, id) => id))
    for (const { id, url, content } of pages) {
      expect(url).toBe(urls!.at(id!))
      const found = extractPage(content, url)
      expect(found.encoding).toBe('utf-8')
      expect(found.title).toMatch(/^\S+ \S+ \S+$/)
      const targets = linksOf(graph, id!)
      expect(found.links).toEqual(
        targets.map((target) => ({
          url: urls!.at(target),
          anchor: texts.anchor(id!, target),
          nofollow: false,
        })),
      )
    }
    expect(new Set(pages.map(({ content }) => content)).size).toBe(1500)
  })

  it('writes the same pages in every form, and as the library makes them', async () => {
    const own = mkdtempSync(join(folder, 'forms-'))
    const web = topicalWeb({ pages: 1500, topics: 8, seed: 4 })
    for (const name of ['a.jsonl', 'a.jsonl.gz', 'a.jsonl.br']) {
      const told = await rankwardJson(
        [...generate, '--out', 'web.rwg', '--pages-content', name, '--overwrite'],
        own,
      )
      expect(told).toMatchObject({ pagesContent: name })
      const pages = await pagesOf(join(own, name))
      expect(pages.map(({ content }) => content)).toEqual(
        Array.from({ length: 1500 }, (_, page) => web.html(page)),
      )
    }
    const [line] = readFileSync(join(own, 'a.jsonl'), 'utf8').split('\n', 1)
    expect(Object.keys(JSON.parse(line) as object)).toEqual(['id', 'url', 'encoding', 'content'])
    const { graph } = await readGraph(join(own, 'web.rwg'))
    for (let page = 0; page < 1500; page++) expect(linksOf(graph, page)).toEqual(linksOf(web.graph, page))
  })

  it.each([
    [['--topics', '8', '--pages-content', 'x.zip'], 1, /x\.zip: the extension must be \.jsonl, /],
    [['--topics', '0'], 2, /--topics/],
    [['--topics', '1001'], 2, /--topics/],
    [['--pages-content', 'x.jsonl'], 2, /--pages-content needs --topics N/],
    [['--topics', '2', '--pages-content', 'none/x.jsonl'], 1, /its directory does not exist/],
  ] as const)('refuses %j in one line', async (args, exitCode, line) => {
    const own = mkdtempSync(join(folder, 'refused-'))
    const end = await rankward(['graph', 'generate', '--pages', '50', '--out', 'web.rwg', ...args], own)
    expectRefusal(end, exitCode, line)
    expect(existsSync(join(own, 'x.zip'))).toBe(false)
  })
})

describe('a topical web that is served', () => {
  let served: ServedWeb | undefined
  afterEach(() => served?.close())

  it('has its own texts, its links leading to where it is served, and is crawled whole', async () => {
    const web = topicalWeb({ pages: 400, sites: 8, seed: 2 })
    served = await serveWeb(web, { html: web.html })
    for (const page of [0, 17, 255, 399]) {
      const url = served.urlOf(page)
      const text = await (await fetch(url)).text()
      expect(extractLinks(text, url).map((link) => served!.pageOf(link.url))).toEqual(
        linksOf(web.graph, page),
      )
      expect(extractPage(text, url).title).toBe(extractPage(web.html(page), url).title)
    }
    const reachable = reachableFrom(web.graph, [0])
    const titles = new Map<number, string>()
    for await (const { url, title, html } of crawl({
      seeds: [served.urlOf(0)],
      out: join(folder, 'crawl'),
      scope: 'any',
      strategy: 'breadth-first',
      wait: 0,
      allowPrivate: true,
      traps: false,
      threads: 1,
    })) {
      const page = served.pageOf(url)!
      titles.set(page, title)
      expect(html.includes(`<h1>${title}</h1>`)).toBe(true)
    }
    expect(titles.size).toBe(reachable.count)
    for (const [page, title] of titles) expect(web.html(page)).toContain(`<title>${title}</title>`)
    // No two pages are so alike that one would be taken for a copy: texts are told apart by the archive as well.
    const archive = readdirSync(join(folder, 'crawl'), { recursive: true }).map(String)
    const warcs = archive.filter((name) => name.endsWith('.warc.gz'))
    const archived = (await Promise.all(warcs.map((name) => pagesOf(join(folder, 'crawl', name))))).flat()
    expect(archived.map(({ url }) => served!.pageOf(url)!).toSorted((a, b) => a - b)).toEqual(
      [...titles.keys()].toSorted((a, b) => a - b),
    )
  })
})
