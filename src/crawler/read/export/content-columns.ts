/**
 * Contents of pages as further columns of a table, read from the archive. A row says where its page is archived
 * (`warc_file`, `warc_offset`). A batch with contents ends when they have some megabytes, so that memory is bounded.
 */
import { join } from 'node:path'
import { PageArchive, type ArchivedResponse } from '../page-archive.ts'
import { languageOf, PageTextReader, type PageBody } from '../../../web/html/page-text.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { decodeHtml } from '../../../web/charset/html-text.ts'
import { isHtml } from '../../../web/http/html-type.ts'
import type { ContentName } from './destination.ts'
import type { Batch, Column, Value } from './table.ts'

/** Characters of a batch. */
const batchCharsMax = 16 << 20

const reader = new PageTextReader()

interface ContentColumn extends Column {
  of(response: ArchivedResponse): Value
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
}

function htmlOf({ contentType, body, isCoded }: PageBody): ReturnType<typeof decodeHtml> | undefined {
  return isHtml(contentType, body, isCoded) ? decodeHtml(body, contentType) : undefined
}

export function contentColumns(names: readonly ContentName[]): readonly Column[] {
  return names.map((name) => columns[name])
}

interface ContentOptions {
  readonly folder: CrawlFolder
  readonly names: readonly ContentName[]
  /** Of the batches. */
  readonly columns: readonly Column[]
}

/** The batches with the columns of their contents, cut into smaller ones. */
export function* withContents(batches: Iterable<Batch>, options: ContentOptions): Generator<Batch> {
  const archive = new PageArchive(options.folder)
  const chosen = options.names.map((name) => columns[name])
  const indexOf = (name: string): number => options.columns.findIndex((column) => column.name === name)
  const [fileAt, offsetAt] = [indexOf('warc_file'), indexOf('warc_offset')]
  for (const batch of batches) {
    let start = 0
    let contents: Value[][] = chosen.map(() => [])
    let chars = 0
    const rows = batch[0].length
    for (let row = 0; row < rows; row++) {
      const file = batch[fileAt][row] as string | undefined
      const path = file === undefined ? undefined : join(options.folder.warc, file)
      const response = path === undefined ? undefined : archive.response(path, batch[offsetAt][row] as number)
      for (const [i, column] of chosen.entries()) {
        const value = response === undefined ? undefined : column.of(response)
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
