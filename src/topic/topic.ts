/** What a crawl is about: the words of its query, what makes a page hot, and how likeness is measured. */
import type { Stemmer } from '../text/stem.ts'
import { wordsOf } from '../text/words.ts'
import { RankwardError } from '../lib/errors.ts'
import { parseTextRule, type TextRule } from './text-rule.ts'

/** As the user says it; can be posted to a thread and written to a file. */
export interface TopicSettings {
  /** The driving query, Q. */
  readonly query: string
  /** Which pages are hot; by default a word of the query in the title, or ten in the body. */
  readonly hot?: string | undefined
  /** Words are compared by their stems in this language. */
  readonly language?: string | undefined
  /** cosine unless given. */
  readonly likeness?: 'cosine' | 'inner' | undefined
  /** A word in the title counts so many times; 4 unless given. */
  readonly titleWeight?: number | undefined
  /** Further rules whose words are to be counted. */
  readonly watchedRules?: readonly string[] | undefined
}

/** What a user may say of a topic; `scored`: a scorer of theirs gives each page a number. */
export interface TopicWish extends Omit<TopicSettings, 'query'> {
  readonly query: string | undefined
  readonly scored: boolean
}

export const titleWeightDefault = 4
/** Without other words, a page is hot that a scorer gives so much. */
const scoredHot = 'score>=0.5'
/** Cho et al. take a page with so many in its body as hot. */
const hotInBody = 10

export class Topic {
  /** The words of the query, as written, in lower case: what anchors and URLs are searched for. */
  readonly words: readonly string[]
  /** All words that are counted one by one, as stems: first those of the query, each once. */
  readonly watched: readonly string[]
  /** How often each watched word stands in the query; 0 for those that only rules name. */
  readonly queryCounts: Uint16Array
  readonly rule: TextRule
  readonly likeness: 'cosine' | 'inner'
  readonly titleWeight: number
  readonly stem: Stemmer
  readonly #indexOf = new Map<string, number>()

  constructor(settings: TopicSettings, stem: Stemmer = (word) => word) {
    const { query, hot, likeness = 'cosine', titleWeight = titleWeightDefault } = settings
    this.stem = stem
    this.likeness = likeness
    this.titleWeight = titleWeight
    const words = wordsOf(query)
    this.words = [...new Set(words)]
    this.rule = parseTextRule(hot ?? defaultHotRule(this.words))
    const stems = words.map(stem)
    const rules = [this.rule, ...(settings.watchedRules ?? []).map(parseTextRule)]
    const named = rules.flatMap((rule) => rule.words).map((word) => this.wordOf(word))
    this.watched = [...new Set([...stems, ...named])]
    this.watched.forEach((word, i) => this.#indexOf.set(word, i))
    this.queryCounts = Uint16Array.from(
      this.watched,
      (word) => stems.filter((other) => other === word).length,
    )
  }

  /** The place of a watched word, given as a stem; -1 for any other. */
  indexOf(stem: string): number {
    return this.#indexOf.get(stem) ?? -1
  }

  /** A word of a rule as it is counted. */
  wordOf(written: string): string {
    return this.stem(wordsOf(written)[0] ?? written)
  }
}

/** The topic that is meant, checked, since what is wrong with it is better said before a crawl; undefined: there is none. */
export function topicOf({ query, scored, ...wish }: TopicWish): TopicSettings | undefined {
  if (query === undefined && !scored) return undefined
  const hot = wish.hot ?? (query === undefined ? scoredHot : undefined)
  const settings = { ...wish, query: query ?? '', hot }
  const { words, rule } = new Topic(settings)
  if (query !== undefined && words.length === 0)
    throw new RankwardError('USAGE', `The topic ${JSON.stringify(query)} has no words.`)
  const unknown = rule.metrics.find((metric) => metric !== 'similarity' && metric !== 'score')
  if (unknown !== undefined) {
    throw new RankwardError(
      'USAGE',
      `${JSON.stringify(rule.text)} asks for "${unknown}", which a crawl does not know of a page. It knows title:WORD, body:WORD, url:WORD, similarity and score.`,
    )
  }
  return settings
}

/** A word of the query in the title, or ten of them in the body. */
export function defaultHotRule(words: readonly string[]): string {
  const title = words.map((word) => `title:${word}`)
  const body = words.map((word) => `body:${word}`).join(' + ')
  return words.length === 0 ? 'similarity > 0' : `${title.join(' or ')} or ${body} >= ${hotInBody}`
}
