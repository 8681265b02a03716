/**
 * Who may do what. Three attacks come through a user's own browser: another site's page sends a request (CSRF), another
 * site's name is resolved to our address so that its page is of the same origin (DNS rebinding), another site's page embeds
 * ours. So every request needs a `Host` that is ours; requests of scripts need our `Origin`; and nothing is changed without
 * the token, which no browser adds by itself.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { ApiFailure } from './api-failure.ts'

interface AccessOptions {
  /** The address that the server listens on. */
  readonly host: string
  readonly port: number
  readonly token: string
  /** Further names of the server, such as that of a reverse proxy. */
  readonly names: readonly string[]
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) !== 0 && loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

/** Compares in constant time, whatever the lengths. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export class Access {
  readonly #options: AccessOptions
  /** True if reading needs no token: only this machine can connect. */
  readonly isOpen: boolean
  readonly #names: ReadonlySet<string>
  /** Permits reading, not control. */
  readonly #readKey: string

  constructor(options: AccessOptions) {
    this.#options = options
    this.isOpen = isLoopback(options.host)
    this.#names = new Set(options.names.map((name) => name.toLowerCase()))
    this.#readKey = createHmac('sha256', options.token).update('read').digest('base64url')
  }

  /** Refuses requests for another host and requests by pages of another origin. */
  checkSource({ headers }: IncomingMessage): void {
    const { host = '', origin } = headers
    if (!this.#isOurs(host))
      throw new ApiFailure('forbidden', 'The Host header is not that of the dashboard.')
    if (origin !== undefined && !isOriginOf(origin, host)) {
      throw new ApiFailure('forbidden', 'The request comes from another origin.')
    }
  }

  /** Refuses what a page of another site made the browser request, where no Origin is sent. */
  checkSite({ headers }: IncomingMessage): void {
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new ApiFailure('forbidden', 'The request comes from another site.')
    }
  }

  checkReading(request: IncomingMessage): void {
    if (this.isOpen || this.isKnown(request)) return
    throw new ApiFailure('unauthorized', 'Reading needs the token of the dashboard.')
  }

  /** True if the request has the token, or the cookie of a login. */
  isKnown(request: IncomingMessage): boolean {
    return this.hasToken(request) || isEqual(this.#cookieOf(request), this.#readKey)
  }

  checkControl(request: IncomingMessage): void {
    if (!this.hasToken(request)) {
      throw new ApiFailure(
        'unauthorized',
        'Control needs the token of the dashboard: Authorization: Bearer TOKEN.',
      )
    }
  }

  hasToken({ headers }: IncomingMessage): boolean {
    const [, token] = /^Bearer ([!-~]+)$/.exec(headers.authorization ?? '') ?? []
    return token !== undefined && this.isToken(token)
  }

  isToken(token: string): boolean {
    return isEqual(token, this.#options.token)
  }

  /** The value of a Set-Cookie header that permits reading. */
  get cookie(): string {
    return `${this.#cookieName}=${this.#readKey}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** Cookies are shared by all ports of a host. */
  get #cookieName(): string {
    return `rankward-${this.#options.port}`
  }

  #cookieOf({ headers }: IncomingMessage): string {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const start = `${this.#cookieName}=`
    return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? ''
  }

  /**
   * An address is never the result of DNS rebinding: only names are resolved. On a loopback address only loopback is ours.
   */
  #isOurs(header: string): boolean {
    const [, name = '', port = '80'] = /^(\[[\da-f:.]+\]|[^:@/\s[\]]+)(?::(\d+))?$/i.exec(header) ?? []
    const host = name.replace(/^\[(.*)\]$/, '$1').toLowerCase()
    if (this.#names.has(host)) return true
    if (Number(port) !== this.#options.port) return false
    if (isLoopback(host)) return true
    return !this.isOpen && (isIP(host) !== 0 || host === hostname().toLowerCase())
  }
}

/** True if a page of this origin has this host: same-origin. */
function isOriginOf(origin: string, host: string): boolean {
  try {
    const url = new URL(origin)
    return (
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      url.host === new URL(`${url.protocol}//${host}`).host
    )
  } catch {
    return false
  }
}
