/**
 * The webs of the benchmark `topics`, in three families: parts of uci-ics with its real pages, wikispeedia with
 * the names of its articles, and generated topical webs. Most have few links, many sites and few hot pages.
 */
import { readPageContents } from '../../src/simulator/contents/page-contents.ts'
import { topicalWeb } from '../../src/webgraph/synthetic/topical-web.ts'
import type { Web } from '../../src/webgraph/web.ts'
import { hostOf } from '../../src/lib/host.ts'
import type { PageWords } from '../../src/web/topic/page-digest.ts'
import { extractText } from '../../src/web/html/page.ts'
import { realPath, realWeb } from '../webs.ts'
import { thinned, type Thinning } from './thinned-web.ts'

export interface TestWeb {
  readonly family: 'uci-ics' | 'wikispeedia' | 'generated'
  readonly name: string
  readonly web: Web
  readonly wordsOf: (page: number) => PageWords | undefined
  /** Words that may be topics: those with neither too few nor too many hot pages. */
  readonly topics: readonly string[]
  /** A page is hot with so many occurrences of the topic in its body, or one in its title. */
  readonly hotInBody: number
}

export const uciTopics =
  'course homework database software student security project research publication seminar network java learning graduate faculty lecture syllabus assignment exam algorithm paper lab news event people design game music statistics bioinformatics xml vision privacy calendar conference alumni quiz compiler biology data thesis wireless'.split(
    ' ',
  )
const wikiTopics =
  'war king river city island language music bird football church science earth america africa india france china century emperor world ocean mountain star dinosaur whale army art chemistry computer economy battle plant'.split(
    ' ',
  )

const uciWebs: readonly Thinning[] = [
  { seed: 1, pages: 0.08, links: 0.5 },
  { seed: 2, pages: 0.1, links: 0.1 },
  { seed: 4, pages: 0.05, links: 1 },
]
const wikiWebs: readonly Thinning[] = [
  { seed: 5, pages: 1, links: 1 },
  { seed: 6, pages: 1, links: 0.05 },
  { seed: 7, pages: 0.5, links: 0.15 },
]
const generatedWebs = [
  { pages: 5_000, seed: 8, linksPerPage: 3, sites: 500 },
  { pages: 5_000, seed: 9, linksPerPage: 5, sites: 100, inSiteShare: 0.8 },
  { pages: 20_000, seed: 10, linksPerPage: 4, sites: 600 },
] as const

/** On a server with many users, each home directory counts as a site. */
function siteOfHome(url: string): string {
  return `${hostOf(url)}${/^\w+:\/\/[^/]+(\/~[^/]+)/.exec(url)?.[1] ?? ''}`
}

/** `draw`: other numbers give other webs of the same kinds, drawn with other seeds. */
export async function* testWebs(
  size: 'small' | 'full',
  { only, draw = 0 }: { only?: TestWeb['family'] | undefined; draw?: number } = {},
): AsyncGenerator<TestWeb> {
  if (size === 'small') {
    yield generated({ pages: 600, seed: 8, linksPerPage: 3, sites: 60 }, 12)
    return
  }
  const isWanted = (family: TestWeb['family']): boolean => only === undefined || only === family
  const redrawn = <T extends { readonly seed: number }>(webs: readonly T[]): T[] =>
    webs.map((web) => ({ ...web, seed: web.seed + 100 * draw }))
  if (isWanted('uci-ics')) yield* uciParts(redrawn(uciWebs))
  if (isWanted('wikispeedia')) yield* wikiParts(redrawn(wikiWebs))
  if (isWanted('generated')) for (const options of redrawn(generatedWebs)) yield generated(options, 40)
}

async function* uciParts(thinnings: readonly Thinning[]): AsyncGenerator<TestWeb> {
  const whole = await realWeb('uci-ics')
  const path = realPath('uci-ics.pages.jsonl.br')
  if (whole === undefined || path === undefined) return
  const parts = thinnings.map((thinning) => thinned(whole.web, siteOfHome, thinning))
  const needed = new Set(parts.flatMap(({ stored }) => stored))
  const words = new Map<number, PageWords>()
  for await (const { id, url, content } of readPageContents(path)) {
    if (id === undefined || !needed.has(id)) continue
    const { title, text, links } = extractText(content, url)
    words.set(id, { url, title, body: text, links })
  }
  for (const [i, { web, stored }] of parts.entries())
    yield {
      family: 'uci-ics',
      name: nameOf('uci-ics', thinnings[i]),
      web,
      wordsOf: (page) => words.get(stored[page]),
      topics: uciTopics,
      hotInBody: 10,
    }
}

/** The text of an article is its name and those of the articles that it links to. */
async function* wikiParts(thinnings: readonly Thinning[]): AsyncGenerator<TestWeb> {
  const whole = await realWeb('wikispeedia')
  if (whole === undefined) return
  const { graph, urls } = whole.web
  const name = (page: number): string =>
    decodeURIComponent(urls!.at(page).replace(/^.*\/wiki\//, '')).replaceAll('_', ' ')
  const cursor = graph.cursor()
  for (const thinning of thinnings) {
    const { web, stored } = thinned(whole.web, (url) => hostOf(url) ?? '', thinning)
    const wordsOf = (page: number): PageWords => {
      cursor.seek(stored[page])
      const targets = [...cursor.targets.subarray(cursor.start, cursor.end)]
      const links = targets.map((to) => ({ url: urls!.at(to), anchor: name(to) }))
      const body = links.map(({ anchor }) => anchor).join(' ')
      return { url: urls!.at(stored[page]), title: name(stored[page]), body, links }
    }
    yield {
      family: 'wikispeedia',
      name: nameOf('wikispeedia', thinning),
      web,
      wordsOf,
      topics: wikiTopics,
      hotInBody: 3,
    }
  }
}

function generated(options: Parameters<typeof topicalWeb>[0], topics: number): TestWeb {
  const web = topicalWeb({ ...options, topics })
  const wordsOf = (page: number): PageWords => {
    const url = web.urls.at(page)
    const { title, text, links } = extractText(web.html(page), url)
    return { url, title, body: text, links }
  }
  const { pages, sites, linksPerPage } = options
  const name = `${pages} pages, ${sites} sites, ${linksPerPage} links`
  return { family: 'generated', name, web, wordsOf, topics: web.topics, hotInBody: 10 }
}

function nameOf(name: string, { pages, links }: Thinning): string {
  return `${name}, ${100 * pages}% of pages, ${100 * links}% of links`
}
