/**
 * Rules that say which pages are hot, by words and by other measures:
 *
 *     title:computer or body:computer>=10
 *     (title:solar and body:energy>=3) and backlinks>=5
 *     0.7*similarity + 0.01*backlinks >= 0.5          combined importance: IC = k1·IS + k2·IB
 *     not url:archive
 *
 *     rule     and { "or" and }          term     [ NUMBER "*" ] name
 *     and      one { "and" one }         name     title:WORD, body:WORD, url:WORD, or a metric
 *     one      "not" one, "(" rule ")", sum [ (">=" | ">") NUMBER ]        sum      term { "+" term }
 *
 * Without a comparison, the sum must exceed 0. `title:` and `body:` count a word; `url:` is 1 if the URL
 * contains it.
 */
import { RankwardError } from '../../lib/errors.ts'
import { roundScore } from '../../lib/score-rounding.ts'

export type TextField = 'title' | 'body' | 'url'

/** A number for every page: the count of a word in a field, or a metric by name. */
export type Measured =
  | { readonly field: TextField; readonly word: string }
  | { readonly field: undefined; readonly metric: string }

interface Term {
  readonly weight: number
  readonly of: Measured
}

type RuleTree =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly RuleTree[] }
  | { readonly kind: 'not'; readonly part: RuleTree }
  | {
      readonly kind: 'sum'
      readonly terms: readonly Term[]
      readonly isAbove: boolean
      readonly limit: number
    }

export interface TextRule {
  readonly text: string
  readonly tree: RuleTree
  /** The words that it counts, as written. */
  readonly words: readonly string[]
  /** The metrics that it uses. */
  readonly metrics: readonly string[]
}

const token =
  /\s*(?:(>=|>|≥|[()+*])|((?:title|body|url):)("[^"]*"|[^\s()<>=≥+*"]+)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([a-z][a-z-]*))/iy

interface Token {
  readonly sign?: string
  readonly word?: { readonly field: TextField; readonly word: string }
  readonly number?: number
  readonly name?: string
}

export function parseTextRule(text: string): TextRule {
  const tokens = tokensOf(text)
  let at = 0
  const wrong = (what: string): RankwardError => refused(text, what)
  const isName = (name: string): boolean => tokens[at]?.name === name
  const isSign = (sign: string): boolean => tokens[at]?.sign === sign

  const joined = (kind: 'or' | 'and', part: () => RuleTree): RuleTree => {
    const parts = [part()]
    while (isName(kind)) {
      at++
      parts.push(part())
    }
    return parts.length === 1 ? parts[0] : { kind, parts }
  }
  const rule = (): RuleTree => joined('or', () => joined('and', one))
  const one = (): RuleTree => {
    if (isName('not')) {
      at++
      return { kind: 'not', part: one() }
    }
    if (!isSign('(')) return sum()
    at++
    const inner = rule()
    if (!isSign(')')) throw wrong('a bracket is not closed')
    at++
    return inner
  }
  const sum = (): RuleTree => {
    const terms = [term()]
    while (isSign('+')) {
      at++
      terms.push(term())
    }
    const sign = tokens[at]?.sign
    if (sign !== '>=' && sign !== '>' && sign !== '≥') return { kind: 'sum', terms, isAbove: true, limit: 0 }
    at++
    const limit = tokens[at++]?.number
    if (limit === undefined) throw wrong(`a number must follow ${sign}`)
    return { kind: 'sum', terms, isAbove: sign === '>', limit }
  }
  const term = (): Term => {
    let weight = 1
    const first = tokens[at]
    if (first?.number !== undefined) {
      weight = first.number
      at++
      if (!isSign('*')) throw wrong('a number must be followed by * and what it weighs')
      at++
    }
    const { word, name } = tokens[at++] ?? {}
    if (word !== undefined) return { weight, of: word }
    if (name === undefined || ['or', 'and', 'not'].includes(name)) throw wrong('something is missing')
    return { weight, of: { field: undefined, metric: name } }
  }

  if (tokens.length === 0) throw wrong('it is empty')
  const tree = rule()
  if (at < tokens.length) throw wrong('there is something left over')
  const measured = measuredIn(tree)
  return {
    text,
    tree,
    words: measured.flatMap((of) => (of.field === undefined ? [] : [of.word])),
    metrics: measured.flatMap((of) => (of.field === undefined ? [of.metric] : [])),
  }
}

function tokensOf(text: string): Token[] {
  const found: Token[] = []
  token.lastIndex = 0
  while (text.slice(token.lastIndex).trim() !== '') {
    const from = token.lastIndex
    const match = token.exec(text)
    if (match === null) throw refused(text, `what is ${JSON.stringify(text.slice(from).trim())}?`)
    const [, sign, field, word, number, name] = match
    if (sign !== undefined) found.push({ sign })
    else if (field !== undefined)
      found.push({ word: { field: fieldOf(field), word: word.replaceAll('"', '') } })
    else if (number !== undefined) found.push({ number: Number(number) })
    else found.push({ name: name.toLowerCase() })
  }
  return found
}

const fieldOf = (written: string): TextField => written.slice(0, -1).toLowerCase() as TextField

function refused(text: string, what: string): RankwardError {
  return new RankwardError(
    'USAGE',
    `${JSON.stringify(text)} is not a rule for hot pages (${what}).` +
      " Write for example 'title:computer or body:computer>=10', 'url:news and backlinks>=5' or '0.7*similarity+0.1*pagerank>=0.5'.",
  )
}

function measuredIn(tree: RuleTree): Measured[] {
  if (tree.kind === 'sum') return tree.terms.map((term) => term.of)
  return tree.kind === 'not' ? measuredIn(tree.part) : tree.parts.flatMap(measuredIn)
}

/** Whether a page with these values is hot. Sums are compared after S8's rounding. */
export function holds(tree: RuleTree, value: (of: Measured) => number): boolean {
  if (tree.kind === 'not') return !holds(tree.part, value)
  if (tree.kind !== 'sum') {
    const isHot = (part: RuleTree): boolean => holds(part, value)
    return tree.kind === 'or' ? tree.parts.some(isHot) : tree.parts.every(isHot)
  }
  const sum = roundScore(tree.terms.reduce((total, { weight, of }) => total + weight * value(of), 0))
  return tree.isAbove ? sum > roundScore(tree.limit) : sum >= roundScore(tree.limit)
}
