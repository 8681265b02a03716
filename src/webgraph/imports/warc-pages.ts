/**
 * The pages and links of WARC files, and of the WAT files that Common Crawl derives from them: the same records, with
 * the links of each page as JSON.
 */
import { decodeBody } from '../../web/http/content-coding.ts'
import { essence, isHtml } from '../../web/http/html-type.ts'
import { extractLinks } from '../../web/html/page.ts'
import { decodeHtml } from '../../web/charset/html-text.ts'
import type { WarcRecord } from '../../web/warc/warc-record.ts'
import type { ImportedPage } from './imported-page.ts'
import { isUrl } from '../../lib/host.ts'

const bodyBytesMax = 1 << 26

/** The page of a record; `skip` if it has none; undefined if it cannot be read. */
export function pageOfRecord(record: WarcRecord, wantsLinks: boolean): ImportedPage | 'skip' | undefined {
  const url = record.targetUri
  if (url === undefined) return 'skip'
  if (record.type === 'response') return responsePage(record, url, wantsLinks)
  const isJson = /^application\/json\b/i.test(record.field('Content-Type') ?? '')
  return record.type === 'metadata' && isJson ? watPage(record.block) : 'skip'
}

function responsePage(record: WarcRecord, url: string, wantsLinks: boolean): ImportedPage | 'skip' {
  const http = record.http()
  if (http === undefined) return 'skip'
  const status = Number(/^HTTP\/\S+ +(\d{3})/.exec(http.startLine)?.[1] ?? NaN)
  const values = (name: string): string[] =>
    http.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
  const [contentType] = values('content-type')
  const page = {
    url,
    ...(Number.isNaN(status) ? {} : { status }),
    ...(contentType === undefined ? {} : { type: essence(contentType) }),
  }
  if (!wantsLinks || status !== 200) return page
  const codings = values('content-encoding')
  const { bytes, isCoded } = decodeBody(record.payload(), codings.join(', ') || undefined, bodyBytesMax)
  if (!isHtml(contentType, bytes, isCoded)) return page
  const { text } = decodeHtml(bytes, contentType)
  const links = extractLinks(text, url).filter(({ nofollow }) => !nofollow)
  return { ...page, links: links.map((link) => link.url) }
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** The elements whose links a crawl follows. */
const followed = /^(?:A|AREA|FRAME|IFRAME)@\//i

/**
 * Metadata of a response; `skip` for those of requests and of the file itself. Links are relative to the page or its base.
 */
function watPage(block: Buffer): ImportedPage | 'skip' | undefined {
  let document: unknown
  try {
    document = JSON.parse(block.toString('utf8'))
  } catch {
    return undefined
  }
  const envelope = fieldsOf(fieldsOf(document)['Envelope'])
  const header = fieldsOf(envelope['WARC-Header-Metadata'])
  const http = fieldsOf(fieldsOf(envelope['Payload-Metadata'])['HTTP-Response-Metadata'])
  const { 'WARC-Target-URI': url, 'WARC-Type': type } = header
  if (type !== 'response' || typeof url !== 'string')
    return Object.keys(envelope).length === 0 ? undefined : 'skip'
  const status = Number(fieldsOf(http['Response-Message'])['Status'])
  const headers = Object.entries(fieldsOf(http['Headers'])).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )
  const html = fieldsOf(http['HTML-Metadata'])
  const base = baseOf(fieldsOf(html['Head'])['Base'], url)
  const links = Array.isArray(html['Links'])
    ? html['Links'].flatMap((link) => watLink(fieldsOf(link), base))
    : []
  return {
    url,
    ...(Number.isInteger(status) ? { status } : {}),
    ...(typeof headers?.[1] === 'string' ? { type: essence(headers[1]) } : {}),
    links,
  }
}

function baseOf(base: unknown, url: string): string {
  return typeof base === 'string' && isUrl(base, url) ? new URL(base, url).href : url
}

function watLink({ path, url, rel }: Fields, base: string): string[] {
  if (typeof path !== 'string' || typeof url !== 'string' || !followed.test(path)) return []
  if (typeof rel === 'string' && /\b(?:nofollow|ugc|sponsored)\b/i.test(rel)) return []
  return isUrl(url, base) ? [new URL(url, base).href] : []
}
