/** The report of a crawl of hostile and honest pages, in a real browser. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { report } from '../src/view/reporter.ts'
import { chromiumNote, newTab, startChromium, withoutChromium } from './support/chromium.ts'
import { serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const out = join(folder, 'crawl')
const page = pathToFileURL(join(out, 'report.html')).href

const attack = `</title><script>window.owned = 1</script><img src=x onerror="window.owned = 2">`
const hostilePaths = [
  `/"><script>window.owned=3</script>`,
  `/'onmouseover='window.owned=4`,
  `/${'long'.repeat(400)}`,
  '/‮txt.exe',
  '/<svg/onload=window.owned=5>/x',
  '/`code`/$&',
]
const titles = [attack, 'W'.repeat(500), '漢字'.repeat(100), '‮reversed', '', '`code` P_ST $& %s']
const wide = `/${'W'.repeat(80)}/`

beforeAll(async () => {
  const escapedTitle = (title: string): string => title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const own = (i: number): string => Array.from({ length: 40 }, (_, word) => `w${i}x${word}`).join(' ')
  const pages = Object.fromEntries(
    titles.map((title, i) => [
      `${i % 2 === 0 ? wide : '/'}page-${i}`,
      `<title>${escapedTitle(title)}</title><p>${own(i)}`,
    ]),
  )
  const links = [...hostilePaths, ...Object.keys(pages), '/gone', '/private/x']
  const anchors = links.map(
    (path) => `<a href="${path.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</a>`,
  )
  const web = await serveSmall({
    '127.1.0.7': {
      '/': `<title>Home</title>${anchors.join(' ')} ${own(99)}`,
      ...pages,
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /private/\n',
      },
      '/gone': { status: 410, body: attack },
    },
  })
  const seeds = [web.url('127.1.0.7/')]
  await crawl({ seeds, out, wait: 0, allowPrivate: true, threads: 1, nearDuplicates: false }).run()
  await web.close()
  await report(out)
})

describe.skipIf(withoutChromium)(`the report of a crawl in Chromium${chromiumNote}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [2560, 'light'],
    [2560, 'dark'],
  ] as const)('runs no script of the pages and does not overflow: %d px, %s', async (width, colorScheme) => {
    const tab = await newTab(browser, { viewport: { width, height: 900 }, colorScheme })
    const complaints: string[] = []
    tab.on('console', (message) => complaints.push(message.text()))
    tab.on('pageerror', (error) => complaints.push(error.message))
    tab.on('dialog', (dialog) => complaints.push(dialog.message()))
    tab.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url())
    })
    await tab.goto(page)
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await tab.evaluate('window.owned')).toBeUndefined()
    expect(await tab.locator('img').count()).toBe(0)
    const addresses = await tab
      .locator('a[href^=http]')
      .evaluateAll((all) =>
        all.map((link) => [link.getAttribute('rel'), (link as unknown as { hostname: string }).hostname]),
      )
    expect(addresses.length).toBeGreaterThan(5)
    for (const [rel, host] of addresses)
      expect([rel, host]).toEqual(['noreferrer noopener nofollow', '127.1.0.7'])
    expect(await tab.locator('a[href^=javascript]').count()).toBe(0)
    // The first screen: four numbers and the bar.
    expect(await tab.locator('dl.big strong').count()).toBe(4)
    expect(await tab.locator('#importance-bar .bar:visible').count()).toBe(1)
    expect(await tab.locator('#importance-map svg:visible').count()).toBe(1)
    expect(complaints).toEqual([])
    await tab.close()
  })

  it('is complete without script', async () => {
    const tab = await newTab(browser, { javaScriptEnabled: false })
    await tab.goto(page)
    expect(await tab.locator('dl.big strong').count()).toBe(4)
    expect(await tab.locator('#missed-pages tbody tr').count()).toBeGreaterThan(3)
    expect(await tab.locator('#missed-pages').innerText()).toContain('disallowed by robots.txt')
    expect(await tab.locator('#error-examples').innerText()).toContain('410 Gone')
    await tab.close()
  })

  const cells = (tab: Page, column: number): Promise<string[]> =>
    tab.locator(`#top-pages tbody tr > :nth-child(${column})`).allInnerTexts()

  it('sorts a table by the column that is chosen, by mouse and by keyboard', async () => {
    const tab = await newTab(browser)
    await tab.goto(page)
    const before = await cells(tab, 4)
    const sorted = before.toSorted((a, b) => Number(b) - Number(a))
    const head = tab.locator('#top-pages thead th').nth(3)
    await head.locator('button').click()
    expect(await cells(tab, 4)).toEqual(sorted)
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await head.locator('button').press('Enter')
    expect(await cells(tab, 4)).toEqual(sorted.toReversed())
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await tab.locator('#top-pages thead th').nth(4).locator('button').click()
    const urls = await cells(tab, 5)
    expect(urls).toEqual(urls.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    expect(await head.getAttribute('aria-sort')).toBeNull()
    await tab.close()
  })

  it('hides and shows a series by its entry in the legend', async () => {
    const tab = await newTab(browser, { viewport: { width: 1280, height: 900 } })
    await tab.goto(page)
    const plot = tab.locator('#depth svg.wide')
    const bars = plot.locator('[data-series="1"]')
    const entry = plot.locator('.legend [role=button]').nth(1)
    expect(await bars.isVisible()).toBe(true)
    await entry.click()
    expect(await bars.isVisible()).toBe(false)
    expect(await entry.getAttribute('aria-pressed')).toBe('false')
    await entry.press('Enter')
    expect(await bars.isVisible()).toBe(true)
    expect(await entry.getAttribute('aria-pressed')).toBe('true')
    await tab.close()
  })
})
