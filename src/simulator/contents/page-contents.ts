/**
 * The contents of pages, from a page file or a WARC file, as a stream. The format is detected by content.
 *
 * From a WARC file come the HTML pages: responses with status 200, with chunks, content encodings and
 * character sets decoded as in a crawl. Revisits have no content and are skipped.
 */
import { openBytes } from '../../lib/files/byte-source.ts'
import { pageLinesOf, type PageContent } from '../../webgraph/formats/page-contents.ts'
import type { Progress } from '../../lib/progress.ts'
import { readWarc } from '../../web/warc/reader.ts'
import type { WarcRecord } from '../../web/warc/warc-record.ts'
import { decodeHtml } from '../../web/charset/html-text.ts'
import { decodeBody } from '../../web/http/content-coding.ts'
import { isHtml } from '../../web/http/html-type.ts'

/** Larger decoded bodies are truncated. */
const bodyBytesMax = 1 << 28

/** Reads `.jsonl`, `.jsonl.gz`, `.jsonl.br`, `.warc` and `.warc.gz`. Only page files report `progress`. */
export async function* readPageContents(path: string, progress?: Progress): AsyncGenerator<PageContent> {
  const source = await openBytes(path)
  if (source.head.toString('latin1', 0, 5) === 'WARC/') yield* htmlPages(path)
  else yield* pageLinesOf(source, progress)
}

function* htmlPages(path: string): Generator<PageContent> {
  for (const record of readWarc(path)) {
    const page = htmlPage(record)
    if (page !== undefined) yield page
  }
}

function htmlPage(record: WarcRecord): PageContent | undefined {
  const url = record.targetUri
  if (record.type !== 'response' || url === undefined) return undefined
  const http = record.http()
  if (http === undefined || !/^HTTP\/\S+ +200(?: |$)/.test(http.startLine)) return undefined
  const values = (name: string): string[] =>
    http.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
  const contentType = values('content-type')[0]
  const codings = values('content-encoding')
  const coding = codings.length === 0 ? undefined : codings.join(', ')
  const { bytes, isCoded } = decodeBody(record.payload(), coding, bodyBytesMax)
  return isHtml(contentType, bytes, isCoded)
    ? { url, content: decodeHtml(bytes, contentType).text }
    : undefined
}
