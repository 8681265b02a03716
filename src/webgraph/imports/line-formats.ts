/**
 * Files of others with a page per line. The format is detected from the first line:
 *
 * | format | example of a line |
 * | --- | --- |
 * | URL list | `https://example.org/` |
 * | Heritrix `crawl.log` | `2026-01-31T12:00:00.000Z 200 1234 https://example.org/a L https://example.org/ text/html #001 …` |
 * | CDX, with or without its header | `org,example)/ 20260131120000 https://example.org/ text/html 200 …` |
 * | CDXJ | `org,example)/ 20260131120000 {"url": "https://example.org/", "status": "200", …}` |
 * | JSON lines or an array with an object per line (Scrapy, Crawlee) | `{"url": "https://example.org/", …}` |
 * | CSV with a column `url` (Scrapy) | `https://example.org/,200` |
 */
import type { ImportedPage } from './imported-page.ts'

interface LineFormat {
  readonly name: string
  /** The page of a line; `skip` for headers, comments and empty lines; undefined if the line cannot be read. */
  readonly parse: (line: string) => ImportedPage | 'skip' | undefined
}

/** The format of a file that begins with this line; undefined if it is none of them. */
export function lineFormatOf(first: string): LineFormat | undefined {
  if (/^ ?CDX /.test(first)) return cdxFormat(first)
  if (/^\S+ \d{14} ?\{/.test(first)) return cdxjFormat
  if (crawlLogLine.test(first)) return crawlLogFormat
  if (/^\S+ \d{4,14} \S+ \S+ /.test(first)) return cdxFormat(' CDX N b a m s')
  if (/^\s*[[{]/.test(first)) return jsonFormat
  const columns = csvCells(first).map((cell) => cell.trim().toLowerCase())
  if (columns.includes('url')) return csvFormat(columns)
  return /^\s*(?:#|[a-z][a-z\d+.-]*:\/\/|$)/i.test(first) ? urlListFormat : undefined
}

const urlListFormat: LineFormat = {
  name: 'URL list',
  parse: (line) => {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) return 'skip'
    return /^[a-z][a-z\d+.-]*:/i.test(text) ? { url: text } : undefined
  },
}

/** Date, status, size, URL, path of discovery, the page that it was found on, type, and fields that are not used. */
const crawlLogLine = /^\d{4}-\d\d-\d\dT[\d:.]+Z\s+(-?\d+)\s+(?:\d+|-)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)/

const crawlLogFormat: LineFormat = {
  name: 'Heritrix crawl.log',
  parse: (line) => {
    if (line.trim() === '') return 'skip'
    const match = crawlLogLine.exec(line)
    if (match === null) return undefined
    const [, status, url, , via, type] = match
    return {
      url,
      status: Number(status),
      ...(via === '-' ? {} : { via }),
      ...(type === '-' || type === 'unknown' ? {} : { type }),
    }
  },
}

/** Letters of the header name the columns: `a` is the URL, `s` the status, `m` the type. */
function cdxFormat(header: string): LineFormat {
  const separator = header.trimStart() === header ? ' ' : header[0]
  const letters = header.trim().split(separator).slice(1)
  const [url, status, type] = ['a', 's', 'm'].map((letter) => letters.indexOf(letter))
  return {
    name: 'CDX',
    parse: (line) => {
      if (line.trim() === '' || /^ ?CDX /.test(line)) return 'skip'
      const fields = line.split(separator)
      const text = fields[url]
      if (text === undefined || !/^[a-z][a-z\d+.-]*:/i.test(text)) return undefined
      return { url: text, ...statusOf(fields[status]), ...typeOf(fields[type]) }
    },
  }
}

const cdxjFormat: LineFormat = {
  name: 'CDXJ',
  parse: (line) => {
    if (line.trim() === '' || line.startsWith('!')) return 'skip'
    const brace = line.indexOf('{')
    return brace < 0 ? undefined : jsonPage(line.slice(brace))
  },
}

const jsonFormat: LineFormat = {
  name: 'JSON',
  parse: (line) => {
    const text = line
      .trim()
      .replace(/^\[/, '')
      .replace(/[,\]]$/, '')
      .trim()
    return text === '' ? 'skip' : jsonPage(text)
  },
}

/** The URL of an object: of Scrapy's items, of Crawlee's datasets and request queues, of a CDXJ line. */
export function jsonPage(text: string): ImportedPage | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { url, loadedUrl, status, statusCode, mime } = value as Record<string, unknown>
  const found = typeof url === 'string' ? url : loadedUrl
  if (typeof found !== 'string') return undefined
  return { url: found, ...statusOf(status ?? statusCode), ...typeOf(mime) }
}

function csvFormat(columns: readonly string[]): LineFormat {
  const url = columns.indexOf('url')
  const status = columns.indexOf('status')
  let isHeader = true
  return {
    name: 'CSV',
    parse: (line) => {
      if (isHeader || line.trim() === '') {
        isHeader = false
        return 'skip'
      }
      const cells = csvCells(line)
      const text = cells[url]
      if (text === undefined || !/^[a-z][a-z\d+.-]*:/i.test(text)) return undefined
      return { url: text, ...statusOf(cells[status]) }
    },
  }
}

/** The cells of a line. A cell with a line break is not read correctly. */
function csvCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  )
}

function statusOf(value: unknown): Pick<ImportedPage, 'status'> {
  const status = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) ? { status } : {}
}

function typeOf(value: unknown): Pick<ImportedPage, 'type'> {
  return typeof value === 'string' && value !== '-' && value !== '' ? { type: value } : {}
}
