/**
 * The topic of a running crawl: the document frequencies (stored in the record), the user's scorer, and the readings of pages: the
 * similarity of each to the query, and its score.
 */
import type { Reading } from '../../../engine/reading.ts'
import { isInline, missingCode } from '../../../engine/user-code/inline-code.ts'
import { InlineScorer } from '../../../engine/user-code/inline-scorer.ts'
import type { PageScorer, ScoredPage } from '../../../engine/user-code/page-scorer.ts'
import { ScorerThread } from '../../../engine/user-code/scorer-thread.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { SharedUse } from '../../../lib/shared-use.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { DocumentFrequencies } from '../../../web/topic/document-frequencies.ts'
import { TopicReader } from '../../../web/topic/topic-reader.ts'
import { Topic } from '../../../web/topic/topic.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { OpenedCrawl, OpenedPart } from '../running-part.ts'
import type { Arrival } from '../stations.ts'
import type { TopicCounts } from './part.ts'

/** Frequencies are stored whenever the number of pages has grown by this factor. */
const saveGrowth = 1.125
const saveMin = 64

export async function open(crawl: OpenedCrawl): Promise<OpenedPart | undefined> {
  const { record, given, onEvent } = crawl
  const { topic: settings } = crawl.settings
  if (settings === undefined) return undefined
  // Those of earlier sessions.
  const { hot = 0, scorerFailures = 0 } = record.record.counts as Partial<TopicCounts>
  const counts = { hot, scorerFailures }
  const stem = settings.language === undefined ? undefined : await loadStemmer(settings.language)
  const kept = record.record.newest('words')
  const reference = given.wordFrequencies
  const frequencies = kept === undefined ? new DocumentFrequencies(reference) : decoded(kept)
  const scorer = await openScorer(crawl, (url, why) => {
    counts.scorerFailures++
    onEvent?.({ kind: 'unscored', url, why })
  })
  const reader = new TopicReader(new Topic(settings, stem), frequencies)
  const topic = new CrawlTopic({ crawl, reader, frequencies, scorer, counts })
  if (kept === undefined && reference !== undefined) topic.save()
  return {
    begin: () => ({
      station: scorer && { stage: 'judge', visit: (arrival) => topic.visit(arrival, scorer) },
      reading: (page, result) => topic.reading(page, result),
      ending: () => topic.save(),
      counts: () => counts,
      progress: () => ({ hot: counts.hot }),
      totals: () => (scorer === undefined ? { hot: counts.hot } : counts),
    }),
    close: async () => scorer?.close(),
  }
}

interface CrawlTopicOptions {
  readonly crawl: OpenedCrawl
  readonly reader: TopicReader
  readonly frequencies: DocumentFrequencies
  readonly scorer: PageScorer | undefined
  readonly counts: { hot: number }
}

class CrawlTopic {
  readonly #options: CrawlTopicOptions
  /** Of results that are not settled yet; undefined if the scorer returned no number. */
  readonly #scores = new WeakMap<FetchResult, number | undefined>()
  #saved: number

  constructor(options: CrawlTopicOptions) {
    this.#options = options
    this.#saved = options.frequencies.documents
  }

  /** Scores pages with text. */
  visit({ page, result }: Arrival, scorer: PageScorer): Promise<FetchResult> | undefined {
    if (result.text === undefined) return undefined
    const { pages } = this.#options.crawl
    return scorer.score(scoredPage(result, pages.url(page))).then((score) => {
      this.#scores.set(result, score)
      return result
    })
  }

  /** Undefined if the page has no words. */
  reading(page: number, result: FetchResult): Reading | undefined {
    const { crawl, counts } = this.#options
    const reading = this.#read(result)
    const before = crawl.record.outcome(page)
    counts.hot += Number(reading?.isHot === true) - Number(before?.hot === true)
    return reading
  }

  #read(result: FetchResult): Reading | undefined {
    const { reader, frequencies, scorer } = this.#options
    if (result.digest === undefined) return undefined
    const score = scorer === undefined ? undefined : (this.#scores.get(result) ?? 0)
    const reading = reader.read(result.digest, score)
    if (frequencies.documents >= Math.max(this.#saved + saveMin, this.#saved * saveGrowth)) this.save()
    return reading
  }

  /** Stores the word frequencies for a resume. */
  save(): void {
    const { crawl, frequencies } = this.#options
    this.#saved = frequencies.documents
    const bytes = encoded(frequencies)
    crawl.record.replace('words', (into) => into.raw(bytes))
  }
}

async function openScorer(
  { folder, settings, given }: OpenedCrawl,
  onFailure: (url: string, why: string) => void,
): Promise<PageScorer | undefined> {
  const { scorer: name, scorerSeconds: secondsMax } = settings
  if (name === undefined) return undefined
  if (!isInline(settings, 'scorer'))
    return folder.file.shard === undefined
      ? ScorerThread.open(name, { secondsMax, onFailure })
      : sharedScorer(name, secondsMax, onFailure)
  const { scorer } = given
  if (scorer === undefined || typeof scorer === 'string') throw missingCode(folder.path, 'scorer', name)
  return new InlineScorer(scorer, { secondsMax, onFailure })
}

/** One thread for all shards of a worker. */
const scorers = new SharedUse<ScorerThread>((thread) => thread.close())

async function sharedScorer(
  path: string,
  secondsMax: number,
  onFailure: (url: string, why: string) => void,
): Promise<PageScorer> {
  const open = (): Promise<ScorerThread> => ScorerThread.open(path, { secondsMax })
  const { value: thread, leave } = await scorers.use(JSON.stringify([path, secondsMax]), open)
  return { score: (page) => thread.score(page, onFailure), close: leave }
}

function scoredPage(result: FetchResult, url: string): ScoredPage {
  const { title = '', text = '', language, links, anchors = [] } = result
  const urls = links === '' ? [] : links.split('\n')
  return {
    url,
    title,
    text,
    language,
    links: urls.map((link, i) => ({ url: link, anchor: anchors[i] ?? '' })),
  }
}

/** Two numbers, the documents and whether it is a reference, then the counts; little-endian. */
function encoded({ documents, isFixed, counts }: DocumentFrequencies): Uint8Array {
  const bytes = Buffer.allocUnsafe(8 + 4 * counts.length)
  bytes.writeUInt32LE(documents, 0)
  bytes.writeUInt32LE(isFixed ? 1 : 0, 4)
  counts.forEach((count, cell) => bytes.writeUInt32LE(count, 8 + 4 * cell))
  return bytes
}

function decoded(bytes: Uint8Array): DocumentFrequencies {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < 8)
    throw new RankwardError('NO_CRAWL', 'The record is damaged: the word counts are truncated.')
  const counts = Uint32Array.from({ length: (buffer.length - 8) >>> 2 }, (_, cell) =>
    buffer.readUInt32LE(8 + 4 * cell),
  )
  return new DocumentFrequencies({ documents: buffer.readUInt32LE(0), counts }, buffer.readUInt32LE(4) === 1)
}
