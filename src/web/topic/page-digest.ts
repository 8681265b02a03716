/**
 * The digest of a page's words: counts of watched words in title and body, counts of all words by cell for
 * the length of its vector, and the words of the anchor and URL of each link. It depends only on the page and
 * the topic, not on when the page is crawled.
 */
import { wordsOf } from '../text/words.ts'
import { cellCount, cellOf } from './cells.ts'
import type { Topic } from './topic.ts'

export interface PageWords {
  readonly url: string
  readonly title: string
  /** The visible text, without the title. */
  readonly body: string
  /** In page order. */
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
}

export interface PageDigest {
  /** By watched word. */
  readonly title: Uint16Array
  readonly body: Uint16Array
  /** 1 if the URL has it. */
  readonly url: Uint8Array
  /** The distinct words as cells, and the count of each in the body; words of the title have more weight. */
  readonly cells: Uint16Array
  readonly counts: Uint16Array
  /** As in `Reading`; the first `anchorWords` clues of each link are the words of its anchor. */
  readonly mentions: Uint8Array
  readonly ends: Uint32Array
  readonly anchorWords: Uint8Array
  readonly clues: Uint16Array
}

/** Only the beginning of longer pages, anchors and URLs is read. */
const bodyCharsMax = 1 << 20
const anchorCharsMax = 512
const anchorWordsMax = 16
const urlCharsMax = 512
const urlWordsMax = 12
const foldersMax = 3
const countMax = 0xffff
const wordsKnownMax = 100_000

const siteSalt = 0x5117e
const tokenSalt = 0x70c3

export class PageDigester {
  readonly #topic: Topic
  /** Count of each cell in the current page. */
  readonly #counts = new Float64Array(cellCount)
  /** Cache of words: the cell of the stem and, from bit 16 on, one plus its index among the watched words. */
  readonly #known = new Map<string, number>()

  constructor(topic: Topic) {
    this.#topic = topic
  }

  digest(page: PageWords): PageDigest {
    const { watched, titleWeight } = this.#topic
    const title = new Uint16Array(watched.length)
    const body = new Uint16Array(watched.length)
    const cells: number[] = []
    this.#count(page.title, titleWeight, title, cells)
    this.#count(page.body.slice(0, bodyCharsMax), 1, body, cells)
    const counts = Uint16Array.from(cells, (cell) => Math.min(countMax, Math.round(this.#counts[cell])))
    for (const cell of cells) this.#counts[cell] = 0
    const address = readableUrl(page.url)
    return {
      title,
      body,
      url: Uint8Array.from(watched, (word) => (address.includes(word) ? 1 : 0)),
      cells: Uint16Array.from(cells),
      counts,
      ...this.#links(page.links),
    }
  }

  #count(text: string, weight: number, counted: Uint16Array, cells: number[]): void {
    for (const word of wordsOf(text)) {
      const known = this.#look(word)
      const cell = known & (cellCount - 1)
      const index = (known >>> 16) - 1
      if (index >= 0 && counted[index] < countMax) counted[index]++
      if (this.#counts[cell] === 0) cells.push(cell)
      this.#counts[cell] += weight
    }
  }

  #links(links: PageWords['links']): Pick<PageDigest, 'mentions' | 'ends' | 'anchorWords' | 'clues'> {
    const mentions = new Uint8Array(links.length)
    const ends = new Uint32Array(links.length)
    const anchorWords = new Uint8Array(links.length)
    const clues: number[] = []
    links.forEach(({ url, anchor: whole }, i) => {
      const anchor = whole.slice(0, anchorCharsMax)
      mentions[i] = this.#isMentioned(url, anchor) ? 1 : 0
      const from = clues.length
      for (const word of wordsOf(anchor).slice(0, anchorWordsMax))
        clues.push(this.#look(word) & (cellCount - 1))
      anchorWords[i] = clues.length - from
      pushUrlTokens(url, clues)
      ends[i] = clues.length
    })
    return { mentions, ends, anchorWords, clues: Uint16Array.from(clues) }
  }

  /** True if the anchor or the URL contains a word of the query, even as part of another word. */
  #isMentioned(url: string, anchor: string): boolean {
    const { words } = this.#topic
    if (words.length === 0) return false
    const text = anchor.normalize('NFKC').toLowerCase()
    const address = readableUrl(url)
    return words.some((word) => text.includes(word) || address.includes(word))
  }

  #look(word: string): number {
    const before = this.#known.get(word)
    if (before !== undefined) return before
    const stem = this.#topic.stem(word)
    const found = cellOf(stem) | ((this.#topic.indexOf(stem) + 1) << 16)
    // Limits the cache, so that a web of random words cannot fill the memory.
    if (this.#known.size >= wordsKnownMax) this.#known.clear()
    // Copies the string: a substring would keep the whole page in memory.
    this.#known.set(Buffer.from(word).toString(), found)
    return found
  }
}

function readableUrl(url: string): string {
  if (!url.includes('%')) return url.toLowerCase()
  try {
    return decodeURIComponent(url).normalize('NFKC').toLowerCase()
  } catch {
    return url.toLowerCase()
  }
}

/** The host without its port, the first folders as a whole, and the words of path and query. */
function pushUrlTokens(url: string, clues: number[]): void {
  const start = url.indexOf('//') + 2
  const slash = url.indexOf('/', start)
  const hostEnd = slash < 0 ? url.length : slash
  const host = url.slice(start, hostEnd).replace(/:\d+$/, '')
  clues.push(cellOf(host, siteSalt))
  let folderEnd = hostEnd
  for (let depth = 0; depth < foldersMax; depth++) {
    folderEnd = url.indexOf('/', folderEnd + 1)
    if (folderEnd < 0) break
    clues.push(cellOf(host + url.slice(hostEnd, folderEnd), siteSalt))
  }
  const last = clues.length + urlWordsMax
  for (const word of wordsOf(readableUrl(url.slice(hostEnd, hostEnd + urlCharsMax)))) {
    if (clues.length >= last) break
    clues.push(cellOf(word, tokenSalt))
  }
}
