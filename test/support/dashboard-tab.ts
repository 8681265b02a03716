/** A tab of Chromium with a dashboard, and what tests wait for and check in it. */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { patience } from './chromium.ts'

/** Kept after the tests, to look at. */
const screenshots = join(tmpdir(), 'rankward-screenshots')

export const widths = [360, 1280, 2560] as const
export type Width = (typeof widths)[number]
const heights = { 360: 740, 1280: 860, 2560: 1400 }

export interface Tab {
  readonly page: Page
  /** Errors in the console, requests to other hosts. */
  readonly complaints: string[]
}

export async function openTab(
  browser: Browser,
  url: string,
  { width = 1280, colorScheme = 'light' }: { width?: Width; colorScheme?: 'light' | 'dark' } = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: heights[width] }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(patience.timeout)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) complaints.push(request.url())
  })
  await page.goto(url)
  await settled(page)
  return { page, complaints }
}

/** Waits for a condition in the page. Not `waitForFunction`: it evaluates texts, which the policy of the page forbids. */
export async function until(page: Page, condition: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(condition), { ...patience, interval: 100 }).toBe(true)
}

/** Until everything on the page has been loaded. */
export async function settled(page: Page): Promise<void> {
  await until(
    page,
    `document.querySelector('main > *') !== null && document.querySelector('main [aria-busy], main .loading') === null`,
  )
}

/** Opens a view of the page that is loaded already. */
export async function show(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`)
  // After the event that announces the change.
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve))`)
  await settled(page)
}

/** Serious and critical violations. `only` limits the check to what may differ from an earlier one. */
export async function violations(
  page: Page,
  only: 'all' | 'contrast' | 'structure' = 'all',
): Promise<string[]> {
  await page.evaluate(axe.source)
  const rules = {
    all: {},
    contrast: { runOnly: ['color-contrast'] },
    structure: { rules: { 'color-contrast': { enabled: false } } },
  }[only]
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'], ...rules })
  const { violations: found } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

/** Pixels that the page is wider than the window, once it has had time to follow a change of the window's size. */
export async function pixelsOutside(page: Page): Promise<number> {
  let pixels = 0
  for (let frame = 0; frame < framesMax; frame++) {
    pixels = await page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() =>
        resolve(document.documentElement.scrollWidth - document.documentElement.clientWidth)))`,
    )
    if (pixels === 0) break
  }
  return pixels
}

/** Charts are drawn again in the frame after the one in which their place has another size. */
const framesMax = 100

export async function screenshot(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage })
}
