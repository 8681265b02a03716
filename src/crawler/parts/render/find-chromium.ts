/** The Chromium of this machine. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'

/** Debian's own start script adds options of the machine; the program behind it takes ours alone. */
const debian = '/usr/lib/chromium/chromium'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const elsewhere = [
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const installing =
  'Install one (Debian: apt-get install chromium), or name its path: renderChromium in the config file, or --set renderChromium=PATH.'

/** The path of a Chromium or Chrome on this machine; undefined if there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [debian, ...onPath, ...elsewhere].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The Chromium that a crawl uses. Throws `NO_CHROMIUM`. */
export function neededChromium(given: string | undefined): string {
  const path = given ?? findChromium()
  if (path === undefined)
    throw new RankwardError(
      'NO_CHROMIUM',
      `--render needs Chromium or Chrome, and none was found. ${installing}`,
    )
  if (!isProgram(path))
    throw new RankwardError('NO_CHROMIUM', `${path} is not a program that can be started. ${installing}`)
  return path
}

/** "Chromium 156.0.1"; undefined if it does not start. */
function versionOf(path: string): string | undefined {
  try {
    return /[A-Z][\w ]* [\d.]+/.exec(
      execFileSync(path, ['--version'], { timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    )?.[0]
  } catch {
    return undefined
  }
}

/** What this machine has, in words. */
export function chromiumText(given: string | undefined): string {
  const path = given ?? findChromium()
  if (path === undefined) return `no Chromium was found. ${installing}`
  const version = isProgram(path) ? versionOf(path) : undefined
  return version === undefined ? `${path} does not start. ${installing}` : `${version}, ${path}`
}

/** As root, Chromium's sandbox does not start. Throws `NO_CHROMIUM`. */
export function mustHaveSandbox(hasSandbox: boolean): void {
  if (hasSandbox && process.getuid?.() === 0)
    throw new RankwardError(
      'NO_CHROMIUM',
      'Chromium has no sandbox if it is started by root, and pages run their scripts in it. Start the crawl as another user, or accept that with --render-no-sandbox.',
    )
}
