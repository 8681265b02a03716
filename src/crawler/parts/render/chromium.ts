/**
 * How Chromium is started. It cannot reach any network by itself (*fail closed*): its proxy
 * leads nowhere, names have no addresses, and WebRTC needs a proxy. All of its requests are answered by us (browser.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Cdp } from './cdp.ts'

export interface ChromiumOptions {
  readonly path: string
  readonly hasSandbox: boolean
  readonly heapMegabytes: number
  /** For tests that show what the flags below hold back. Default: true. */
  readonly isClosed?: boolean
}

/** Without these, requests that interception does not see leave the machine. */
export const closedFlags: readonly string[] = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Features that start processes or requests of the browser's own. */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'CertificateTransparencyComponentUpdater',
  'AutofillServerCommunication',
  'PaintHolding',
  // Pages of loopback and of private addresses are ours to refuse, by the rules of every request.
  'LocalNetworkAccessChecks',
  'BlockInsecurePrivateNetworkRequests',
]

function flagsOf({ hasSandbox, heapMegabytes, isClosed = true }: ChromiumOptions, profile: string): string[] {
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(isClosed ? closedFlags : []),
    ...(hasSandbox ? [] : ['--no-sandbox']),
    `--js-flags=--max-old-space-size=${heapMegabytes}`,
    `--disable-features=${disabledFeatures.join()}`,
    '--disable-background-networking',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-gpu',
    '--disable-hang-monitor',
    '--disable-notifications',
    '--disable-prompt-on-repost',
    '--disable-search-engine-choice-screen',
    '--disable-sync',
    '--force-color-profile=srgb',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
  ]
}

const preferences = JSON.stringify({
  net: { network_prediction_options: 2 },
  dns_prefetching: { enabled: false },
  safebrowsing: { enabled: false },
  search: { suggest_enabled: false },
  alternate_error_pages: { enabled: false },
})

/**
 * The guardian: a shell that starts the browser, both in a process group of their own, and ends the group when its standard input closes.
 * That happens when this process ends, in whatever way.
 */
const guardian = `
"$@" </dev/null >/dev/null 2>&1 &
exec 3<&- 4>&-
while read -r _; do :; done
kill -9 0
`

export interface StartedChromium {
  readonly cdp: Cdp
  readonly guardian: ChildProcess
  /** Ends the browser and all of its processes. */
  readonly end: () => Promise<void>
}

export function startChromium(options: ChromiumOptions): StartedChromium {
  const profile = newProfile()
  const args = ['-c', guardian, 'guardian', options.path, ...flagsOf(options, profile)]
  const child = spawn('/bin/sh', args, {
    // Signals of the terminal are for the crawl, which ends the browser itself.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [stdin, , , to, from] = child.stdio as [NodeJS.WritableStream, null, null, Writable, Readable]
  stdin.on('error', () => {})
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const end = async (): Promise<void> => {
    stdin.end()
    await exited
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { cdp: new Cdp(to, from), guardian: child, end }
}

const prefix = 'rankward-render-'

/** A new profile folder. Those of processes that have ended are removed: they were killed. */
function newProfile(): string {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^rankward-render-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
  const profile = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default', 'Preferences'), preferences)
  return profile
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
