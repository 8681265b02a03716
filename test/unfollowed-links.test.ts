/** Links in scope that are not followed are counted and named in every view, so that a page that says nofollow is no site of one page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { statusText } from '../src/cli/status.ts'
import { crawl, resumeCrawl, type CrawlTotals } from '../src/crawler/crawler.ts'
import { check } from '../src/index.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { crawlFigures } from '../src/crawler/read/figures/crawl-figures.ts'
import { status } from '../src/crawler/read/status.ts'
import { noUnfollowedLinks } from '../src/crawler/options/omissions.ts'
import { crawlReport } from '../src/view/report/crawl-report.ts'
import { rankward } from './command-line.ts'
import { serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const home = '127.1.0.1'
const folder = temporaryFolder()
const links = Array.from({ length: 40 }, (_, i) => `<a href="/page${i}">page ${i}</a>`).join(' ')
const outside = '<a href="http://elsewhere.example/">elsewhere</a>'
let web: SmallWeb
let crawls = 0

beforeAll(async () => {
  web = await serveSmall({
    [home]: {
      // Twice the same link, and one that leads out of scope: neither adds to the forty.
      '/quiet': `<meta name=robots content="noindex, nofollow"><p>${links} ${outside} <a href="/page0">again</a></p>`,
      '/header': { headers: { 'x-robots-tag': 'nofollow' }, body: links },
      '/marked': `<a href="/a">a</a> <a rel=nofollow href="/a">a</a> <a rel="ugc" href="/b">b</a> <a rel="sponsored nofollow" href="/c">c</a>`,
      '/chosen': `<nav><a href="/a">a</a> <a href="/b">b</a></nav> <main><a href="/a">a</a> <a rel="tag" href="/c">c</a></main>`,
      '/a': '<a href="/marked">back</a>',
    },
  })
})
afterAll(() => web.close())

interface Done {
  readonly totals: CrawlTotals
  readonly out: string
}

async function crawled(path: string, more: object = {}): Promise<Done> {
  const out = join(folder, String(crawls++))
  const options = { wait: 0, allowPrivate: true, warc: false, threads: 1 }
  const totals = await crawl({ seeds: [web.url(home + path)], out, ...options, ...more }).run()
  return { totals, out }
}

describe('a seed that says nofollow', () => {
  let done: Done

  beforeAll(async () => {
    done = await crawled('/quiet')
  })

  it('is not called the only page, and its links are counted once', () => {
    const { totals } = done
    expect(totals).toMatchObject({ pages: 1, linksOutOfScope: 0, isComplete: true })
    expect(totals.linksNotFollowed).toEqual({ ...noUnfollowedLinks, nofollow: 40 })
    expect(totals.headline).toBe(
      'The only page found in scope fetched. Not followed: 40 links of pages that say nofollow (--follow-nofollow).',
    )
  })

  it('has its links named in summary, status, report and explain, with the option', async () => {
    const { totals, out } = done
    const said = '40 links of pages that say nofollow (--follow-nofollow)'
    expect(summaryText(totals)).toContain(`\nNot followed: ${said}.\n`)
    expect(statusText(status(out), Date.now())).toMatch(
      /^ {2}not followed +40 links of pages that say nofollow/m,
    )
    const report = crawlReport(await crawlFigures(out))
    expect(new Map(report.facts).get('not followed')).toBe(said)
    expect(report.lead[0]).toContain(said)
    const told = async (path: string): Promise<string> =>
      explanationText(out, await explain(out, web.url(home + path)))
    expect(await told('/quiet')).toContain(
      'not followed: 40 links, since the page says nofollow (--follow-nofollow)',
    )
    expect(await told('/page7')).toContain(`The crawl did not follow ${said}: it may be one of those.`)
    expect(status(out).progress?.linksNotFollowed).toEqual({ ...noUnfollowedLinks, nofollow: 40 })
  })

  it('is known to check before the crawl, also by its header', async () => {
    const seeds = [web.url(`${home}/header`)]
    const { sites } = await check({ seeds, wait: 0, allowPrivate: true })
    expect(sites[0].seed).toMatchObject({
      status: 200,
      nofollow: true,
      links: 0,
      linksNotFollowed: { nofollow: 40 },
    })
    const path = join(folder, 'quiet.jsonc')
    writeFileSync(path, JSON.stringify({ seeds, wait: 0, allowPrivate: true, contact: 'me@example.org' }))
    const { stdout } = await rankward(['check', path])
    expect(stdout).toMatch(/header: 200, 0 links to follow in scope$/m)
    expect(stdout).toMatch(
      /would not be followed: 40 links of pages that say nofollow \(--follow-nofollow\)$/m,
    )
  })

  it('is followed with --follow-nofollow, and nothing is left out', async () => {
    const { totals } = await crawled('/quiet', { obeyNofollow: false })
    expect(totals.linksNotFollowed).toEqual(noUnfollowedLinks)
    expect(totals).toMatchObject({ known: 41, linksOutOfScope: 1 })
  })
})

it('links marked with rel count, except those that the page also has unmarked', async () => {
  const { totals } = await crawled('/marked')
  expect(totals.linksNotFollowed).toEqual({ ...noUnfollowedLinks, rel: 2 })
  expect(totals).toMatchObject({ pages: 2, linksOutOfScope: 0 })
})

it('links outside of the chosen elements and with ignored words in rel count, each for its reason', async () => {
  const { totals, out } = await crawled('/chosen', { linksFrom: ['main'], ignoreRel: ['tag'], maxDepth: 1 })
  expect(totals.linksNotFollowed).toEqual({ ...noUnfollowedLinks, elsewhere: 1 + 1, ignoredRel: 1 })
  const text = summaryText(totals)
  expect(text).toContain('1 link with an ignored word in rel (--ignore-rel)')
  expect(text).toContain('2 links outside of the chosen elements (--links-from)')
  // A resume has the counts of the sessions before.
  const resumed = await resumeCrawl({ out }).run()
  expect(resumed.linksNotFollowed).toEqual(totals.linksNotFollowed)
})

it('links that are too deep count beside them', async () => {
  const { totals } = await crawled('/marked', { maxDepth: 0 })
  expect(totals.linksNotFollowed).toEqual({ ...noUnfollowedLinks, rel: 2, tooDeep: 1 })
  expect(totals.headline).toMatch(/^The only page found in scope fetched\./)
})
