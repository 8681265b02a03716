/** The page of the dashboard in a real browser, on a real crawl over loopback: every view and every control. */
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard } from '../src/view/dashboard/dashboard.ts'
import { RecordedSource } from '../src/view/dashboard/recorded-source.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { chromiumNote, startChromium, withoutChromium } from './support/chromium.ts'
import {
  openTab,
  pixelsOutside,
  screenshot,
  settled,
  show,
  type Tab,
  until,
  violations,
  widths,
} from './support/dashboard-tab.ts'
import { watchedCrawl, type WatchedCrawl } from './support/watched-crawl.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const out = join(folder, 'crawl')
describe.skipIf(withoutChromium)(`the dashboard in Chromium${chromiumNote}`, () => {
  let browser: Browser
  let crawl: WatchedCrawl
  let hostilePage: number
  let largestSite: string

  beforeAll(async () => {
    browser = await startChromium()
    crawl = await watchedCrawl(out)
    const json = async (path: string): Promise<never> =>
      (await (await fetch(new URL(path, crawl.url))).json()) as never
    const { page } = (await json(`/api/v1/page?url=${encodeURIComponent(crawl.seedUrl)}`)) as { page: number }
    hostilePage = page
    const { rows } = (await json('/api/v1/sites?sort=pages&limit=1')) as { rows: { site: string }[] }
    largestSite = rows[0].site
  })
  afterAll(async () => {
    await browser?.close()
    await crawl?.close()
  })

  const open = (route = '#/now', look: Parameters<typeof openTab>[2] = {}): Promise<Tab> =>
    openTab(browser, new URL(route, crawl.url).href, look)

  const views = (): Record<string, string> => ({
    now: '#/now',
    sites: '#/sites',
    site: `#/site?site=${encodeURIComponent(largestSite)}`,
    queue: '#/queue',
    'queue-resting': '#/queue?list=resting',
    'queue-missed': '#/queue?list=missed',
    pages: '#/pages',
    'pages-by-text': '#/pages?q=harvest&in=text',
    page: `#/page?page=${hostilePage}`,
    'page-unknown': '#/page?page=99999999',
    map: '#/map',
    'map-of-site': `#/map?site=${encodeURIComponent(largestSite)}`,
    'map-of-links': '#/map?show=links',
    control: '#/control',
    nothing: '#/nothing',
  })

  it.each(widths)(
    'shows every view at %i pixels, light and dark: nothing sticks out, nothing complains, no attack of the hostile page succeeds',
    async (width) => {
      const { page, complaints } = await open('#/now', { width })
      for (const [name, route] of Object.entries(views())) {
        await show(page, route)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect([name, await pixelsOutside(page)]).toEqual([name, 0])
          await screenshot(page, `${name}-${width}-${colorScheme}`, width < 2560)
        }
        expect(await page.evaluate('window.attacked')).toBeUndefined()
      }
      // The one for a page that does not exist.
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
      await page.context().close()
    },
  )

  it('has no serious or critical problem of accessibility in any view, light, dark or narrow', async () => {
    for (const [width, colorScheme, only] of [
      [1280, 'light', 'all'],
      [1280, 'dark', 'contrast'],
      [360, 'light', 'structure'],
    ] as const) {
      const { page } = await open('#/now', { width, colorScheme })
      for (const [name, route] of Object.entries(views())) {
        await show(page, route)
        expect([name, width, colorScheme, await violations(page, only)]).toEqual([
          name,
          width,
          colorScheme,
          [],
        ])
      }
      await page.context().close()
    }
  })

  it('keeps the figures of the view Now current', async () => {
    const { page } = await open()
    const pages = page.locator('.figure.is-pages .value')
    const before = await pages.innerText()
    await until(
      page,
      `document.querySelector('.figure.is-pages .value').textContent !== ${JSON.stringify(before)}`,
    )
    expect(await page.locator('.phase').innerText()).toBe('crawling')
    await page.locator('.importance .segment.is-held').waitFor()
    expect(await page.locator('.importance .bars').getAttribute('aria-label')).toMatch(
      /^Importance: held [\d.]+%/,
    )
    expect(await page.locator('.chart canvas').count()).toBeGreaterThan(6)
    await page.locator('.feed a').first().waitFor()
    await page.context().close()
  })

  it('shows figures of one moment: cards, charts and counts agree, and a bar of another moment says its time', async () => {
    const { page } = await open()
    await page.locator('.importance .segment.is-held').waitFor()
    const texts = `(() => {
      const text = (selector) => document.querySelector(selector)?.textContent ?? ''
      const chart = (title) => [...document.querySelectorAll('.chart')]
        .find((each) => each.querySelector('h3').textContent === title).querySelector('.value').textContent
      const count = (name) => [...document.querySelectorAll('.facts div')]
        .find((each) => each.querySelector('dt').textContent === name).querySelector('dd').textContent
      return {
        pages: text('.figure.is-pages .value'),
        coverage: [text('.figure.is-coverage .value'), chart('Guaranteed coverage')],
        rate: [text('.figure.is-rate .value'), chart('Pages a second')],
        waiting: [count('waiting'), chart('Pages that wait'), /([\\d,]+) wait/.exec(text('.figure.is-pages .note'))[1]],
        bar: text('.importance .legend b'),
        robots: text('.importance .legend li:nth-child(2) b') + text('.importance .legend li:nth-child(3) b'),
        barTime: text('.importance-card .beside-title'),
      }
    })()`
    interface Shown {
      readonly pages: string
      readonly coverage: string[]
      readonly rate: string[]
      readonly waiting: string[]
      readonly bar: string
      readonly robots: string
      readonly barTime: string
    }
    const seen = new Map<string, Shown>()
    while (seen.size < 6) {
      const shown = await page.evaluate<Shown>(texts)
      seen.set(shown.pages, shown)
    }
    for (const { coverage, rate, waiting, bar, robots, barTime } of seen.values()) {
      expect(new Set(coverage).size).toBe(1)
      expect(new Set(rate).size).toBe(1)
      expect(new Set(waiting).size).toBe(1)
      if (barTime !== '') expect(barTime).toMatch(/^at \d\d:\d\d:\d\d, .+ ago$|^at \d\d:\d\d:\d\d, now$/)
      else if (robots === '0%0%') expect(bar).toBe(coverage[0])
    }
    await page.context().close()
  })

  it('has every view of its navigation within the screen of a phone', async () => {
    const { page } = await open('#/now', { width: 360 })
    const outside = await page.evaluate<string[]>(`[...document.querySelectorAll('.views a')]
      .filter((link) => {
        const { left, right } = link.getBoundingClientRect()
        return left < 0 || right > document.documentElement.clientWidth
      })
      .map((link) => link.textContent)`)
    expect(outside).toEqual([])
    expect(await page.locator('.views a').count()).toBeGreaterThan(5)
    for (const value of await page.locator('.figure .value').all()) {
      expect(
        await value.evaluate(
          (element: { scrollWidth: number; clientWidth: number }) =>
            element.scrollWidth - element.clientWidth,
        ),
      ).toBeLessThanOrEqual(0)
    }
    await page.context().close()
  })

  it('sorts, searches and pages the sites by links, and goes back', async () => {
    const { page } = await open('#/sites')
    const head = (name: string): Locator => page.locator('thead').getByRole('link', { name, exact: true })
    const first = page.locator('tbody tr').first()
    await head('Pages').click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Pages' }).waitFor()
    await settled(page)
    const cells = await page.locator('tbody td:nth-child(5)').allInnerTexts()
    const counts = cells.map(Number)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(counts[0]).toBeGreaterThan(counts.at(-1)!)
    await head('Pages').click()
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Pages' }).waitFor()
    expect(page.url()).toContain('#/sites?sort=pages&order=up')
    await page.goBack()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Pages' }).waitFor()
    await page.getByRole('searchbox').fill(largestSite)
    await page.getByRole('searchbox').press('Enter')
    await page.locator('.pager', { hasText: '1–1 of 1' }).waitFor()
    await first.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: largestSite }).waitFor()
    await page.goBack()
    expect(await page.getByRole('searchbox').inputValue()).toBe(largestSite)
    await page.context().close()
  })

  it('shows the requests of a site and the gaps between them, and moves along them by keyboard', async () => {
    const { page } = await open(views()['site'])
    await page.locator('.timeline .request').first().waitFor()
    const slider = page.getByRole('slider', { name: 'Request' })
    const before = await slider.getAttribute('aria-valuetext')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    const after = await slider.getAttribute('aria-valuetext')
    expect(before).toMatch(/^Request \d+ of \d+: \d\d:\d\d:\d\d, .*gap before it [\d.]+\s(ms|s|min)/)
    expect(after).not.toBe(before)
    await page.getByRole('link', { name: '15', exact: true }).click()
    await until(page, `document.querySelectorAll('.timeline .request').length <= 15`)
    await page.context().close()
  })

  it('pages through a list of the server', async () => {
    const { page } = await open('#/pages?sort=discovered')
    const first = page.locator('tbody tr').first()
    expect(await first.getAttribute('data-key')).toBe('0')
    expect(await page.locator('tbody tr').count()).toBe(50)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.locator('.pager', { hasText: '51–100 of' }).waitFor()
    expect(await first.getAttribute('data-key')).toBe('50')
    await page.getByLabel('State').selectOption('failed')
    await page.locator('tbody .badge.of-failed').first().waitFor()
    await settled(page)
    expect(await page.locator('tbody .badge:not(.of-failed)').count()).toBe(0)
    await page.context().close()
  })

  it('finds pages by their text, and explains one', async () => {
    const { page } = await open('#/pages')
    await page.getByRole('searchbox').fill('harvest')
    await page.getByLabel('in', { exact: true }).selectOption('text')
    await page.locator('.hits mark').first().waitFor()
    await page.locator('.hits a').first().click()
    await page.getByRole('button', { name: 'Explain' }).click()
    expect(await page.locator('.explanation').innerText()).toContain('page 1 of the crawl')
    await page.context().close()
  })

  it('shows text, headers and links of a hostile page as text only, its archived text in a frame without rights', async () => {
    const { page } = await open(views()['page'])
    const title = await page.locator('h1').innerText()
    expect(title).toContain('<script>window.attacked=1</script>')
    expect(title).not.toContain('\u202E')
    expect(await page.locator('.headers').innerText()).toContain('onerror="window.attacked=1"')
    expect(await page.locator('main script, main img').count()).toBe(0)
    const frame = page.locator('iframe.archived')
    expect(await frame.getAttribute('sandbox')).toBe('')
    const archived = (await (await frame.elementHandle()).contentFrame())!
    await archived.waitForLoadState()
    expect(await archived.locator('body').innerText()).toContain('harvest')
    expect(await archived.locator('script, img, svg').count()).toBe(0)
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
    await page.context().close()
  })

  it('zooms into the map by pointer and by keyboard', async () => {
    const { page } = await open('#/map')
    const tiles = page.locator('a.tile')
    await tiles.first().waitFor()
    const [first, second] = await Promise.all([0, 1].map((i) => tiles.nth(i).getAttribute('data-name')))
    await tiles.first().focus()
    await page.keyboard.press('ArrowRight')
    const focused = await page.evaluate<string>('document.activeElement.dataset.name')
    expect(focused).not.toBe(first)
    await page.keyboard.press('Enter')
    await page.locator('.crumbs', { hasText: focused }).waitFor()
    await page.goBack()
    await page.locator(`a.tile[data-name="${second}"]`).click({ position: { x: 4, y: 4 } })
    await page.locator('.crumbs', { hasText: second! }).waitFor()
    await page.context().close()
  })

  it('zooms the graph of sites, and goes through them by keyboard', async () => {
    const { page } = await open('#/map?show=links')
    const graph = page.locator('svg.graph')
    const whole = await graph.getAttribute('viewBox')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(await graph.getAttribute('viewBox')).not.toBe(whole)
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await graph.getAttribute('viewBox')).toBe(whole)
    await page.locator('.node[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('.graph-frame .chosen').innerText()).toContain('% held')
    await page.keyboard.press('Enter')
    await page.getByText('Requests and the gaps between them').waitFor()
    await page.context().close()
  })

  it('reaches the content by keyboard, and shows where the focus is', async () => {
    const { page } = await open('#/sites')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).toBe('site-search')
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
    await page.context().close()
  })

  it('keeps the chosen theme', async () => {
    const { page } = await open()
    const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await settled(page)
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: 'Use the light theme' }).click()
    expect(await background()).toBe(light)
    await page.context().close()
  })

  it('asks for the token where reading needs it, and keeps it in this tab only', async () => {
    const dashboard = await openDashboard({
      source: new RecordedSource(CrawlFolder.open(out)),
      address: { host: '0.0.0.0', port: 0 },
    })
    const { page } = await open()
    const address = `http://127.0.0.1:${new URL(dashboard.url).port}/#/page?page=${hostilePage}`
    await page.goto(address)
    await page.locator('#token-input').fill('a wrong token')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('alert').filter({ hasText: 'not the token' }).waitFor()
    await page.locator('#token-input').fill(dashboard.token)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.locator('.headers').waitFor()
    expect(await page.locator('.views').innerText()).not.toContain('Control')
    const archived = (await (await page.locator('iframe.archived').elementHandle()).contentFrame())!
    await archived.locator('body', { hasText: 'harvest' }).waitFor()
    expect(await page.evaluate('Object.keys(localStorage).length + document.cookie.length')).toBe(0)
    expect(page.url()).not.toContain(dashboard.token)
    await page.context().close()
    await dashboard.close()
  })

  describe('controls', () => {
    let page: Page
    const dialog = (): Locator => page.getByRole('dialog')
    const done = (): Locator => page.locator('.banner.good')

    /** Clicks a button, confirms, and waits for the entry in the list of changes. */
    async function confirmed(button: string, confirm: string, action: string): Promise<string> {
      const entries = page.locator('.feed .answer', { hasText: new RegExp(`^${action}$`) })
      const before = await entries.count()
      await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
      const text = await dialog().innerText()
      await dialog().getByRole('button', { name: confirm, exact: true }).click()
      await dialog().waitFor({ state: 'detached' })
      await entries.nth(before).waitFor()
      await settled(page)
      return text
    }

    it('are not there without the token', async () => {
      ;({ page } = await open('#/control'))
      await page.getByText('needs the token').waitFor()
      expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Enter the token' }).click()
      await page.locator('#token-input').fill(crawl.token)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Pause' }).waitFor()
    })

    it('do nothing if the dialog is cancelled or closed with Escape', async () => {
      for (const leave of [
        () => dialog().getByRole('button', { name: 'Cancel' }).click(),
        () => page.keyboard.press('Escape'),
      ]) {
        await page.getByRole('button', { name: 'Pause' }).click()
        // A second Enter must not act.
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel')
        await leave()
        await dialog().waitFor({ state: 'detached' })
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Pause…')
      }
      expect(await page.locator('.phase').innerText()).toBe('crawling')
    })

    it('pause and continue the crawl', async () => {
      await confirmed('Pause…', 'Pause', 'pause')
      await page.locator('.phase[data-phase="paused"]').waitFor()
      await page.getByText('The crawl is paused.').waitFor()
      await confirmed('Continue…', 'Continue', 'resume')
      await page.locator('.phase[data-phase="crawling"]').waitFor()
    })

    it('change budgets and the gap, and show old and new values first', async () => {
      await page.getByLabel('Pages at most').fill('4000')
      await page.getByLabel('Gap, seconds').fill('0.5')
      const text = await confirmed('Change…', 'Change', 'settings')
      expect(text).toContain('Pages at most: none → 4,000')
      expect(text).toContain('Gap, seconds: 0 → 0.5')
      expect(await page.getByLabel('Pages at most').inputValue()).toBe('4000')
      expect(await done().innerText()).toContain('Done')
    })

    it('exclude a pattern, add a page, and retry failed pages', async () => {
      await page.getByLabel('Pattern').fill('/excluded/**')
      await confirmed('Exclude…', 'Exclude', 'exclude')
      await page.locator('.patterns', { hasText: '/excluded/**' }).waitFor()
      await page.getByLabel('URL').fill(`${crawl.seedUrl.replace(/[^/]*$/, '')}added`)
      await confirmed('Add…', 'Add', 'seed')
      await confirmed('Retry…', 'Retry', 'retry')
    })

    it('show why a change is refused, and keep the dialog open', async () => {
      // The form itself refuses settings out of range.
      await page.getByLabel('Connections').fill('100000000')
      await page.getByRole('button', { name: 'Change…' }).click()
      expect(await page.locator('#setting-connections:invalid').count()).toBe(1)
      expect(await dialog().count()).toBe(0)
      await page.getByLabel('URL').fill(crawl.seedUrl)
      await page.getByRole('button', { name: 'Add…' }).click()
      await dialog().getByRole('button', { name: 'Add', exact: true }).click()
      await dialog().getByRole('alert').filter({ hasText: 'knows this page already' }).waitFor()
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'control-refused')
      await dialog().getByRole('button', { name: 'Cancel' }).click()
    })

    it('stop the crawl; the page then says that the server is gone', async () => {
      await screenshot(page, 'control-token-1280')
      await page.getByRole('button', { name: 'Stop…' }).click()
      expect(await dialog().innerText()).toContain('rankward resume')
      await dialog().getByRole('button', { name: 'Stop the crawl' }).click()
      await crawl.done
      await page
        .getByRole('alert')
        .filter({ hasText: /^No connection|has ended, and its dashboard/ })
        .waitFor()
      await screenshot(page, 'disconnected-1280')
    })

    it('are not offered for a crawl that has ended', async () => {
      const dashboard = await openDashboard({
        source: new RecordedSource(CrawlFolder.open(out)),
        address: { host: '127.0.0.1', port: 0 },
      })
      await page.goto(dashboard.url)
      await page.locator('.phase[data-phase="ended"]').waitFor()
      await settled(page)
      expect(await page.locator('.views').innerText()).not.toContain('Control')
      expect(await page.locator('.figure.is-left .value').innerText()).toBe('ended')
      await screenshot(page, 'ended-1280')
      await page.context().close()
      await dashboard.close()
    })
  })
})
