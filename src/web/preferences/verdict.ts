/**
 * Whether a page may be used for a purpose, by all statements about it. Each statement allows it, denies it or is silent; the most
 * restrictive one counts. If all are silent, the answer is unknown, which users may take as allowed.
 */
import { parseDictionary } from './dictionary.ts'
import {
  aiAgents,
  licenceUsages,
  miningPurposes,
  robotsWords,
  signalLabels,
  usageLabels,
  type UsePurpose,
} from './known-signals.ts'
import { statementParts } from './statement.ts'

export type UseAnswer = 'allowed' | 'disallowed' | 'unknown'

export interface UseVerdict {
  readonly answer: UseAnswer
  /** The statements that it follows from, as recorded: all that deny it, or all that allow it. */
  readonly sources: readonly string[]
}

const unknown: UseVerdict = { answer: 'unknown', sources: [] }

export function useVerdict(purpose: UsePurpose, statements: readonly string[]): UseVerdict {
  if (statements.length === 0) return unknown
  const allowing: string[] = []
  const denying: string[] = []
  for (const written of statements) {
    const says = saysOf(purpose, written)
    if (says !== undefined) (says ? allowing : denying).push(written)
  }
  if (denying.length > 0) return { answer: 'disallowed', sources: denying }
  return allowing.length > 0 ? { answer: 'allowed', sources: allowing } : unknown
}

/** True: it allows the purpose. False: it denies it. Undefined: it is silent. */
function saysOf(purpose: UsePurpose, written: string): boolean | undefined {
  const { source, text } = statementParts(written)
  return readers.get(source)?.(purpose, text)
}

type StatementReader = (purpose: UsePurpose, text: string) => boolean | undefined

const readers = new Map<string, StatementReader>([
  ['content-usage', contentUsage],
  ['robots.txt content-usage', contentUsage],
  ['content-signal', contentSignal],
  ['robots.txt content-signal', contentSignal],
  ['tdm-reservation', reservation],
  ['meta tdm-reservation', reservation],
  ['tdmrep.json tdm-reservation', reservation],
  ['x-robots-tag', directives],
  ['meta robots', directives],
  ['robots.txt disallows', closedAgents],
  ['licence permits only', hasUsage],
  ['licence permits', (purpose, text) => (hasUsage(purpose, text) ? true : undefined)],
  ['licence prohibits', (purpose, text) => (hasUsage(purpose, text) ? false : undefined)],
])

/** `train-ai=n, search=y` */
function contentUsage(purpose: UsePurpose, text: string): boolean | undefined {
  const said = parseDictionary(text)
  if (said === undefined) return undefined
  for (const label of usageLabels[purpose]) {
    const value = said.get(label)
    if (value === 'y' || value === 'n') return value === 'y'
  }
  return undefined
}

/** `search=yes, ai-train=no`; if a label is repeated, `no` counts. */
function contentSignal(purpose: UsePurpose, text: string): boolean | undefined {
  let says: boolean | undefined
  for (const part of text.toLowerCase().split(/[,;]/)) {
    const [label, value] = part.split('=', 2).map((word) => word.trim())
    if (label !== signalLabels[purpose]) continue
    if (value === 'no') return false
    if (value === 'yes') says = true
  }
  return says
}

/** `1`: text and data mining is reserved. */
function reservation(purpose: UsePurpose, text: string): boolean | undefined {
  if (!miningPurposes.includes(purpose) || (text !== '0' && text !== '1')) return undefined
  return text === '0'
}

/** Of whatever agent they are for. */
function directives(purpose: UsePurpose, text: string): boolean | undefined {
  const isDenied = text
    .toLowerCase()
    .split(/[,:;\s]+/)
    .some((word) => Object.hasOwn(robotsWords, word) && robotsWords[word].includes(purpose))
  return isDenied ? false : undefined
}

function closedAgents(purpose: UsePurpose, text: string): boolean | undefined {
  return text.split(', ').some((name) => Object.hasOwn(aiAgents, name) && aiAgents[name].includes(purpose))
    ? false
    : undefined
}

function hasUsage(purpose: UsePurpose, text: string): boolean {
  const usages = text.toLowerCase().split(/[,\s]+/)
  return licenceUsages[purpose].some((usage) => usages.includes(usage))
}
