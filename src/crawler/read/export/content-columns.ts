/**
 * Contents of pages as further columns of a table, read from the archive. A row says where its page is archived
 * (`warc_file`, `warc_offset`). A batch with contents ends when they have some megabytes, so that memory is bounded.
 */
import { PageArchive, type ArchivedResponse } from '../page-archive.ts'
import { languageOf, PageTextReader, type PageBody } from '../../../web/html/page-text.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { ContentReader } from '../../../web/content/content-reader.ts'
import { SiteTemplates } from '../../../web/content/site-template.ts'
import { siteOf } from '../../../web/url/site.ts'
import { decodeHtml } from '../../../web/charset/html-text.ts'
import { isHtml } from '../../../web/http/html-type.ts'
import type { ContentName } from './destination.ts'
import type { Batch, Column, Value } from './table.ts'

/** Characters of a batch. */
const batchCharsMax = 16 << 20

const reader = new PageTextReader()

interface ContentColumn extends Column {
  /** `main` reads the main content of an HTML page; undefined for other types. */
  of(response: ArchivedResponse, main: () => ContentReader | undefined): Value
}

const columns: Readonly<Record<ContentName, ContentColumn>> = {
  text: { name: 'text', type: 'text', of: (response) => reader.read(response)?.text },
  html: { name: 'html', type: 'text', of: (response) => htmlOf(response)?.text },
  source: { name: 'source', type: 'text', of: ({ source }) => htmlOf(source)?.text },
  headers: {
    name: 'headers',
    type: 'list',
    separator: '\n',
    of: ({ headers }) => headers.map(([name, value]) => `${name}: ${value}`),
  },
  charset: { name: 'charset', type: 'text', of: (response) => htmlOf(response)?.encoding },
  language: { name: 'language', type: 'text', of: languageOf },
  main: { name: 'main', type: 'text', of: (_, main) => main()?.text() },
  markdown: { name: 'markdown', type: 'text', of: (_, main) => main()?.markdown() },
  metadata: {
    name: 'metadata',
    type: 'json',
    of: (_, main) => {
      const content = main()
      return content && JSON.stringify({ type: content.type, ...content.metadata() })
    },
  },
}
const ofMain: readonly ContentName[] = ['main', 'markdown', 'metadata']

function htmlOf({ contentType, body, isCoded }: PageBody): ReturnType<typeof decodeHtml> | undefined {
  return isHtml(contentType, body, isCoded) ? decodeHtml(body, contentType) : undefined
}

export function contentColumns(names: readonly ContentName[]): readonly Column[] {
  return names.map((name) => columns[name])
}

/** Counts what the pages of each site share, for the contents that depend on it. Reads the first pages of every site. */
export function siteTemplatesOf(
  batches: Iterable<Batch>,
  options: ContentOptions,
): SiteTemplates | undefined {
  if (!options.names.some((name) => ofMain.includes(name))) return undefined
  const archive = new PageArchive(options.folder)
  const content = new ContentReader()
  const templates = new SiteTemplates()
  for (const { url, file, offset } of placesIn(batches, options.columns)) {
    const site = siteOf(url) ?? ''
    const response = templates.isCounting(site) ? responseAt(archive, file, offset) : undefined
    const html = response && htmlOf(response)
    if (html === undefined) continue
    content.readBlocks(html.text)
    templates.add(site, content.scan)
  }
  return templates
}

/** Undefined for a page that is not archived, or as a reference to an earlier response. */
function responseAt(
  archive: PageArchive,
  file: string | undefined,
  offset: number,
): ArchivedResponse | undefined {
  const response = file === undefined ? undefined : archive.response(file, offset)
  return response?.record.type === 'response' ? response : undefined
}

function* placesIn(
  batches: Iterable<Batch>,
  recorded: readonly Column[],
): Generator<{ url: string; file: string; offset: number }> {
  const [urlAt, fileAt, offsetAt] = ['url', 'warc_file', 'warc_offset'].map((name) =>
    recorded.findIndex((column) => column.name === name),
  )
  for (const batch of batches) {
    for (let row = 0; row < batch[0].length; row++) {
      const file = batch[fileAt][row] as string | undefined
      if (file === undefined) continue
      const url = batch[urlAt][row] as string
      yield { url, file, offset: batch[offsetAt][row] as number }
    }
  }
}

interface ContentOptions {
  readonly folder: CrawlFolder
  readonly names: readonly ContentName[]
  /** Of the batches. */
  readonly columns: readonly Column[]
  /** What the pages of a site share. */
  readonly templates?: SiteTemplates | undefined
}

/** The batches with the columns of their contents, cut into smaller ones. */
export function* withContents(batches: Iterable<Batch>, options: ContentOptions): Generator<Batch> {
  const archive = new PageArchive(options.folder)
  const chosen = options.names.map((name) => columns[name])
  const content = options.names.some((name) => ofMain.includes(name)) ? new ContentReader() : undefined
  const urlAt = options.columns.findIndex((column) => column.name === 'url')
  const indexOf = (name: string): number => options.columns.findIndex((column) => column.name === name)
  const [fileAt, offsetAt] = [indexOf('warc_file'), indexOf('warc_offset')]
  for (const batch of batches) {
    let start = 0
    let contents: Value[][] = chosen.map(() => [])
    let chars = 0
    const rows = batch[0].length
    for (let row = 0; row < rows; row++) {
      const file = batch[fileAt][row] as string | undefined
      const response = responseAt(archive, file, batch[offsetAt][row] as number)
      let isRead = false
      const main = (): ContentReader | undefined => {
        const html = response && content && htmlOf(response)
        if (html === undefined) return undefined
        const url = batch[urlAt][row] as string
        if (!isRead) content!.read(html.text, url, options.templates?.of(siteOf(url) ?? ''))
        isRead = true
        return content
      }
      for (const [i, column] of chosen.entries()) {
        const value = response === undefined ? undefined : column.of(response, main)
        contents[i].push(value)
        chars += lengthOf(value)
      }
      if (chars < batchCharsMax && row + 1 < rows) continue
      yield [...batch.map((values) => values.slice(start, row + 1)), ...contents]
      start = row + 1
      contents = chosen.map(() => [])
      chars = 0
    }
  }
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' ? value.reduce((sum, text) => sum + text.length, 0) : 0
}
