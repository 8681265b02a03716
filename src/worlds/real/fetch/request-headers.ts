/** The headers that each request carries. What the user gives replaces ours of the same name. */
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

  /** Names and values in turn, as undici takes them. */
  flat(request: FetchRequest, authorization: string | undefined): string[] {
    const flat = this.#alwaysFlat.slice()
    if (request.etag !== undefined) flat.push('If-None-Match', request.etag)
    if (request.lastModified !== undefined) flat.push('If-Modified-Since', request.lastModified)
    if (authorization !== undefined) flat.push('Authorization', authorization)
    return flat
  }

  /** As they were sent, for the archive, but for secrets: undici writes the first two itself. */
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
