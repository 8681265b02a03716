/**
 * Where pages are read for their topic before the engine is told of them: the likeness of each to the query, and where there is a
 * scorer of the user's, what that says. Pages leave it in the order they came, whatever the scorer takes.
 */
import type { Reading } from '../../engine/reading.ts'
import type { DocumentFrequencies } from '../../topic/document-frequencies.ts'
import type { TopicReader } from '../../topic/topic-reader.ts'
import type { FetchResult } from './fetch-result.ts'

export interface TopicDeskOptions {
  readonly reader: TopicReader
  readonly frequencies: DocumentFrequencies
  /** What the user's scorer gives a page; undefined: no number. Absent: there is no scorer. */
  readonly score: ((result: FetchResult, url: string) => Promise<number | undefined>) | undefined
  /** Keeps the frequencies of words for a resume. */
  readonly save: (frequencies: DocumentFrequencies) => void
}

/** Frequencies are kept whenever they rest on so much more than the last time. */
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

  /** Is there somebody to be asked for a score? */
  get hasScorer(): boolean {
    return this.#options.score !== undefined
  }

  /** Something came; `done` is called when its turn has come and it is scored. */
  scored(result: FetchResult, url: string, done: () => void): void {
    const { score } = this.#options
    this.#last = this.#last.then(async () => {
      if (score !== undefined && result.text !== undefined)
        this.#scores.set(result.id, await score(result, url))
      done()
    })
  }

  /** What a page says; undefined: it has no words. */
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
