/**
 * Computes the topic readings of pages before they are reported to the engine: the similarity of each to the
 * query, and the score of the user's scorer, if there is one. Pages leave it in order of arrival, even if
 * scoring takes different times.
 */
import type { Reading } from '../../../engine/reading.ts'
import type { DocumentFrequencies } from '../../../web/topic/document-frequencies.ts'
import type { TopicReader } from '../../../web/topic/topic-reader.ts'
import type { FetchResult, PageOutcome } from '../../world/fetch-result.ts'

interface TopicDeskOptions {
  readonly reader: TopicReader
  readonly frequencies: DocumentFrequencies
  /**
   * The score of a page by the user's scorer, undefined if it returned no number. Absent without a scorer.
   */
  readonly score: ((result: FetchResult, url: string) => Promise<number | undefined>) | undefined
  /** Stores the word frequencies for a resume. */
  readonly save: (frequencies: DocumentFrequencies) => void
}

/** Frequencies are stored whenever the number of pages has grown by this factor. */
const saveGrowth = 1.125
const saveMin = 64

export class TopicDesk {
  readonly #options: TopicDeskOptions
  readonly #scores = new Map<number, number | undefined>()
  #last: Promise<void> = Promise.resolve()
  #saved: number

  constructor(options: TopicDeskOptions) {
    this.#options = options
    this.#saved = options.frequencies.documents
  }

  /** Whether there is a scorer. */
  get hasScorer(): boolean {
    return this.#options.score !== undefined
  }

  /** Adds a result; `done` is called when it is scored and all earlier ones are done. */
  scored(page: number, result: FetchResult, url: string, done: () => void): void {
    const { score } = this.#options
    this.#last = this.#last.then(async () => {
      if (score !== undefined && result.text !== undefined) this.#scores.set(page, await score(result, url))
      done()
    })
  }

  /** The reading of a page; undefined if it has no words. */
  reading(page: number, { digest }: FetchResult): Reading | undefined {
    const { reader, frequencies } = this.#options
    if (digest === undefined) return undefined
    const score = this.#scores.get(page)
    this.#scores.delete(page)
    const reading = reader.read(digest, this.hasScorer ? (score ?? 0) : undefined)
    if (frequencies.documents >= Math.max(this.#saved + saveMin, this.#saved * saveGrowth)) this.save()
    return reading
  }

  save(): void {
    this.#saved = this.#options.frequencies.documents
    this.#options.save(this.#options.frequencies)
  }
}

/** The part of a reading that is recorded with the page. */
export function relevanceOf(
  reading: Reading | undefined,
): Pick<PageOutcome, 'relevance' | 'hot'> | undefined {
  return reading && { relevance: Number(reading.relevance.toPrecision(6)), hot: reading.isHot }
}
