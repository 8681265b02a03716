/**
 * CDXJ: one line per capture, `surt timestamp {json}`, by which replay tools find a URL in the WARC files.
 * Lines are written in the order of the crawl and sorted when their WARC file is finished.
 */

/** What a line of the index says. `digest`: with the name of its algorithm, `sha1:…`. */
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

/** The index beside a WARC file. */
export function indexPathOf(warc: string): string {
  return warc.replace(/\.warc(?:\.gz)?$/, '.cdxj')
}

export function cdxjLine({ url, dateMs, mime, status, digest, length, offset, filename }: Capture): string {
  // In the form of pywb and warcio: without the name of the algorithm.
  const digestField = digest === undefined ? '' : `"digest":${JSON.stringify(digest.replace(/^sha1:/, ''))},`
  return (
    `${surt(url)} ${cdxTimestamp(dateMs)} {"url":${JSON.stringify(url)},"mime":${JSON.stringify(mime)},"status":"${status}",` +
    `${digestField}"length":"${length}","offset":"${offset}","filename":${JSON.stringify(filename)}}\n`
  )
}

function cdxTimestamp(dateMs: number): string {
  return new Date(dateMs).toISOString().replace(/\D/g, '').slice(0, 14)
}

/**
 * The sort-friendly form of a URL, `com,example)/path?a=1&b=2`: host reversed, no scheme, no www, lower case,
 * parameters sorted. Any other URL is its own key.
 */
export function surt(url: string): string {
  const parsed = /^https?:/i.test(url) ? parsedUrl(url) : undefined
  if (parsed === undefined) return url.replace(/\s/g, '%20')
  const { hostname, port, pathname, search } = parsed
  const host = hostname.replace(/^www\d*\./, '')
  const reversed = host.startsWith('[') ? host : host.split('.').toReversed().join(',')
  const query = search.length > 1 ? `?${search.slice(1).toLowerCase().split('&').toSorted().join('&')}` : ''
  return `${reversed}${port === '' ? '' : `:${port}`})${pathname.toLowerCase()}${query}`
}

/** Parsed once: nearly all URLs here are valid. */
function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

/** Lines in byte order, as binary search requires. Of a text with one character for each byte. */
export function sortedLines(latin1: string): string {
  const lines = latin1.split('\n').filter((line) => line !== '')
  // Without a function of its own, sort compares UTF-16 code units, which are the bytes here.
  return lines
    .toSorted()
    .map((line) => `${line}\n`)
    .join('')
}
