/** The pages of a file of another crawler or archive, as a stream. The format is detected by content. */
import { statSync } from 'node:fs'
import { openBytes, type ByteSource } from '../../lib/files/byte-source.ts'
import { readLines } from '../../lib/files/lines.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/progress.ts'
import { readWarc } from '../../web/warc/reader.ts'
import { ImportCounts, type ImportedPage } from './imported-page.ts'
import { jsonPage, lineFormatOf } from './line-formats.ts'
import { pageOfRecord } from './warc-pages.ts'

interface ReadingPages {
  /** Read the links of pages, too. Default: false. */
  readonly wantsLinks?: boolean
  readonly counts?: ImportCounts
  readonly progress?: Progress | undefined
}

/** A longer line cannot be a page. */
const lineBytesMax = 1 << 26
/** A JSON file that is one object. */
const objectBytesMax = 1 << 24

export async function* importedPages(path: string, options: ReadingPages = {}): AsyncGenerator<ImportedPage> {
  const source = await openBytes(path)
  const pages = isWarc(source) ? warcPages(path, options) : linePages(source, options)
  const { counts = new ImportCounts() } = options
  for await (const page of pages) {
    if (/^https?:/i.test(page.url)) {
      counts.pages++
      yield page
    } else counts.other++
  }
}

function isWarc({ head }: ByteSource): boolean {
  return head.toString('latin1', 0, 5) === 'WARC/'
}

/** Whether the file has links, so that it can be read as a graph: WARC, WAT, `crawl.log`. */
export async function hasLinks(path: string): Promise<boolean> {
  const source = await openBytes(path)
  return isWarc(source) || lineFormatOf(firstLineOf(source))?.name === 'Heritrix crawl.log'
}

function* warcPages(
  path: string,
  { wantsLinks = false, counts, progress }: ReadingPages,
): Generator<ImportedPage> {
  const { size } = statSync(path)
  for (const record of readWarc(path)) {
    const page = pageOfRecord(record, wantsLinks)
    progress?.(record.offset + record.length, size)
    if (page === undefined) counts?.addBad(`${path}: the record at byte ${record.offset}`)
    else if (page !== 'skip') yield page
  }
}

async function* linePages(
  source: ByteSource,
  { counts, progress }: ReadingPages,
): AsyncGenerator<ImportedPage> {
  const { path } = source
  const whole = await objectOf(source)
  if (whole !== undefined) {
    yield whole
    return
  }
  const first = firstLineOf(source)
  const format = lineFormatOf(first)
  if (format === undefined)
    throw new RankwardError(
      'UNKNOWN_FORMAT',
      `${path} is not in a known format (it begins with ${JSON.stringify(first.slice(0, 60))}). Known: URL lists, crawl.log of Heritrix, CDX, CDXJ, JSON lines and CSV with "url", WARC, WAT; plain or gzip.`,
    )
  let number = 0
  for await (const bytes of readLines(source, progress, lineBytesMax)) {
    number++
    const page = format.parse(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
    if (page === undefined) counts?.addBad(`${path}:${number}`)
    else if (page !== 'skip') yield page
  }
}

/** The first line that is not empty or a comment. */
function firstLineOf({ head }: ByteSource): string {
  const lines = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  return lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? lines[0]
}

/** The page of a file that is one JSON object over several lines, as in a request queue of Crawlee. */
async function objectOf(source: ByteSource): Promise<ImportedPage | undefined> {
  if (!/^\uFEFF?\s*\{\s*\r?\n/.test(source.head.toString('utf8', 0, 200))) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source.chunks()) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > objectBytesMax) return undefined
  }
  return jsonPage(Buffer.concat(chunks).toString('utf8'))
}
