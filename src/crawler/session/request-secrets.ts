/**
 * Secrets of requests, read from the user's files when a session begins. The record, crawl.json and the archive have
 * the paths of the files only, and no message repeats a line of them.
 */
import { readFileSync, statSync } from 'node:fs'
import type { SerializedCookie } from 'tough-cookie'
import { unreadable } from '../../lib/files/byte-source.ts'
import { RankwardError } from '../../lib/errors.ts'
import { proxyList } from '../parts/proxies/options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { proxyValue } from '../options/value-kinds.ts'
import { parseCookieFile } from '../parts/cookies/netscape-file.ts'
import type { HostCredentials } from '../../web/http/request-headers.ts'
import { isHostPattern } from '../../web/url/host-pattern.ts'

export interface RequestSecrets {
  readonly credentials: readonly HostCredentials[]
  readonly proxies: readonly string[]
  readonly cookies: readonly SerializedCookie[]
}

/**
 * Throws if a file cannot be read, is open to others, or has a line that is not valid. `readsCookies`: a resumed
 * crawl has cookies of its own, which may be newer than those of the file.
 */
export function readSecrets(settings: CrawlSettings, readsCookies = true): RequestSecrets {
  const { auth, proxies, cookies } = settings
  return {
    credentials: auth === undefined ? [] : readCredentials(auth),
    proxies: [...proxyList(settings), ...(proxies === undefined ? [] : readProxies(proxies))],
    cookies: cookies === undefined || cookies === 'on' || !readsCookies ? [] : readCookies(cookies),
  }
}

function readCookies(path: string): SerializedCookie[] {
  return parseCookieFile(textOf(path), path)
}

function readProxies(path: string): string[] {
  const found = linesOf(path).map(({ text, number }) => {
    try {
      return proxyValue.read(text)
    } catch {
      throw badLine(path, number, 'the URL of an HTTP proxy such as http://proxy.example.org:3128')
    }
  })
  if (found.length === 0) throw new RankwardError('BAD_SECRETS', `${path} has no proxy.`)
  return found
}

/** Lines `HOST basic USER:PASSWORD` or `HOST bearer TOKEN`. */
function readCredentials(path: string): HostCredentials[] {
  return linesOf(path).map(({ text, number }) => {
    const [, scheme, host, kind, secret] = /^(https?:\/\/)?(\S+)\s+(basic|bearer)\s+(\S.*)$/i.exec(text) ?? []
    const isBasic = kind?.toLowerCase() === 'basic'
    if (secret === undefined || !isHostPattern(host) || (isBasic && !secret.includes(':')))
      throw badLine(path, number, '"HOST basic USER:PASSWORD" or "HOST bearer TOKEN"')
    if (!isBasic && !/^[\x21-\x7e]+$/.test(secret)) throw badLine(path, number, 'a token of printable ASCII')
    const value = isBasic ? Buffer.from(secret, 'utf8').toString('base64') : secret
    return {
      host: host.toLowerCase(),
      isSecure: scheme?.toLowerCase() !== 'http://',
      authorization: `${isBasic ? 'Basic' : 'Bearer'} ${value}`,
    }
  })
}

function badLine(path: string, number: number, expected: string): RankwardError {
  return new RankwardError('BAD_SECRETS', `${path}:${number}: expected ${expected}.`)
}

/** The lines of a small text file that others may not read, without empty lines and comments. */
function linesOf(path: string): { text: string; number: number }[] {
  const text = textOf(path)
  checkPrivate(path)
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, i) => ({ text: line.trim(), number: i + 1 }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** As ssh does. Windows has no such modes. */
function checkPrivate(path: string): void {
  const mode = statSync(path).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new RankwardError(
    'BAD_SECRETS',
    `${path} has secrets, and other users may read or change it (mode ${mode.toString(8).padStart(3, '0')}): chmod 600 ${path}`,
  )
}
