/**
 * Reads completed requests by their purpose: decodes and fingerprints the body, and extracts the data for the
 * main thread.
 */
import { hash } from 'node:crypto'
import { base32 } from '../../lib/base32.ts'
import type { FetchResult, LinkList } from '../world/fetch-result.ts'
import type { ThreadSettings } from '../world/messages.ts'
import { robotsBytesMax } from '../../web/robots/robots-lines.ts'
import { withoutForeignUser } from '../../web/url/url-user.ts'
import { boundedGunzip, isGzip } from '../../web/sitemap/bounded-gunzip.ts'
import type { PartReader } from '../parts/part.ts'
import { parseSitemap } from '../../web/sitemap/sitemap-reader.ts'
import { type DecodedBody, type Miscoding, decodeBody } from '../../web/http/content-coding.ts'
import { essence, isHtml } from '../../web/http/html-type.ts'
import { urlCharsMax } from './link-collector.ts'
import { type ReadPage, noLinks, PageReader } from './page-reader.ts'
import { headerPairs, ResponseHeaders, setCookieLines } from '../../web/http/response-headers.ts'
import type { CompletedRequest } from './site-connection.ts'
import { isUrl } from '../../lib/host.ts'

interface ReadResult {
  readonly result: FetchResult
  /** Digest of the body as transferred; undefined without a response or without an archive. */
  readonly payloadDigest: string | undefined
}

/** The content of a page, a sitemap or a style sheet. */
type ReadContent = LinkList & Partial<ReadPage> & Pick<FetchResult, 'dates'>

/** The data of headers and body. */
interface ResponseContent
  extends
    Pick<
      FetchResult,
      'miscoded' | 'contentType' | 'location' | 'retryAfter' | 'date' | 'etag' | 'lastModified'
    >,
    Pick<FetchResult, 'bodyLow' | 'bodyHigh' | 'body' | 'setCookies' | 'headers'> {
  readonly isWhole: boolean
}

const noContent: ResponseContent = { bodyLow: 0, bodyHigh: 0, isWhole: true }

const redirects = new Set([301, 302, 303, 307, 308])

export class ResultReader {
  readonly #settings: ThreadSettings
  readonly #pages: PageReader
  readonly #parts: readonly PartReader[]

  constructor(settings: ThreadSettings, parts: readonly PartReader[] = []) {
    this.#settings = settings
    this.#parts = parts
    this.#pages = new PageReader(settings, parts)
  }

  read(completed: CompletedRequest): ReadResult {
    const { request, response } = completed
    if (response.failure !== undefined) {
      return { result: resultOf(completed, noLinks, noContent), payloadDigest: undefined }
    }
    if (response.status === 304 && request.etag === undefined && request.lastModified === undefined) {
      return refused(completed, 'not modified (304), although nothing was asked for on that condition')
    }
    const { bodyBytesMax, wantsBodies, warc } = this.#settings
    const headers = new ResponseHeaders(response.headers)
    // Room for the whole readable part of a robots.txt: the limit is only approximate.
    const bytesMax = request.purpose === 'robots' ? Math.max(4 * robotsBytesMax, bodyBytesMax) : bodyBytesMax
    const decoded = decodeBody(response.body, headers.contentEncoding, bytesMax)
    // The missing half of a robots.txt might forbid what the first half allows.
    if (request.purpose === 'robots' && decoded.breaksOff && isSuccess(response)) {
      return refused(completed, 'compressed data without their end')
    }
    const isPlain = decoded.bytes === response.body
    const bodySha = hash('sha1', decoded.bytes, 'buffer')
    const wireSha = isPlain || !warc ? bodySha : hash('sha1', response.body, 'buffer')
    const hasBody = decoded.bytes.length > 0
    const location = redirects.has(response.status) ? absolute(headers.location, request.url) : undefined
    const read = this.#content(completed, headers, decoded, location)
    const { contentType, lastModified } = headers
    const isDated = request.purpose !== 'page' || request.etag || request.lastModified || lastModified
    const result = resultOf(completed, read, {
      miscoded: decoded.miscoded ?? unnamedEncoding(decoded.bytes, contentType),
      contentType,
      location,
      retryAfter: headers.retryAfter,
      date: isDated ? headers.date : undefined,
      etag: headers.etag,
      lastModified,
      bodyLow: hasBody ? bodySha.readUInt32LE(0) : 0,
      bodyHigh: hasBody ? bodySha.readUInt32LE(4) : 0,
      isWhole: decoded.isWhole,
      body: this.#bodyFor(completed, decoded),
      setCookies: this.#setCookies(completed),
      headers: wantsBodies ? headerPairs(response.headers).flat() : undefined,
    })
    return { result, payloadDigest: warc ? `sha1:${base32(wireSha)}` : undefined }
  }

  /** Undefined if cookies are not kept, or the response sets none. */
  #setCookies({ request, response }: CompletedRequest): FetchResult['setCookies'] {
    const { cookies = 'none' } = this.#settings
    if (cookies === 'none' || request.purpose === 'robots') return undefined
    const lines = setCookieLines(response.headers)
    return lines.length === 0 ? undefined : { url: request.url, lines }
  }

  #content(
    { request, response }: CompletedRequest,
    headers: ResponseHeaders,
    { bytes: body, isCoded }: DecodedBody,
    location: string | undefined,
  ): ReadContent {
    const { url, purpose, leaf: isLeaf = false } = request
    if (purpose === 'robots') return noLinks
    if (purpose === 'requisite') return isSuccess(response) ? this.#side(url, headers, body) : noLinks
    if (location !== undefined) return this.#pages.readRedirect(url, location, isLeaf)
    if (!isSuccess(response)) return noLinks
    if (purpose === 'sitemap') {
      const sitemap = parseSitemap(body, url)
      return { ...this.#pages.readSitemap(url, sitemap), cut: sitemap.truncated }
    }
    return isHtml(headers.contentType, body, isCoded)
      ? this.#pages.read({ url, headers, body, isLeaf })
      : noLinks
  }

  /** The response to a request of a part. */
  #side(url: string, { contentType }: ResponseHeaders, body: Uint8Array): ReadContent {
    return Object.assign(
      { ...noLinks },
      ...this.#parts.map((part) => part.side?.({ url, contentType, body })),
    )
  }

  /** In new memory that can be transferred: part of a larger buffer would be sent whole. */
  #bodyFor(
    { request, response }: CompletedRequest,
    { bytes: body, isWhole }: DecodedBody,
  ): Uint8Array | undefined {
    if (request.purpose === 'robots') {
      if (!isSuccess(response)) return undefined
      // The rules count even if no header declares the gzip encoding.
      const text = isGzip(body) ? boundedGunzip(body, 4 * robotsBytesMax) : { bytes: body, isWhole }
      const isCut = !text.isWhole || response.truncated !== undefined || text.bytes.length > robotsBytesMax
      return new Uint8Array(isCut ? wholeLines(text.bytes.subarray(0, robotsBytesMax)) : text.bytes)
    }
    return this.#settings.wantsBodies ? new Uint8Array(body) : undefined
  }
}

/** A response that cannot be used. */
function refused(completed: CompletedRequest, failureText: string): ReadResult {
  const response = { ...completed.response, failure: 'bad-http' as const, failureText, status: 0 }
  return { result: resultOf({ ...completed, response }, noLinks, noContent), payloadDigest: undefined }
}

/** All fields of a result, always in the same order: objects composed of others took a tenth of the time of a page. */
function resultOf(
  { site, request, response, last }: CompletedRequest,
  read: ReadContent,
  content: ResponseContent,
): FetchResult {
  return {
    id: request.id,
    site,
    purpose: request.purpose,
    last,
    startMs: response.startMs,
    durationMs: response.durationMs,
    status: response.status,
    bytes: response.body.length,
    failure: response.failure,
    failureText: response.failureText,
    broken: response.broken,
    rejected: response.rejected,
    truncated: response.truncated,
    faults: response.faults,
    proxy: response.proxy,
    proxyFailed: response.proxyFailed,
    miscoded: content.miscoded,
    contentType: content.contentType,
    location: content.location,
    retryAfter: content.retryAfter,
    date: content.date,
    etag: content.etag,
    lastModified: content.lastModified,
    bodyLow: content.bodyLow,
    bodyHigh: content.bodyHigh,
    body: content.body,
    setCookies: content.setCookies,
    headers: content.headers,
    title: read.title,
    noindex: read.noindex,
    nofollow: read.nofollow,
    canonical: read.canonical,
    sketch: read.sketch,
    shape: read.shape,
    textLow: read.textLow ?? 0,
    textHigh: read.textHigh ?? 0,
    links: read.links,
    fingerprints: read.fingerprints,
    outside: read.outside,
    linksNofollow: read.linksNofollow,
    linksRel: read.linksRel,
    linksIgnoredRel: read.linksIgnoredRel,
    linksElsewhere: read.linksElsewhere,
    tooDeep: read.tooDeep,
    linksLow: read.linksLow,
    linksHigh: read.linksHigh,
    anchors: read.anchors,
    digest: read.digest,
    feeds: read.feeds,
    requisites: read.requisites,
    dates: read.dates,
    text: read.text,
    language: read.language,
    cut: !content.isWhole || read.cut === true ? true : undefined,
  }
}

/** gzip that is declared as text: its encoding was not declared, or not decoded. */
function unnamedEncoding(bytes: Uint8Array, contentType: string | undefined): Miscoding | undefined {
  return isGzip(bytes) && essence(contentType).startsWith('text/') ? 'still-coded' : undefined
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300
}

/** Part of a rule would be another rule: a truncated file ends with its last complete line. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1)
}

/** The target of a redirect; undefined if it cannot be requested. */
function absolute(location: string | undefined, url: string): string | undefined {
  if (location === undefined || location.length > urlCharsMax) return undefined
  if (!isUrl(location, url)) return undefined
  const { protocol, href } = new URL(location, url)
  return protocol === 'http:' || protocol === 'https:' ? withoutForeignUser(href, url) : undefined
}
