/**
 * A real nginx for tests: a server that we did not write, with keep-alive, and an access log that we do not keep. All
 * its files stand in one temporary folder; it needs no root, listens on loopback addresses only, and dies with the
 * process that started it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '../../src/webgraph/served/listening.ts'
import { type ServableWeb, pageHtml } from '../../src/webgraph/served/served-web.ts'
import { addressOfSite, WebUrls } from '../../src/webgraph/served/web-urls.ts'
import { nginxConfig } from './nginx-config.ts'
import { type NginxAccess, parseAccessLog } from './nginx-log.ts'

/** Debian keeps it where only root's PATH leads. */
const nginxPath = program('nginx')
/** In CI there is no excuse: `npm run setup` installs it there. */
export const withoutNginx = nginxPath === undefined && process.env['CI'] !== 'true'
/** For the name of what is skipped: `describe.skipIf(withoutNginx)(`nginx${nginxNote}`, …)`. */
export const nginxNote = withoutNginx
  ? ' (skipped: nginx is not installed, `npm run setup -- --debian` does that)'
  : ''

export interface NginxOptions {
  /** Any that is free, unless given. */
  readonly port?: number
  /** How long an idle connection is kept; 120 unless given, 0 for none. */
  readonly keepAliveSeconds?: number
  /** Requests on one connection before nginx closes it; 1000 unless given. */
  readonly keepAliveRequests?: number
  /** More directives for every site, such as `limit_rate 10k;` or `location /slow { … }`. */
  readonly siteDirectives?: string
}

export interface Nginx {
  readonly port: number
  /** Waits, up to five seconds, for so many rows: nginx writes a row after the client has its answer. */
  accessLog(atLeast?: number): Promise<NginxAccess[]>
  /** Ends it and removes its folder; the log can be read no more. */
  stop(): Promise<void>
}

export interface NginxWeb extends Nginx {
  readonly urls: WebUrls
}

/** Serves a folder of static files on each address. */
export async function startNginx(
  folderOfAddress: ReadonlyMap<string, string>,
  options: NginxOptions = {},
): Promise<Nginx> {
  if (nginxPath === undefined) throw new Error('nginx is not installed: `apt-get install nginx` as root.')
  const port = options.port ?? (await freePorts(1, [...folderOfAddress.keys()]))[0]
  const folder = mkdtempSync(join(tmpdir(), 'rankward-nginx-'))
  const errorLog = join(folder, 'error.log')
  const accessLog = join(folder, 'access.log')
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig({ ...options, folder, port, folderOfAddress }))
  const child = spawnBound(nginxPath, ['-e', errorLog, '-p', folder, '-c', join(folder, 'nginx.conf')])
  const stop = async (): Promise<void> => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await listening(child, join(folder, 'nginx.pid'))
  } catch {
    const reason = existsSync(errorLog) ? readFileSync(errorLog, 'utf8') : ''
    await stop()
    throw new Error(`nginx did not start:\n${reason}`)
  }
  return {
    port,
    stop,
    accessLog: async (atLeast = 0) => {
      for (let waitedMs = 0; ; waitedMs += 10) {
        const rows = parseAccessLog(readFileSync(accessLog, 'utf8'))
        if (rows.length >= atLeast || waitedMs > 60_000) return rows
        await pause(10)
      }
    },
  }
}

/** Writes files by their paths within the folder: `{ 'index.html': '…', 'a/b.html': '…' }`. */
export function writeSite(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

/** Every page of a web as a file, with the URLs that `serveWeb` would give it on this port. */
export function writeWeb(
  web: ServableWeb,
  folder: string,
  { port, seed = 1, robots }: { port: number; seed?: number; robots?: (site: number) => string | undefined },
): Map<string, string> {
  const urls = new WebUrls(web.sites, port)
  const folderOf = (site: number): string => join(folder, urls.addressOf(site))
  for (let site = 0; site < web.sites.count; site++) {
    mkdirSync(join(folderOf(site), 'p'), { recursive: true })
    const rules = robots?.(site)
    if (rules !== undefined) writeFileSync(join(folderOf(site), 'robots.txt'), rules)
  }
  const links = web.graph.cursor()
  for (let page = 0; page < web.graph.pages; page++) {
    links.seek(page)
    const path = urls.pathOf(page)
    const file = join(folderOf(urls.siteOf(page)), path === '/' ? 'index.html' : path)
    writeFileSync(file, pageHtml(page, links, urls, seed))
  }
  return new Map(
    Array.from({ length: web.sites.count }, (_, site) => [urls.addressOf(site), folderOf(site)] as const),
  )
}

/** A web served by nginx as `serveWeb` serves it. */
export async function startNginxWeb(
  web: ServableWeb,
  options: NginxOptions & { seed?: number; robots?: (site: number) => string | undefined } = {},
): Promise<NginxWeb> {
  const pages = mkdtempSync(join(tmpdir(), 'rankward-web-'))
  const removePages = (): void => rmSync(pages, { recursive: true, force: true })
  try {
    const addresses = Array.from({ length: web.sites.count }, (_, site) => addressOfSite(site))
    const port = options.port ?? (await freePorts(1, addresses))[0]
    const nginx = await startNginx(writeWeb(web, pages, { ...options, port }), { ...options, port })
    const stop = (): Promise<void> => nginx.stop().finally(removePages)
    return { ...nginx, stop, urls: new WebUrls(web.sites, port) }
  } catch (error) {
    removePages()
    throw error
  }
}

function program(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** A child that the kernel ends with us, even if we are killed; where setpriv is absent, when we exit. */
function spawnBound(command: string, args: string[]): ChildProcess {
  const setpriv = program('setpriv')
  const child =
    setpriv === undefined
      ? spawn(command, args, { stdio: 'ignore' })
      : spawn(setpriv, ['--pdeathsig', 'TERM', command, ...args], { stdio: 'ignore' })
  const kill = (): void => void child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** nginx writes its number into this file once it listens everywhere; before that it tries for two seconds. */
async function listening(child: ChildProcess, pidFile: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 10) {
    if (child.exitCode !== null || child.signalCode !== null) break
    if (existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n')) return
    await pause(10)
  }
  throw new Error('not listening')
}
