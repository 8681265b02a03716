/** The view Freshness, which only crawls that fetch pages again have, in a real browser. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import '../src/view/dashboard/register.ts'
import { crawl, type Crawl } from '../src/crawler/crawler.ts'
import { chromiumNote, startChromium, withoutChromium } from './support/chromium.ts'
import {
  openTab,
  pixelsOutside,
  screenshot,
  show,
  until,
  violations,
  widths,
} from './support/dashboard-tab.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const host = '127.7.3.1'

describe.skipIf(withoutChromium)(`the dashboard of a crawl that fetches pages again${chromiumNote}`, () => {
  let browser: Browser
  let web: SmallWeb
  let running: Crawl
  let done: Promise<unknown>
  let url: string
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    browser = await startChromium()
    web = await serveSmall({
      [host]: {
        '/robots.txt': '',
        '/': pageWith('home', '/same', '/news'),
        '/same': pageWith('always the same'),
        '/news': (before) => pageWith(`news ${before}`),
      },
    })
    url = await new Promise((resolve, reject) => {
      running = crawl({
        seeds: [web.url(`${host}/`)],
        out: join(folder, 'crawl'),
        wait: 0,
        allowPrivate: true,
        threads: 1,
        continuous: true,
        restSeconds: 0.05,
        rate: 20 * 86_400,
        recrawlPolicy: 'uniform',
        dashboard: '0',
        onEvent: (event) => event.kind === 'dashboard' && resolve(event.url),
      })
      done = running.run()
      done.catch(reject)
    })
  })
  afterAll(async () => {
    await browser?.close()
    running?.stop()
    await done
    await web?.close()
  })
  beforeEach(async () => {
    ;({ page, complaints } = await openTab(browser, url))
  })
  afterEach(async () => {
    await page.context().close()
  })

  it('shows requests and changes at every width, light and dark', async () => {
    await show(page, '#/freshness')
    await page.locator('.feed a', { hasText: '/news' }).first().waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await pixelsOutside(page)).toBe(0)
        await screenshot(page, `freshness-${width}-${colorScheme}`)
      }
    }
    expect(await violations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows the directories of the only site on the map, without a way to a map of sites', async () => {
    await show(page, '#/map')
    await page.locator('a.tile').first().waitFor()
    const names = await page
      .locator('a.tile')
      .evaluateAll((tiles) =>
        tiles.map((tile) => (tile as unknown as { dataset: Record<string, string> }).dataset['name']),
      )
    expect(names.toSorted()).toEqual(['/', '/news', '/same'])
    expect(await page.locator('.crumbs a').count()).toBe(0)
    expect(await page.locator('.crumbs').innerText()).toContain(host)
    expect(complaints).toEqual([])
  })

  it('has no path that ends in nothing', async () => {
    await show(page, `#/site?site=${encodeURIComponent(new URL(web.url(host)).host)}`)
    expect(await page.locator('.crumbs').innerText()).toBe('‹ All sites')
  })

  it('shows every version of a page, and the requests for it', async () => {
    await show(page, `#/page?url=${encodeURIComponent(web.url(`${host}/news`))}`)
    await until(page, `document.querySelectorAll('#version option').length > 1`)
    await page.getByLabel('Versions').selectOption({ index: 1 })
    const frame = (await (await page.locator('iframe.archived').elementHandle()).contentFrame())!
    await frame.locator('body', { hasText: /news \d+/ }).waitFor()
    await page.locator('.feed .answer', { hasText: 'changed' }).first().waitFor()
    expect(complaints).toEqual([])
  })
})
