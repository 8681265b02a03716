/**
 * The words of a stored web, for simulating crawls with a topic: the digest of each page
 * (web/topic/page-digest.ts), in shared memory. About 4 bytes per distinct word of a page and 2 per word of a
 * link.
 */
import type { Web } from '../webgraph/web.ts'
import { GrowingUint16 } from '../lib/growing-array.ts'
import { PageDigester, type PageDigest, type PageWords } from '../web/topic/page-digest.ts'
import { Topic, type TopicSettings } from '../web/topic/topic.ts'
import { loadStemmer } from '../web/text/stem.ts'

/** Can be posted to a thread. Pages are those of the stored web, links are numbered in the order of its link lists. */
export interface WebWords {
  readonly topic: TopicSettings
  /** Word frequencies to use instead of those seen so far. */
  readonly reference: { readonly documents: number; readonly counts: Uint32Array } | undefined
  readonly watched: number
  readonly title: Uint16Array
  readonly body: Uint16Array
  readonly url: Uint8Array
  readonly cellStarts: Uint32Array
  readonly cellEnds: Uint32Array
  readonly cells: Uint16Array
  readonly counts: Uint16Array
  readonly linkStarts: Uint32Array
  readonly mentions: Uint8Array
  readonly anchorWords: Uint8Array
  /** Where the clues of a page begin, and where those of each link end, relative to that. */
  readonly clueStarts: Uint32Array
  readonly clueEnds: Uint32Array
  readonly clues: Uint16Array
  /** The score of each page by the user's scorer; NaN: none. */
  readonly scores: Float64Array | undefined
}

/** A page of the web with its words; those of its links whose URLs are the web's count as the anchors of its links. */
export interface WordsOfPage {
  /** Of the stored web. */
  readonly page: number
  readonly words: PageWords
}

interface WebWordsOptions {
  readonly topic: TopicSettings
  readonly reference?: WebWords['reference']
  readonly scores?: Float64Array | undefined
  /** Different spellings of one URL have the same key. */
  readonly urlKey: (url: string) => string
}

export async function makeTopic(settings: TopicSettings): Promise<Topic> {
  const { language } = settings
  return new Topic(settings, language === undefined ? undefined : await loadStemmer(language))
}

export async function webWords(
  web: Web,
  contents: AsyncIterable<WordsOfPage>,
  options: WebWordsOptions,
): Promise<WebWords> {
  const topic = await makeTopic(options.topic)
  const writer = new WordsWriter(web, topic, options.urlKey)
  for await (const { page, words } of contents) writer.add(page, words)
  return { ...writer.end(), topic: options.topic, reference: options.reference, scores: options.scores }
}

/** The digest of a page. */
export function digestAt(words: WebWords, page: number): PageDigest {
  const { watched, cellStarts, cellEnds, linkStarts, clueStarts, clueEnds } = words
  const from = page * watched
  const links = [linkStarts[page], linkStarts[page + 1]] as const
  const ends = clueEnds.subarray(...links)
  const clueEnd = clueStarts[page] + (ends.at(-1) ?? 0)
  return {
    title: words.title.subarray(from, from + watched),
    body: words.body.subarray(from, from + watched),
    url: words.url.subarray(from, from + watched),
    cells: words.cells.subarray(cellStarts[page], cellEnds[page]),
    counts: words.counts.subarray(cellStarts[page], cellEnds[page]),
    mentions: words.mentions.subarray(...links),
    ends,
    anchorWords: words.anchorWords.subarray(...links),
    clues: words.clues.subarray(clueStarts[page], clueEnd),
  }
}

class WordsWriter {
  readonly #web: Web
  readonly #digester: PageDigester
  readonly #urlKey: (url: string) => string
  readonly #watched: number
  readonly #words
  readonly #cells = new GrowingUint16(1 << 16)
  readonly #counts = new GrowingUint16(1 << 16)
  readonly #clues = new GrowingUint16(1 << 16)
  readonly #isThere: Uint8Array
  #cellCount = 0
  #clueCount = 0

  constructor(web: Web, topic: Topic, urlKey: (url: string) => string) {
    const { pages, links } = web.graph
    this.#web = web
    this.#urlKey = urlKey
    this.#digester = new PageDigester(topic)
    this.#watched = topic.watched.length
    this.#isThere = new Uint8Array(pages)
    const linkStarts = shared(Uint32Array, pages + 1)
    for (let page = 0; page < pages; page++)
      linkStarts[page + 1] = linkStarts[page] + web.graph.outDegree(page)
    this.#words = {
      title: shared(Uint16Array, pages * this.#watched),
      body: shared(Uint16Array, pages * this.#watched),
      url: shared(Uint8Array, pages * this.#watched),
      cellStarts: shared(Uint32Array, pages),
      cellEnds: shared(Uint32Array, pages),
      linkStarts,
      mentions: shared(Uint8Array, links),
      anchorWords: shared(Uint8Array, links),
      clueStarts: shared(Uint32Array, pages),
      clueEnds: shared(Uint32Array, links),
    }
  }

  /** The first entry of a page counts. */
  add(page: number, { url, title, body, links }: PageWords): void {
    if (this.#isThere[page] === 1) return
    this.#isThere[page] = 1
    const anchors = new Map<string, string>()
    for (const link of links) {
      const key = this.#urlKey(link.url)
      const before = anchors.get(key)
      anchors.set(key, before === undefined ? link.anchor : `${before} ${link.anchor}`)
    }
    const digest = this.#digester.digest({ url, title, body, links: this.#linksOf(page, anchors) })
    this.#put(page, digest)
  }

  end(): Omit<WebWords, 'topic' | 'reference' | 'scores'> {
    // The links of a page without words are known too.
    for (let page = 0; page < this.#isThere.length; page++) {
      if (this.#isThere[page] === 1) continue
      const url = this.#web.urls?.at(page) ?? ''
      this.add(page, { url, title: '', body: '', links: [] })
    }
    return {
      ...this.#words,
      watched: this.#watched,
      cells: sharedCopy(this.#cells.array, this.#cellCount),
      counts: sharedCopy(this.#counts.array, this.#cellCount),
      clues: sharedCopy(this.#clues.array, this.#clueCount),
    }
  }

  #linksOf(page: number, anchors: ReadonlyMap<string, string>): { url: string; anchor: string }[] {
    const { graph, urls } = this.#web
    const cursor = graph.cursor()
    cursor.seek(page)
    return Array.from(cursor.targets.subarray(cursor.start, cursor.end), (target) => {
      const url = urls?.at(target) ?? ''
      return { url, anchor: anchors.get(this.#urlKey(url)) ?? '' }
    })
  }

  #put(page: number, digest: PageDigest): void {
    const words = this.#words
    words.title.set(digest.title, page * this.#watched)
    words.body.set(digest.body, page * this.#watched)
    words.url.set(digest.url, page * this.#watched)
    words.cellStarts[page] = this.#cellCount
    this.#cells.ensure(this.#cellCount + digest.cells.length)
    this.#counts.ensure(this.#cellCount + digest.cells.length)
    this.#cells.array.set(digest.cells, this.#cellCount)
    this.#counts.array.set(digest.counts, this.#cellCount)
    this.#cellCount += digest.cells.length
    words.cellEnds[page] = this.#cellCount
    words.mentions.set(digest.mentions, words.linkStarts[page])
    words.anchorWords.set(digest.anchorWords, words.linkStarts[page])
    words.clueEnds.set(digest.ends, words.linkStarts[page])
    words.clueStarts[page] = this.#clueCount
    this.#clues.ensure(this.#clueCount + digest.clues.length)
    this.#clues.array.set(digest.clues, this.#clueCount)
    this.#clueCount += digest.clues.length
  }
}

function shared<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  Kind: { new (buffer: SharedArrayBuffer): Numbers; readonly BYTES_PER_ELEMENT: number },
  length: number,
): Numbers {
  return new Kind(new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT))
}

function sharedCopy(numbers: Uint16Array, length: number): Uint16Array {
  const copy = shared(Uint16Array<SharedArrayBuffer>, length)
  copy.set(numbers.subarray(0, length))
  return copy
}
