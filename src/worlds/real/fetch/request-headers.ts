/** The headers of each request. The user's headers replace ours of the same name. */
import type { FetchRequest, ThreadSettings } from '../messages.ts'
import { acceptedCodings } from './content-coding.ts'
import { isSecretHeader } from './secret-headers.ts'

export type HeaderPair = readonly [name: string, value: string]

export class RequestHeaders {
  readonly #always: readonly HeaderPair[]
  readonly #alwaysFlat: readonly string[]

  constructor({ userAgent, headers }: Pick<ThreadSettings, 'userAgent' | 'headers'>) {
    const given = new Set(headers.map(([name]) => name.toLowerCase()))
    const ours: HeaderPair[] = [
      ['User-Agent', userAgent],
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['Accept-Encoding', acceptedCodings],
    ]
    this.#always = [...ours.filter(([name]) => !given.has(name.toLowerCase())), ...headers]
    this.#alwaysFlat = this.#always.flat()
  }

  /** Names and values in turn. */
  flat(request: FetchRequest, authorization: string | undefined): string[] {
    const flat = this.#alwaysFlat.slice()
    const { etag, lastModified } = request
    // Validators come from a server, and may be invalid in a request.
    if (etag !== undefined && isHeaderValue(etag)) flat.push('If-None-Match', etag)
    if (lastModified !== undefined && isHeaderValue(lastModified)) {
      flat.push('If-Modified-Since', lastModified)
    }
    if (authorization !== undefined) flat.push('Authorization', authorization)
    return flat
  }

  /** As sent, for the archive, without secrets. http1-connection.ts writes the first two. */
  pairs(request: FetchRequest, host: string, authorization: string | undefined): HeaderPair[] {
    const flat = this.flat(request, authorization)
    const pairs: HeaderPair[] = [
      ['host', host],
      ['connection', 'keep-alive'],
    ]
    for (let i = 0; i < flat.length; i += 2) {
      if (!isSecretHeader(flat[i])) pairs.push([flat[i], flat[i + 1]])
    }
    return pairs
  }
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
