/** Debian's Chromium, for tests of pages. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'chromium'))
  .find((path) => existsSync(path))

/** True: tests are skipped. In CI there is no excuse: `npm run setup` installs it there. */
export const withoutChromium = executablePath === undefined && process.env['CI'] !== 'true'
export const chromiumNote = withoutChromium
  ? ' (skipped: chromium is not installed, `npm run setup -- --debian` does that)'
  : ''

export async function startChromium(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('chromium is not installed: `apt-get install chromium` as root.')
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
  })
}
