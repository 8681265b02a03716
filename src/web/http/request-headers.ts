/**
 * The headers of each request. The user's headers replace ours of the same name, and those for a host the general
 * ones. Credentials belong to the hosts that they are given for: a request to another host, or to the same host
 * without TLS, has none, however it was found.
 */
import type { FetchRequest } from './http-request.ts'
import type { HttpSettings } from './http-settings.ts'
import { matchesHost } from '../url/host-pattern.ts'
import { acceptedCodings } from './content-coding.ts'
import { RequestSigner } from '../signatures/signature.ts'
import type { RequestPlace } from './request-place.ts'

export type HeaderPair = readonly [name: string, value: string]
/** A header for all hosts, or for those that match a pattern. */
export type HostHeader = readonly [name: string, value: string, host?: string]

/** The value of the Authorization header for some hosts. */
export interface HostCredentials {
  /** A pattern (url/host-pattern.ts). */
  readonly host: string
  /** Credentials are sent over https, unless they are given for http. */
  readonly isSecure: boolean
  readonly authorization: string
}

/** Hosts whose headers are kept. */
const hostsMax = 1000

type HostParts = Pick<RequestPlace, 'host' | 'isSecure' | 'authorization'>

export class RequestHeaders {
  readonly #general: readonly HeaderPair[]
  readonly #generalFlat: readonly string[]
  readonly #ofHosts: readonly HostHeader[]
  readonly #credentials: readonly HostCredentials[]
  readonly #archivesCookies: boolean
  readonly #signer: RequestSigner | undefined
  /** By scheme and host; names and values in turn. */
  readonly #kept = new Map<string, readonly string[]>()

  constructor(settings: Pick<HttpSettings, 'userAgent' | 'headers' | 'credentials' | 'cookies' | 'signing'>) {
    const { userAgent, headers, credentials = [] } = settings
    const ours: HeaderPair[] = [
      ['User-Agent', userAgent],
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['Accept-Encoding', acceptedCodings],
    ]
    const given = headers.filter(([, , host]) => host === undefined)
    this.#general = replaced(
      ours,
      given.map(([name, value]) => [name, value] as const),
    )
    this.#generalFlat = this.#general.flat()
    this.#ofHosts = headers.filter(([, , host]) => host !== undefined)
    this.#credentials = credentials
    this.#archivesCookies = settings.cookies === 'archived'
    this.#signer = settings.signing && new RequestSigner(settings.signing)
  }

  /** Names and values in turn. */
  flat(request: FetchRequest, place: HostParts): string[] {
    const flat = this.#alwaysOf(place).slice()
    const { etag, lastModified, cookie } = request
    // Validators come from a server, and may be invalid in a request.
    if (etag !== undefined && isHeaderValue(etag)) flat.push('If-None-Match', etag)
    if (lastModified !== undefined && isHeaderValue(lastModified)) {
      flat.push('If-Modified-Since', lastModified)
    }
    if (cookie !== undefined && isHeaderValue(cookie)) flat.push('Cookie', cookie)
    if (this.#signer !== undefined) flat.push(...this.#signer.headersFor(place.host, Date.now()))
    return flat
  }

  /** As sent, for the archive, without secrets. http1-connection.ts writes the first two. */
  pairs(request: FetchRequest, place: HostParts): HeaderPair[] {
    const flat = this.flat(request, place)
    const pairs: HeaderPair[] = [
      ['host', place.host],
      ['connection', 'keep-alive'],
    ]
    for (let i = 0; i < flat.length; i += 2) {
      const isArchived = !isSecretHeader(flat[i]) || (flat[i] === 'Cookie' && this.#archivesCookies)
      if (isArchived) pairs.push([flat[i], flat[i + 1]])
    }
    return pairs
  }

  #alwaysOf(place: HostParts): readonly string[] {
    const { host, isSecure, authorization } = place
    if (authorization !== undefined) {
      return replaced(this.#pairsOf(host), [['Authorization', authorization]]).flat()
    }
    if (this.#ofHosts.length + this.#credentials.length === 0) return this.#generalFlat
    const key = `${isSecure ? 'https' : 'http'} ${host}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const secret = this.#credentials.find((one) => one.isSecure === isSecure && matchesHost(one.host, host))
    const pairs = this.#pairsOf(host)
    const all = (
      secret === undefined ? pairs : replaced(pairs, [['Authorization', secret.authorization]])
    ).flat()
    if (this.#kept.size >= hostsMax) this.#kept.clear()
    this.#kept.set(key, all)
    return all
  }

  #pairsOf(host: string): readonly HeaderPair[] {
    const own = this.#ofHosts.filter(([, , pattern]) => matchesHost(pattern!, host))
    return own.length === 0
      ? this.#general
      : replaced(
          this.#general,
          own.map(([name, value]) => [name, value]),
        )
  }
}

/** The first headers without those that the others replace, then the others. */
function replaced(pairs: readonly HeaderPair[], others: readonly HeaderPair[]): readonly HeaderPair[] {
  const names = new Set(others.map(([name]) => name.toLowerCase()))
  return [...pairs.filter(([name]) => !names.has(name.toLowerCase())), ...others]
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const requestTarget = /^[\x21-\x7e]+$/

function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

/** Why this cannot be sent; undefined if it can. No value may contain a line end. */
export function requestProblem(target: string, headers: readonly string[]): string | undefined {
  if (!requestTarget.test(target)) return 'invalid request target'
  for (let i = 0; i < headers.length; i += 2) {
    if (!headerName.test(headers[i])) return 'invalid header name'
    if (!isHeaderValue(headers[i + 1])) return 'invalid header value'
  }
  return undefined
}

/** Request headers with credentials: neither archived nor shown, since archives are passed on. */
const secretNames = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'signature',
  'signature-input',
])

export function isSecretHeader(name: string): boolean {
  return secretNames.has(name.toLowerCase())
}
