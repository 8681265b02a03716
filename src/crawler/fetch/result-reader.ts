/**
 * Reads completed requests by their purpose: decodes and fingerprints the body, and extracts the data for the
 * main thread.
 */
import { hash } from 'node:crypto'
import { base32 } from '../../lib/base32.ts'
import { copyFields, namesOf } from '../page-field.ts'
import { fetchedFields } from '../page-fields.ts'
import type { FetchResult, ResultDraft } from '../world/fetch-result.ts'
import type { ThreadSettings } from '../world/messages.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import { blankResult } from '../world/result-message.ts'
import { robotsBytesMax } from '../../web/robots/robots-lines.ts'
import { withoutForeignUser } from '../../web/url/url-user.ts'
import { boundedGunzip, isGzip } from '../../web/sitemap/bounded-gunzip.ts'
import type { PartReader } from '../parts/part-reader.ts'
import { parseSitemap } from '../../web/sitemap/sitemap-reader.ts'
import { type DecodedBody, type Miscoding, decodeBody } from '../../web/http/content-coding.ts'
import { essence, isHtml } from '../../web/http/html-type.ts'
import { urlCharsMax } from './link-collector.ts'
import { noLinks, PageReader } from './page-reader.ts'
import { headerPairs, ResponseHeaders } from '../../web/http/response-headers.ts'
import { wallOf } from '../../web/http/walls.ts'
import type { CompletedRequest } from './site-connection.ts'
import { isUrl } from '../../lib/host.ts'

interface ReadResult {
  readonly result: FetchResult
  /** Digest of the body as transferred; undefined without a response or without an archive. */
  readonly payloadDigest: string | undefined
}

/** The fields that a response has by the same name. */
const responseFields = namesOf(fetchedFields, ({ from }) => from === 'response')
const noContent = { bodyLow: 0, bodyHigh: 0, textLow: 0, textHigh: 0 }
const emptyResult = Object.assign({ ...blankResult }, noLinks, noContent) as unknown as FetchResult

const redirects = new Set([301, 302, 303, 307, 308])

export class ResultReader {
  readonly #settings: ThreadSettings
  readonly #pages: PageReader
  readonly #parts: readonly PartReader[]
  readonly #responses: readonly PartReader[]

  constructor(settings: ThreadSettings, parts: readonly PartReader[] = []) {
    this.#settings = settings
    this.#parts = parts
    this.#responses = parts.filter((part) => part.response !== undefined)
    this.#pages = new PageReader(settings, parts)
  }

  /** `links`: of a document that was made of a page, URLs that count as links of it too. */
  read(completed: CompletedRequest, links?: readonly string[]): ReadResult {
    const { request, response } = completed
    const result = draftOf(completed)
    if (response.failure !== undefined) return { result, payloadDigest: undefined }
    if (response.status === 304 && !isConditional(request)) {
      return refused(result, 'not modified (304), although nothing was asked for on that condition')
    }
    const headers = new ResponseHeaders(response.headers)
    const decoded = decodeBody(response.body, headers.contentEncoding, this.#bytesMax(request))
    // The missing half of a robots.txt might forbid what the first half allows.
    if (request.purpose === 'robots' && decoded.breaksOff && isSuccess(response)) {
      return refused(result, 'compressed data without their end')
    }
    const payloadDigest = this.#fingerprint(response.body, decoded.bytes, result)
    result.miscoded = decoded.miscoded ?? unnamedEncoding(decoded.bytes, headers.contentType)
    readHeaders(completed, headers, result)
    result.blocked = wallOf(response.status, response.headers, decoded.bytes)
    if (result.blocked !== undefined) {
      result.failureText = `${response.status} by a wall of ${result.blocked}, not by the site`
    }
    result.body = this.#bodyFor(completed, decoded)
    this.#readParts(completed, result)
    if (this.#wantsBody(request)) result.headers = headerPairs(response.headers).flat()
    this.#readContent(completed, headers, decoded, result, links)
    result.cut = !decoded.isWhole || result.cut === true ? true : undefined
    return { result, payloadDigest }
  }

  /** Room for the whole readable part of a robots.txt: the limit is only approximate. */
  #bytesMax({ purpose }: FetchRequest): number {
    const { bodyBytesMax } = this.#settings
    return purpose === 'robots' ? Math.max(4 * robotsBytesMax, bodyBytesMax) : bodyBytesMax
  }

  /** Returns the digest of the body as transferred; undefined without an archive. */
  #fingerprint(body: Uint8Array, bytes: Uint8Array, result: ResultDraft): string | undefined {
    const sha = hash('sha1', bytes, 'buffer')
    if (bytes.length > 0) {
      result.bodyLow = sha.readUInt32LE(0)
      result.bodyHigh = sha.readUInt32LE(4)
    }
    if (this.#settings.archive === undefined) return undefined
    return `sha1:${base32(bytes === body ? sha : hash('sha1', body, 'buffer'))}`
  }

  /** What parts read of any response. */
  #readParts(
    { request: { url, purpose }, response: { headers } }: CompletedRequest,
    result: ResultDraft,
  ): void {
    if (this.#responses.length === 0 || purpose === 'robots') return
    for (const part of this.#responses) Object.assign(result, part.response!({ url, headers }))
  }

  /** The content of a page, a sitemap or a style sheet. */
  #readContent(
    { request, response }: CompletedRequest,
    headers: ResponseHeaders,
    { bytes: body, isCoded }: DecodedBody,
    result: ResultDraft,
    links: readonly string[] | undefined,
  ): void {
    const { url, purpose, leaf: isLeaf = false } = request
    if (purpose === 'robots') return
    if (purpose === 'requisite') {
      if (isSuccess(response)) this.#readSide(url, headers, body, result)
    } else if (result.location !== undefined) {
      this.#pages.readRedirect(url, result.location, isLeaf, result)
    } else if (isSuccess(response)) {
      if (purpose === 'sitemap') {
        const sitemap = parseSitemap(body, url)
        this.#pages.readSitemap(url, sitemap, result)
        result.cut = sitemap.truncated
      } else if (isHtml(headers.contentType, body, isCoded)) {
        this.#pages.read({ url, headers, body, isLeaf, links }, result)
      } else if (essence(headers.contentType ?? '').startsWith('text/')) {
        const { contentType } = headers
        for (const part of this.#parts) Object.assign(result, part.plainText?.({ url, contentType, body }))
      }
    }
  }

  /** The response to a request of a part. */
  #readSide(url: string, { contentType }: ResponseHeaders, body: Uint8Array, result: ResultDraft): void {
    for (const part of this.#parts) Object.assign(result, part.side?.({ url, contentType, body }))
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
    return this.#wantsBody(request) ? new Uint8Array(body) : undefined
  }

  #wantsBody({ wantsBody }: FetchRequest): boolean {
    return this.#settings.wantsBodies || wantsBody === true
  }
}

/** A result without content. All have the same fields, as the main thread gets them: a result composed of others is slow to make. */
function draftOf({ site, request, response, last }: CompletedRequest): ResultDraft {
  const result: ResultDraft = { ...emptyResult }
  result.id = request.id
  result.site = site
  result.purpose = request.purpose
  result.last = last
  result.bytes = response.body.length
  copyFields(responseFields, response, result)
  return result
}

function readHeaders(
  { request, response }: CompletedRequest,
  headers: ResponseHeaders,
  result: ResultDraft,
): void {
  const { lastModified } = headers
  result.contentType = headers.contentType
  if (redirects.has(response.status)) result.location = absolute(headers.location, request.url)
  result.retryAfter = headers.retryAfter
  if (request.purpose !== 'page' || isConditional(request) || lastModified) result.date = headers.date
  result.etag = headers.etag
  result.lastModified = lastModified
}

/** Whether a page is requested only if it has changed. */
function isConditional({ etag, lastModified }: FetchRequest): boolean {
  return etag !== undefined || lastModified !== undefined
}

/** A response that cannot be used. */
function refused(result: ResultDraft, failureText: string): ReadResult {
  result.failure = 'bad-http'
  result.failureText = failureText
  result.status = 0
  return { result, payloadDigest: undefined }
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
