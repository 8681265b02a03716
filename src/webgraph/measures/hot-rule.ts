/**
 * Rules that define hot pages:
 *
 *     backlinks>=100      at least 100 pages of the web link to it; `>` for more than 100
 *     forward-links>=5    it has at least 5 links
 *     pagerank>=13        N·r is at least 13: the scale of Cho et al., where the mean is 1 (docs/theory/semantics.md S10)
 *     top 1%, top 100     the most important by PageRank, including ties with the last of them
 *     top 1% backlinks    the same by another metric
 *     title:computer or body:computer>=10 and backlinks>=5
 *                         by the words of pages, and sums of metrics (web/topic/text-rule.ts)
 *
 * Each form of rule has a function that parses a text or returns undefined; `forms` lists them. Numbers are
 * compared after S8's rounding, so that values that are equal in exact arithmetic are equal here.
 */
import { Bitset } from '../../lib/bitset.ts'
import { RankwardError } from '../../lib/errors.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { parseTextRule, type Measured, type TextField } from '../../web/topic/text-rule.ts'
import { type Importance, largestFirst } from './importance-ranking.ts'

/**
 * Metrics of a web's pages. Each is called at most once per rule and only if a rule uses it; implementations
 * cache expensive results.
 */
export interface HotMetrics {
  /** r, with sum 1. */
  pagerank(): Importance
  backlinks(): Importance
  forwardLinks(): Importance
  /** How often each page has a word in a field; absent if the pages' words are unknown. */
  words?(field: TextField, word: string): Importance
  /** IS(P, Q), and the scores of the user's scorer; undefined without a topic or scorer. */
  similarity?(): Importance | undefined
  score?(): Importance | undefined
}

interface HotRule {
  /** The rule's text. */
  readonly text: string
  /** The words in the rule. */
  readonly words: readonly string[]
  hotPages(metrics: HotMetrics): HotPages
}

/** The hot pages of one web by one rule. They are the same for every crawl of it. */
export interface HotPages {
  readonly rule: string
  /**
   * G, in the metric's own scale; for `top` the importance of the last hot page. 0 for a web without pages.
   */
  readonly threshold: number
  readonly count: number
  readonly pages: Bitset
  /** N: the pages of the web, hot or not. */
  readonly of: number
}

type Metric = (metrics: HotMetrics) => { values: Importance; scale: number }

const metrics: Record<string, Metric> = {
  backlinks: (given) => ({ values: given.backlinks(), scale: 1 }),
  'forward-links': (given) => ({ values: given.forwardLinks(), scale: 1 }),
  pagerank: (given) => {
    const values = given.pagerank()
    return { values, scale: values.length }
  },
  similarity: (given) => ({ values: known(given.similarity?.(), 'similarity'), scale: 1 }),
  score: (given) => ({ values: known(given.score?.(), 'score'), scale: 1 }),
}

function known(values: Importance | undefined, what: 'similarity' | 'score'): Importance {
  if (values !== undefined) return values
  const option = what === 'similarity' ? 'a topic' : 'a scorer'
  throw new RankwardError(
    'USAGE',
    `A rule uses the ${what} of pages, which needs ${option} and the contents of the pages.`,
  )
}

const forms: readonly ((text: string) => HotRule | undefined)[] = [thresholdRule, topRule, expressionRule]

/**
 * Parses the values of an option that may be repeated; each value is one or several rules, separated by
 * commas.
 */
export function parseHotRules(texts: string | readonly string[]): HotRule[] {
  const written = [texts].flat().flatMap((list) => list.split(','))
  return [...new Set(written.map((text) => text.trim()))].map((text) => parseHotRule(text))
}

export function parseHotRule(written: string): HotRule {
  const text = written.trim()
  for (const form of forms) {
    const rule = form(text)
    if (rule !== undefined) return rule
  }
  throw new RankwardError(
    'USAGE',
    `${JSON.stringify(text)} is not a rule for hot pages; expected METRIC>=NUMBER, METRIC>NUMBER, 'top COUNT' or 'top PERCENT%', such as 'backlinks>=100,top 1%'. Metrics: ${Object.keys(metrics).join(', ')}.`,
  )
}

/** `backlinks>=100` */
function thresholdRule(text: string): HotRule | undefined {
  const [, name, sign, number] = /^([a-z-]+)\s*(>=?|≥)\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(text) ?? []
  const metric = metricNamed(name)
  const threshold = Number(number)
  if (metric === undefined || !Number.isFinite(threshold)) return undefined
  return {
    text,
    words: [],
    hotPages(given) {
      const { values, scale } = metric(given)
      return select(text, values, { threshold, scale, above: sign === '>' })
    },
  }
}

/** `top 100`, `top 1%`, `top 0.5% backlinks` */
function topRule(text: string): HotRule | undefined {
  const [, amount, percent, name = 'pagerank'] =
    /^top\s*(\d+(?:\.\d+)?)\s*(%)?(?:\s+(?:by\s+)?([a-z-]+))?$/i.exec(text) ?? []
  const metric = metricNamed(name)
  const number = Number(amount)
  if (metric === undefined || !(number > 0)) return undefined
  if (percent === undefined ? !Number.isSafeInteger(number) : number > 100) return undefined
  return {
    text,
    words: [],
    hotPages(given) {
      const { values, scale } = metric(given)
      const wanted = percent === undefined ? number : percentOf(amount, values.length)
      const last = largestFirst(values)[Math.min(wanted, values.length) - 1] ?? 0
      return select(text, values, { threshold: last * scale, scale, above: false })
    },
  }
}

/** `title:computer or body:computer>=10`, `0.7*similarity+0.3*pagerank>=2` */
function expressionRule(text: string): HotRule | undefined {
  if (!/[:()*+]|\b(?:and|or|not)\b/i.test(text)) return undefined
  const { isHot, words, metrics: named } = parseTextRule(text)
  const unknown = named.find((name) => metricNamed(name) === undefined)
  if (unknown !== undefined) {
    throw new RankwardError(
      'USAGE',
      `${JSON.stringify(text)} has an unknown metric, "${unknown}". Known metrics: ${Object.keys(metrics).join(', ')}, and title:WORD, body:WORD, url:WORD.`,
    )
  }
  return {
    text,
    words,
    hotPages(given) {
      const columns = new Map<Measured, { values: Importance; scale: number }>()
      const column = (of: Measured): { values: Importance; scale: number } => {
        let found = columns.get(of)
        if (found === undefined) columns.set(of, (found = columnOf(given, of)))
        return found
      }
      const { length } = given.pagerank()
      const pages = new Bitset(length)
      let count = 0
      for (let page = 0; page < length; page++) {
        const value = (of: Measured): number => {
          const { values, scale } = column(of)
          return values[page] * scale
        }
        if (!isHot(value)) continue
        pages.add(page)
        count++
      }
      return { rule: text, threshold: 0, count, pages, of: length }
    },
  }
}

function columnOf(given: HotMetrics, of: Measured): { values: Importance; scale: number } {
  if (of.field === undefined) return metricNamed(of.metric)!(given)
  if (given.words === undefined) {
    throw new RankwardError(
      'USAGE',
      `A rule uses words of pages (${of.field}:${of.word}), which needs the contents of the pages.`,
    )
  }
  return { values: given.words(of.field, of.word), scale: 1 }
}

function metricNamed(name: string | undefined): Metric | undefined {
  const known = name?.toLowerCase()
  return known !== undefined && Object.hasOwn(metrics, known) ? metrics[known] : undefined
}

/** ⌈p·N/100⌉ for a decimal p, without floating-point error: 0.07% of 10,000 is 7, not 8. */
function percentOf(percent: string, pages: number): number {
  const [whole, decimals = ''] = percent.split('.')
  const parts = 100n * 10n ** BigInt(decimals.length)
  return Number((BigInt(whole + decimals) * BigInt(pages) + parts - 1n) / parts)
}

function select(
  rule: string,
  values: Importance,
  { threshold, scale, above }: { threshold: number; scale: number; above: boolean },
): HotPages {
  const limit = roundScore(threshold)
  const pages = new Bitset(values.length)
  let count = 0
  for (let page = 0; page < values.length; page++) {
    const value = roundScore(values[page] * scale)
    if (above ? value <= limit : value < limit) continue
    pages.add(page)
    count++
  }
  return { rule, threshold, count, pages, of: values.length }
}
