/**
 * The topic of a crawl: its words, the document frequencies (stored in the record), and the user's scorer.
 */
import { RankwardError } from '../../../lib/errors.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { DocumentFrequencies } from '../../../web/topic/document-frequencies.ts'
import { TopicReader } from '../../../web/topic/topic-reader.ts'
import { Topic } from '../../../web/topic/topic.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import { TopicDesk } from './topic-desk.ts'
import { ScorerThread } from './scorer-thread.ts'
import { isInline, missingCode, type InlineCode } from '../../../engine/user-code/inline-code.ts'
import { InlineScorer } from '../../../engine/user-code/inline-scorer.ts'
import type { PageScorer } from '../../../engine/user-code/page-scorer.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import type { RecordWriter } from '../../record/record-writer.ts'

interface CrawlTopicOptions {
  /** The path of the crawl's folder. */
  readonly folder: string
  readonly settings: CrawlSettings
  /** The scorer, if a program passed it as code. */
  readonly inline: InlineCode | undefined
  readonly record: RecordWriter
  /** Document frequencies given for a new crawl. */
  readonly reference: { readonly documents: number; readonly counts: Uint32Array } | undefined
  /** Called for each page without a score. */
  readonly onScorerFailure: (url: string, why: string) => void
}

export interface CrawlTopic {
  readonly desk: TopicDesk
  close(): Promise<void>
}

export async function openTopic(options: CrawlTopicOptions): Promise<CrawlTopic | undefined> {
  const { settings, record, reference } = options
  const { topic } = settings
  if (topic === undefined) return undefined
  const stem = topic.language === undefined ? undefined : await loadStemmer(topic.language)
  const kept = record.record.words
  const frequencies = kept === undefined ? new DocumentFrequencies(reference) : decoded(kept)
  const scorer = await openScorer(options)
  const desk = new TopicDesk({
    reader: new TopicReader(new Topic(topic, stem), frequencies),
    frequencies,
    score: scorer && ((result, url) => scorer.score(scoredPage(result, url))),
    save: (now) => record.putWords(encoded(now)),
  })
  if (kept === undefined && reference !== undefined) desk.save()
  return { desk, close: async () => scorer?.close() }
}

async function openScorer(options: CrawlTopicOptions): Promise<PageScorer | undefined> {
  const { folder, settings, inline, onScorerFailure: onFailure } = options
  const { scorer: name, scorerSeconds: secondsMax } = settings
  if (name === undefined) return undefined
  if (!isInline(settings, 'scorer')) return ScorerThread.open(name, { secondsMax, onFailure })
  if (inline?.scorer === undefined) throw missingCode(folder, 'scorer', name)
  return new InlineScorer(inline.scorer, { secondsMax, onFailure })
}

function scoredPage({ title = '', text = '', language, links, anchors = [] }: FetchResult, url: string) {
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
