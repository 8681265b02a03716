/** From what arrived to what main is told of it: decoded, digested and read by its purpose. */
import { hash } from 'node:crypto'
import type { Topic } from '../../../topic/topic.ts'
import { base32 } from '../../../warc/digest.ts'
import type { Came, ThreadSettings } from '../messages.ts'
import { robotsBytesMax } from '../robots/robots-lines.ts'
import { withoutForeignUser } from '../url/url-user.ts'
import { boundedGunzip, isGzip } from '../sitemap/bounded-gunzip.ts'
import { parseSitemap } from '../sitemap/sitemap-reader.ts'
import { decodeBody } from './content-coding.ts'
import type { DecodedBody, Miscoding } from './content-coding.ts'
import type { Answer } from './exchange.ts'
import { essence, isHtml } from './html-type.ts'
import { urlCharsMax } from './link-collector.ts'
import { noLinks, PageReader } from './page-reader.ts'
import type { LinksRead, PageRead } from './page-reader.ts'
import { headerPairs, ResponseHeaders } from './response-headers.ts'
import type { Arrival } from './site-connection.ts'

export interface ArrivalRead {
  readonly came: Came
  readonly contentType: string | undefined
  /** Of the body as it was transferred; undefined: not asked for. */
  readonly payloadDigest: string | undefined
}

const redirects = new Set([301, 302, 303, 307, 308])
const noFingerprints = new Uint32Array(0)

export class ArrivalReader {
  readonly #settings: ThreadSettings
  readonly #pages: PageReader
  readonly #text = new Uint32Array(4)

  constructor(settings: ThreadSettings, topic?: Topic) {
    this.#settings = settings
    this.#pages = new PageReader(settings, topic)
  }

  read(arrival: Arrival): ArrivalRead {
    if (arrival.answer.failure !== undefined) {
      return { came: failed(arrival), contentType: undefined, payloadDigest: undefined }
    }
    const { request, answer } = arrival
    const { bodyBytesMax, wantsBodies, warc } = this.#settings
    const headers = new ResponseHeaders(answer.headers)
    // Room enough for all that is read of a robots.txt: a limit that is passed is met only roughly.
    const bytesMax = request.purpose === 'robots' ? Math.max(4 * robotsBytesMax, bodyBytesMax) : bodyBytesMax
    const decoded = decodeBody(answer.body, headers.contentEncoding, bytesMax)
    const isPlain = decoded.bytes === answer.body
    const bodySha = hash('sha1', decoded.bytes, 'buffer')
    const wireSha = isPlain || !warc ? bodySha : hash('sha1', answer.body, 'buffer')
    const hasBody = decoded.bytes.length > 0
    this.#text.fill(0)
    const location = redirects.has(answer.status) ? absolute(headers.location, request.url) : undefined
    const read = this.#links(arrival, headers, decoded, location)
    const page: Partial<PageRead> = read
    const came: Came = {
      ...base(arrival),
      failure: undefined,
      status: answer.status,
      bytes: answer.body.length,
      failureText: answer.failureText,
      broken: answer.broken,
      truncated: answer.truncated,
      faults: faultsOf(answer),
      miscoded: decoded.miscoded ?? unnamedCoding(decoded.bytes, headers.contentType),
      contentType: headers.contentType,
      location,
      retryAfter: headers.retryAfter,
      etag: headers.etag,
      lastModified: headers.lastModified,
      bodyLow: hasBody ? bodySha.readUInt32LE(0) : 0,
      bodyHigh: hasBody ? bodySha.readUInt32LE(4) : 0,
      textLow: this.#text[0],
      textHigh: this.#text[1],
      shape: this.#text[2],
      sketch: page.sketch,
      title: page.title,
      noindex: page.noindex,
      nofollow: page.nofollow,
      canonical: page.canonical,
      links: read.links,
      fingerprints: read.fingerprints,
      outside: read.outside,
      tooDeep: read.tooDeep,
      cut: page.cut || !decoded.isWhole ? true : undefined,
      anchors: read.anchors,
      digest: read.digest,
      text: page.text,
      language: page.language,
      body: this.#bodyFor(arrival, decoded),
      headers: wantsBodies ? headerPairs(answer.headers).flat() : undefined,
    }
    const payloadDigest = warc ? `sha1:${base32(wireSha)}` : undefined
    return { came, contentType: headers.contentType, payloadDigest }
  }

  #links(
    { request, answer }: Arrival,
    headers: ResponseHeaders,
    { bytes: body, isCoded }: DecodedBody,
    location: string | undefined,
  ): LinksRead | PageRead {
    const { url, purpose, leaf: isLeaf = false } = request
    if (purpose === 'robots') return noLinks
    if (location !== undefined) return this.#pages.readRedirect(url, location, isLeaf)
    if (!isSuccess(answer)) return noLinks
    if (purpose === 'sitemap') {
      const { urls, sitemaps } = parseSitemap(body, url)
      return this.#pages.readSitemap(
        url,
        urls.map((one) => one.url),
        sitemaps,
      )
    }
    return isHtml(headers.contentType, body, isCoded)
      ? this.#pages.read({ url, headers, body, isLeaf }, this.#text)
      : noLinks
  }

  /** In memory of its own, which can be handed over: a piece of a larger one would be sent whole. */
  #bodyFor({ request, answer }: Arrival, { bytes: body, isWhole }: DecodedBody): Uint8Array | undefined {
    if (request.purpose === 'robots') {
      if (!isSuccess(answer)) return undefined
      // A rule counts even where nobody says that it is in gzip.
      const text = isGzip(body) ? boundedGunzip(body, 4 * robotsBytesMax) : { bytes: body, isWhole }
      const isCut = !text.isWhole || answer.truncated !== undefined || text.bytes.length > robotsBytesMax
      return new Uint8Array(isCut ? wholeLines(text.bytes.subarray(0, robotsBytesMax)) : text.bytes)
    }
    return this.#settings.wantsBodies ? new Uint8Array(body) : undefined
  }
}

/** gzip that says it is text: somebody forgot to name the coding, or to take it off. */
function unnamedCoding(bytes: Uint8Array, contentType: string | undefined): Miscoding | undefined {
  return isGzip(bytes) && essence(contentType).startsWith('text/') ? 'still-coded' : undefined
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

function faultsOf({ faults }: Answer): Came['faults'] {
  return faults.length === 0 ? undefined : faults
}

function failed(arrival: Arrival): Came {
  const { failure, failureText } = arrival.answer
  const faults = faultsOf(arrival.answer)
  const nothing = { bodyLow: 0, bodyHigh: 0, textLow: 0, textHigh: 0, outside: 0, tooDeep: 0 }
  return {
    ...base(arrival),
    failure,
    failureText,
    faults,
    status: 0,
    bytes: 0,
    ...nothing,
    links: '',
    fingerprints: noFingerprints,
  }
}

function base({ site, request, answer, last }: Arrival): {
  id: number
  site: number
  purpose: Came['purpose']
  startMs: number
  durationMs: number
  last: boolean
} {
  const { id, purpose } = request
  return { id, site, purpose, startMs: answer.startMs, durationMs: answer.durationMs, last }
}

/** Half of a rule would be another rule: what was cut ends with its last whole line. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1)
}

/** Where a redirect leads to; undefined: nowhere that could be asked. */
function absolute(location: string | undefined, url: string): string | undefined {
  if (location === undefined || location.length > urlCharsMax) return undefined
  if (!URL.canParse(location, url)) return undefined
  const { protocol, href } = new URL(location, url)
  return protocol === 'http:' || protocol === 'https:' ? withoutForeignUser(href, url) : undefined
}
