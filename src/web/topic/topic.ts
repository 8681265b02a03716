/** The topic of a crawl: the words of its query, the rule for hot pages, and the similarity measure. */
import type { Stemmer } from '../text/stem.ts'
import { wordsOf } from '../text/words.ts'
import { RankwardError } from '../../lib/errors.ts'
import { parseTextRule, type TextRule } from './text-rule.ts'

/** The topic as the user gives it; can be posted to a thread and written to a file. */
export interface TopicSettings {
  /** The driving query, Q. */
  readonly query: string
  /** Which pages are hot. Default: a word of the query in the title, or ten in the body. */
  readonly hot?: string | undefined
  /** Words are compared by their stems in this language. */
  readonly language?: string | undefined
  /** Default: cosine. */
  readonly likeness?: 'cosine' | 'inner' | undefined
  /** Weight of a word in the title. Default: 4. */
  readonly titleWeight?: number | undefined
  /** Further rules whose words must be counted. */
  readonly watchedRules?: readonly string[] | undefined
}

/** The user's options for a topic; `scored`: the user's scorer gives each page a score. */
interface TopicWish extends Omit<TopicSettings, 'query'> {
  readonly query: string | undefined
  readonly scored: boolean
}

export const titleWeightDefault = 4
/** By default, a page is hot if the scorer gives it at least this score. */
const scoredHot = 'score>=0.5'
/** In Cho et al., a page with this many topic words in its body is hot. */
const hotInBody = 10

export class Topic {
  /** The words of the query, as written, in lower case; anchors and URLs are searched for them. */
  readonly words: readonly string[]
  /** All watched words, as stems: first those of the query, each once. */
  readonly watched: readonly string[]
  /** Number of occurrences of each watched word in the query; 0 for words of rules only. */
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

  /** The index of a watched word, given as a stem; -1 for any other. */
  indexOf(stem: string): number {
    return this.#indexOf.get(stem) ?? -1
  }

  /** A word of a rule in the form that is counted. */
  wordOf(written: string): string {
    return this.stem(wordsOf(written)[0] ?? written)
  }
}

/**
 * Builds and checks the topic before the crawl, so that errors are reported early; undefined if there is
 * none.
 */
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
      `${JSON.stringify(rule.text)} uses "${unknown}", which is not available during a crawl. Available are title:WORD, body:WORD, url:WORD, similarity and score.`,
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
