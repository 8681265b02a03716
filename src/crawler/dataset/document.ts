/** A document of a data set: the row of one page. */
import type { PageMetadata } from '../../web/content/metadata.ts'
import type { RowColumn } from '../read/export/table.ts'
import type { Copy } from './copies.ts'
import { qualityOf, qualityRules, type Quality } from './quality.ts'
import { useColumns } from './owner-use.ts'
import { type ArchivedPage, carriedColumns } from './sources.ts'

export interface Document {
  readonly page: ArchivedPage
  readonly site: string
  readonly type: string
  readonly metadata: PageMetadata
  readonly text: string
  readonly markdown: string
  readonly language: string | undefined
  readonly languageScore: number | undefined
  /** Of the whole page and of its main content. */
  readonly counts: {
    readonly words: number
    readonly mainWords: number
    readonly mainLinkWords: number
  }
  readonly quality: Quality
  /** What its owner says about its use. */
  readonly statements: readonly string[]
  /** The earlier document with the same or nearly the same text, if copies are kept. */
  readonly copy: Copy | undefined
}

/** Its names are the same for every text. */
const qualityNames = Object.keys(qualityOf('A text.').numbers)

export const documentColumns: readonly RowColumn<Document>[] = [
  { name: 'id', type: 'text', isFull: true, of: ({ page }) => page.id },
  { name: 'url', type: 'text', isFull: true, of: ({ page }) => page.url },
  { name: 'site', type: 'text', of: ({ site }) => site },
  { name: 'fetched_at', type: 'time', of: ({ page }) => page.fetchedMs },
  { name: 'warc_file', type: 'text', of: ({ page }) => page.warcFile },
  { name: 'warc_offset', type: 'long', of: ({ page }) => page.warcOffset },
  { name: 'digest', type: 'text', of: ({ page }) => page.digest },
  { name: 'title', type: 'text', of: ({ metadata }) => metadata.title },
  { name: 'text', type: 'text', isFull: true, of: ({ text }) => text },
  { name: 'markdown', type: 'text', isFull: true, of: ({ markdown }) => markdown },
  { name: 'description', type: 'text', of: ({ metadata }) => metadata.description },
  { name: 'author', type: 'text', of: ({ metadata }) => metadata.author },
  { name: 'published_at', type: 'text', of: ({ metadata }) => metadata.publishedAt },
  { name: 'modified_at', type: 'text', of: ({ metadata }) => metadata.modifiedAt },
  { name: 'page_type', type: 'name', of: ({ type }) => type },
  { name: 'language', type: 'text', of: ({ language }) => language },
  { name: 'language_score', type: 'double', of: ({ languageScore }) => languageScore },
  { name: 'license', type: 'text', of: ({ metadata }) => metadata.license },
  { name: 'chars', type: 'int', isFull: true, of: ({ text }) => text.length },
  { name: 'words', type: 'int', isFull: true, of: ({ counts }) => counts.mainWords },
  {
    name: 'boilerplate_share',
    type: 'double',
    of: ({ counts }) => 1 - counts.mainWords / Math.max(1, counts.words),
  },
  {
    name: 'link_density',
    type: 'double',
    of: ({ counts }) => counts.mainLinkWords / Math.max(1, counts.mainWords),
  },
  {
    name: 'duplicate_of',
    type: 'text',
    of: ({ copy }) => (copy?.kind === 'duplicate' ? copy.of : undefined),
  },
  { name: 'near_cluster', type: 'text', of: ({ copy, page }) => copy?.of ?? page.id },
  { name: 'similarity', type: 'double', of: ({ copy }) => copy?.similarity },
  ...qualityNames.map((name): RowColumn<Document> => ({
    name,
    type: 'double',
    of: ({ quality }) => quality.numbers[name],
  })),
  ...qualityRules.map((rule): RowColumn<Document> => ({
    name: `${rule.replace('-', '_')}_fails`,
    type: 'name',
    of: ({ quality }) => quality.failures[rule],
  })),
  ...useColumns,
  ...carriedColumns.map((column, i): RowColumn<Document> => ({
    ...column,
    of: ({ page }) => page.carried[i],
  })),
]
