/**
 * The cookies of a crawl: one jar for each registered domain, since no cookie holds beyond it (tough-cookie refuses
 * cookies of public suffixes and of other domains). Everything is bounded; what exceeds a bound is dropped, the
 * oldest first:
 *
 *   | what | bound |
 *   | --- | --- |
 *   | Set-Cookie headers of a response that are read | 64 |
 *   | a cookie | 4,096 bytes |
 *   | cookies of a registered domain | 150, and 64 KiB |
 *   | the Cookie header of a request | 8 KiB |
 *   | all cookies | 32 MiB; the jars that were used least recently are dropped |
 */
import type * as ToughCookie from 'tough-cookie'
import type { Cookie, CookieJar, SerializedCookie } from 'tough-cookie'
import { registeredDomain, siteOf } from '../../../web/url/site.ts'
import { isUrl } from '../../../lib/host.ts'
import type { SetCookies } from '../../page-fields.ts'

/** The module, loaded only if a crawl keeps cookies. */
type CookieModule = Pick<typeof ToughCookie, 'Cookie' | 'CookieJar'>

const linesMax = 64
const cookieBytesMax = 4096
const headerBytesMax = 8192
const siteCookiesMax = 150
const siteBytesMax = 64 * 1024
const allBytesMax = 32 * 1024 * 1024
/** Of a cookie in memory, beside its texts. */
const overheadBytes = 200

interface SiteJar {
  readonly jar: CookieJar
  bytes: number
}

export class CookieJars {
  readonly #module: CookieModule
  readonly #allBytesMax: number
  /** By registered domain, the least recently used first. */
  readonly #jars = new Map<string, SiteJar>()
  #bytes = 0
  /** Whether a cookie was set or dropped since the last `saved`. */
  isChanged = false

  constructor(module: CookieModule, bytesMax = allBytesMax) {
    this.#module = module
    this.#allBytesMax = bytesMax
  }

  /** The value of the Cookie header for this URL; undefined if there are no cookies for it. */
  headerOf(url: string): string | undefined {
    const domain = domainOf(url)
    const site = this.#jars.get(domain)
    if (site === undefined) return undefined
    this.#jars.delete(domain)
    this.#jars.set(domain, site)
    let header = ''
    for (const cookie of site.jar.getCookiesSync(url)) {
      const text = cookie.cookieString()
      if (header.length + text.length + 2 <= headerBytesMax) header += `${header === '' ? '' : '; '}${text}`
    }
    return header === '' ? undefined : header
  }

  /** Stores the cookies of a response. Returns whether they begin a session: there were none for the URL before. */
  take({ url, lines }: SetCookies): boolean {
    const before = this.headerOf(url)
    const domain = domainOf(url)
    const site = this.#jars.get(domain) ?? { jar: new this.#module.CookieJar(), bytes: 0 }
    let isSet = false
    for (const line of lines.slice(0, linesMax)) {
      if (line.length > cookieBytesMax) continue
      isSet = site.jar.setCookieSync(line, url, { ignoreError: true }) !== undefined || isSet
    }
    if (!isSet) return false
    this.#keep(domain, site)
    return before === undefined && this.headerOf(url) !== undefined
  }

  /** All cookies that outlive this moment, as plain data. */
  saved(): SerializedCookie[] {
    this.isChanged = false
    return [...this.#jars.values()].flatMap(({ jar }) => jar.serializeSync()?.cookies ?? [])
  }

  /** Adds cookies of an earlier session or of a file. Those that are not valid are left out. */
  restore(cookies: readonly SerializedCookie[]): void {
    for (const data of cookies) {
      const cookie = this.#module.Cookie.fromJSON(data)
      if (cookie?.domain == null) continue
      const scheme = cookie.secure ? 'https' : 'http'
      const url = `${scheme}://${cookie.domain}${cookie.path ?? '/'}`
      if (!isUrl(url)) continue
      const domain = domainOf(url)
      const site = this.#jars.get(domain) ?? { jar: new this.#module.CookieJar(), bytes: 0 }
      // Cookies for one host only have no Domain attribute.
      if (cookie.hostOnly === true) cookie.domain = null
      if (site.jar.setCookieSync(cookie, url, { ignoreError: true }) !== undefined) this.#keep(domain, site)
    }
  }

  /** The number of cookies, for tests. */
  get count(): number {
    return [...this.#jars.values()].reduce((sum, { jar }) => sum + allOf(jar).length, 0)
  }

  /** Applies the bounds of a jar, and then those of all jars. */
  #keep(domain: string, site: SiteJar): void {
    this.isChanged = true
    const cookies = allOf(site.jar).toSorted((a, b) => a.creationIndex - b.creationIndex)
    let bytes = cookies.reduce((sum, cookie) => sum + bytesOf(cookie), 0)
    let left = cookies.length
    for (const cookie of cookies) {
      if (left <= siteCookiesMax && bytes <= siteBytesMax) break
      site.jar.store.removeCookie(cookie.domain, cookie.path, cookie.key, () => {})
      bytes -= bytesOf(cookie)
      left--
    }
    this.#bytes += bytes - (this.#jars.has(domain) ? site.bytes : 0)
    site.bytes = bytes
    this.#jars.delete(domain)
    this.#jars.set(domain, site)
    for (const [oldest, { bytes: freed }] of this.#jars) {
      if (this.#bytes <= this.#allBytesMax) break
      this.#jars.delete(oldest)
      this.#bytes -= freed
    }
  }
}

function domainOf(url: string): string {
  return registeredDomain(siteOf(url) ?? '')
}

/** The store is in memory and calls back at once. */
function allOf(jar: CookieJar): Cookie[] {
  let all: Cookie[] = []
  jar.store.getAllCookies((_error, cookies) => {
    all = cookies ?? []
  })
  return all
}

function bytesOf({ key, value, domain, path }: Cookie): number {
  return key.length + value.length + (domain?.length ?? 0) + (path?.length ?? 0) + overheadBytes
}
