/**
 * Rules that say which pages are hot, by words and by other measures:
 *
 *     title:computer or body:computer>=10
 *     (title:solar and body:energy>=3) and backlinks>=5
 *     0.7*similarity + 0.01*backlinks >= 0.5          combined importance: IC = k1·IS + k2·IB
 *     not url:archive
 *
 *     one      sum [ (">=" | ">") NUMBER ]        sum      term { "+" term }
 *     term     [ NUMBER "*" ] name                 name     title:WORD, body:WORD, url:WORD, or a metric
 *
 * They are joined as lib/condition.ts says. Without a comparison, the sum must exceed 0; sums are compared after S8's rounding.
 * `title:` and `body:` count a word; `url:` is 1 if the URL contains it.
 */
import { ConditionReader, type Test } from '../../lib/condition.ts'
import { RankwardError } from '../../lib/errors.ts'
import { roundScore } from '../../lib/score-rounding.ts'

export type TextField = 'title' | 'body' | 'url'

/** A number for every page: the count of a word in a field, or a metric by name. */
export type Measured =
  | { readonly field: TextField; readonly word: string }
  | { readonly field: undefined; readonly metric: string }

export interface TextRule {
  readonly text: string
  /** Whether a page with these values is hot. */
  readonly isHot: Test<(of: Measured) => number>
  /** The words that it counts, as written. */
  readonly words: readonly string[]
  /** The metrics that it uses. */
  readonly metrics: readonly string[]
}

const tokens =
  /\s*(?:(?<sign>>=|>|≥|[()+*])|(?<counted>(?:title|body|url):(?:"[^"]*"|[^\s()<>=≥+*"]+))|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<name>[a-z][a-z-]*))/iy

export function parseTextRule(text: string): TextRule {
  const reader = new ConditionReader(text, tokens, (why) => refused(text, why))
  const measured: Measured[] = []

  const term = (): { weight: number; of: Measured } => {
    const weight = reader.take('number')
    if (weight !== undefined && !reader.takes('*')) throw reader.unexpected('* and what the number weighs')
    const counted = reader.take('counted')
    const isKeyword = /^(?:or|and|not)$/i.test(reader.next.text)
    const metric = counted === undefined && !isKeyword ? reader.take('name') : undefined
    if (counted === undefined && metric === undefined) throw reader.unexpected('a word to count or a metric')
    const of = counted === undefined ? { field: undefined, metric: metric!.toLowerCase() } : countOf(counted)
    measured.push(of)
    return { weight: Number(weight ?? 1), of }
  }
  const single = (): Test<(of: Measured) => number> => {
    const terms = [term()]
    while (reader.takes('+')) terms.push(term())
    const isAbove = reader.takes('>')
    const isCompared = isAbove || reader.takes('>=') || reader.takes('≥')
    const number = isCompared ? reader.take('number') : '0'
    if (number === undefined) throw reader.unexpected('a number to compare with')
    const limit = roundScore(Number(number))
    const sumOf = (value: (of: Measured) => number): number =>
      roundScore(terms.reduce((total, { weight, of }) => total + weight * value(of), 0))
    return isAbove || !isCompared ? (value) => sumOf(value) > limit : (value) => sumOf(value) >= limit
  }

  const isHot = reader.whole(single)
  return {
    text,
    isHot,
    words: measured.flatMap((of) => (of.field === undefined ? [] : [of.word])),
    metrics: measured.flatMap((of) => (of.field === undefined ? [of.metric] : [])),
  }
}

/** `title:computer`, `body:"computer"` */
function countOf(written: string): Measured {
  const colon = written.indexOf(':')
  return {
    field: written.slice(0, colon).toLowerCase() as TextField,
    word: written.slice(colon + 1).replaceAll('"', ''),
  }
}

function refused(text: string, why: string): RankwardError {
  return new RankwardError(
    'USAGE',
    `${JSON.stringify(text)} is not a rule for hot pages (${why}).` +
      " Write for example 'title:computer or body:computer>=10', 'url:news and backlinks>=5' or '0.7*similarity+0.1*pagerank>=0.5'.",
  )
}
