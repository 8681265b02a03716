/** Reads pages and tells their main content. One reader for many pages: it reuses its memory. */
import { blockText } from './block-text.ts'
import { featureCount } from './feature-names.ts'
import { blockFeaturesOf } from './features.ts'
import { HeadReader } from './head-reader.ts'
import { markdownOf } from './markdown.ts'
import { metadataOf, type PageMetadata } from './metadata.ts'
import { type Model, pageTypes, trainedModel, type PageType } from './model.ts'
import { pageFacts } from './page-facts.ts'
import { pageRow } from './page-row.ts'
import { PageScan } from './page-scan.ts'
import { selectBlocks } from './selection.ts'
import type { SiteTemplate } from './site-template.ts'
import { tagNumbers } from './tags.ts'
import { textOf } from './main-text.ts'
import { forestSum, logistic } from './trees.ts'

/** A block of the frame that has at least this share of its page's words is content all the same. */
const ownShareMin = 0.5
/** Shorter blocks may be repeated in a text. */
const copyWordsMin = 6

export class ContentReader {
  readonly #model: Model
  readonly #head = new HeadReader()
  readonly scan: PageScan
  /** For each block, 1 if it is main content. */
  taken = new Uint8Array(0)
  #probability = new Float32Array(0)
  #url = ''
  type: PageType = 'article'

  constructor(model = trainedModel()) {
    this.#model = model
    this.scan = new PageScan(model.evidence, this.#head)
  }

  /** Reads the elements and blocks of a page, which is enough to count its site's frame. */
  readBlocks(html: string): void {
    this.#head.clear(html)
    this.scan.scan(html)
  }

  /** What the methods below say is valid until the next page is read. */
  read(html: string, url: string, template?: SiteTemplate): void {
    this.#url = url
    this.readBlocks(html)
    this.#select(template)
  }

  #select(template: SiteTemplate | undefined): void {
    const { blocks, elements } = this.scan
    const { count, columns } = blocks
    if (this.taken.length < count) {
      this.taken = new Uint8Array(count * 2)
      this.#probability = new Float32Array(count * 2)
    }
    const rows = blockFeaturesOf(this.scan, pageFacts(this.#head, this.#url))
    const type = typeOf(this.#model, rows, columns.words, count)
    this.type = pageTypes[type]
    const least = ownShareMin * elements.words[0]
    for (let block = 0; block < count; block++) {
      const isFrame = template?.has(columns.hash[block]) === true && columns.words[block] < least
      this.#probability[block] = isFrame
        ? 0
        : logistic(forestSum(this.#model.blocks, rows, block * featureCount))
    }
    selectBlocks(this.#probability, columns.words, count, this.#model.scales[type], this.taken)
    this.#dropCopies()
  }

  /** Of equal blocks the first stays: pages have texts twice, for small and large screens. */
  #dropCopies(): void {
    const { count, columns } = this.scan.blocks
    const seen = new Set<number>()
    for (let block = 0; block < count; block++) {
      if (this.taken[block] === 0 || columns.words[block] < copyWordsMin) continue
      if (seen.has(columns.hash[block])) this.taken[block] = 0
      seen.add(columns.hash[block])
    }
  }

  text(): string {
    return textOf(this.scan, this.taken)
  }

  markdown(): string {
    return markdownOf(this.scan, this.taken, this.#head.base, this.#url)
  }

  metadata(): PageMetadata {
    return metadataOf(this.#head, this.#firstHeading(), this.#url)
  }

  /** Words of the whole page, those of links in it, and those of the main content. */
  counts(): {
    readonly words: number
    readonly linkWords: number
    readonly mainWords: number
    readonly mainLinkWords: number
  } {
    const { elements, blocks } = this.scan
    let mainWords = 0
    let mainLinkWords = 0
    for (let block = 0; block < blocks.count; block++) {
      mainWords += this.taken[block] * blocks.columns.words[block]
      mainLinkWords += this.taken[block] * blocks.columns.linkWords[block]
    }
    return { words: elements.words[0], linkWords: elements.linkWords[0], mainWords, mainLinkWords }
  }

  #firstHeading(): string | undefined {
    const { blocks, elements } = this.scan
    for (let block = 0; block < blocks.count; block++) {
      if (elements.tag[blocks.columns.element[block]] === tagNumbers.h1 && blocks.columns.words[block] > 0)
        return blockText(this.scan, block)
    }
    return undefined
  }
}

function typeOf({ types }: Model, rows: Float32Array, words: Int32Array, count: number): number {
  const row = pageRow(rows, words, count)
  let best = 0
  let highest = -Infinity
  for (const [type, forest] of types.entries()) {
    const sum = forestSum(forest, row, 0)
    if (sum > highest) {
      highest = sum
      best = type
    }
  }
  return best
}
