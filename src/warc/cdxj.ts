/**
 * CDXJ: one line per capture, `surt timestamp {json}`, by which replay tools find a URL in the WARC files.
 * Lines are written in the order of the crawl and sorted when their WARC file is finished.
 */
import { isUrl } from '../lib/is-url.ts'
export interface Capture {
  readonly url: string
  readonly dateMs: number
  readonly mime: string
  readonly status: number
  readonly digest: string | undefined
  readonly length: number
  readonly offset: number
  readonly filename: string
}

export function cdxjLine({ url, dateMs, ...capture }: Capture): string {
  const { mime, status, digest, length, offset, filename } = capture
  const json = {
    url,
    mime,
    status: String(status),
    // In the form of pywb and warcio: without the name of the algorithm.
    ...(digest === undefined ? {} : { digest: digest.replace(/^sha1:/, '') }),
    length: String(length),
    offset: String(offset),
    filename,
  }
  return `${surt(url)} ${cdxTimestamp(dateMs)} ${JSON.stringify(json)}\n`
}

export function cdxTimestamp(dateMs: number): string {
  return new Date(dateMs).toISOString().replace(/\D/g, '').slice(0, 14)
}

/**
 * The sort-friendly form of a URL, `com,example)/path?a=1&b=2`: host reversed, no scheme, no www, lower case,
 * parameters sorted. Any other URL is its own key.
 */
export function surt(url: string): string {
  if (!/^https?:/i.test(url) || !isUrl(url)) return url.replace(/\s/g, '%20')
  const { hostname, port, pathname, search } = new URL(url)
  const host = hostname.replace(/^www\d*\./, '')
  const reversed = host.startsWith('[') ? host : host.split('.').toReversed().join(',')
  const query = search.length > 1 ? `?${search.slice(1).toLowerCase().split('&').toSorted().join('&')}` : ''
  return `${reversed}${port === '' ? '' : `:${port}`})${pathname.toLowerCase()}${query}`
}

/** Lines in byte order, as binary search requires. */
export function sortedLines(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines
    .map((line) => Buffer.from(line))
    .toSorted((a, b) => Buffer.compare(a, b))
    .map((line) => `${line.toString()}\n`)
    .join('')
}
