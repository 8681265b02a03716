/** Debian's Chromium, for tests of pages. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'chromium'))
  .find((path) => existsSync(path))

/** True: tests are skipped. In CI there is no excuse: `npm run setup` installs it there. */
export const withoutChromium = executablePath === undefined && process.env['CI'] !== 'true'
export const chromiumNote = withoutChromium
  ? ' (skipped: chromium is not installed, `npm run setup -- --debian` does that)'
  : ''

/** A limit for what a page waits for: it catches a hang, never a busy machine. */
export const patience = { timeout: 300_000 }

export async function startChromium(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('chromium is not installed: `apt-get install chromium` as root.')
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
    ...patience,
  })
}

export async function newTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const tab = await browser.newPage(options)
  tab.setDefaultTimeout(patience.timeout)
  return tab
}
