/** Preferences: what owners say about the use of their pages is recorded, and a crawl with a purpose does not fetch what it could not use. */
import { grouped, plural } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import type { UsePurpose } from '../../../web/preferences/known-signals.ts'
import type { UseVerdict } from '../../../web/preferences/verdict.ts'
import { safe } from '../../read/words.ts'
import type { Part } from '../part.ts'
import { preferenceOptions, refusedPurpose } from './options.ts'
import { preferenceColumns } from './columns.ts'
import type { ExplainedUse } from './recorded-use.ts'

export interface PreferenceCounts {
  /** Fetched pages about whose use something is said. */
  readonly stated: number
  /** Of these, those that may not be used for each purpose. */
  readonly disallowed: Readonly<Record<UsePurpose, number>>
  /** Pages that were not requested, because the crawl could not use them. */
  readonly optedOut: number
}

declare module '../../options/crawl-options.ts' {
  interface CrawlProgress {
    /** Undefined if owners say nothing. */
    readonly preferences?: PreferenceCounts | undefined
  }
  interface CrawlTotals {
    /** Undefined if owners say nothing. */
    readonly preferences?: PreferenceCounts | undefined
  }
}

declare module '../../read/explanation-parts.ts' {
  interface Explanation {
    /** Whether it may be used for each purpose, and the statements of its owner that say so; absent if nothing is said. */
    readonly use?: ExplainedUse | undefined
  }
}

const recordedUse = () => import('./recorded-use.ts')

export const preferences: Part = {
  name: 'preferences',
  options: preferenceOptions,
  reader: workerEntry(import.meta.url, './preference-reader'),
  thread: () => true,
  work: () => import('./crawl-preferences.ts'),
  shows: {
    row({ preferences: counts }) {
      const text = counts === undefined ? '' : countsText(counts)
      return text === '' ? undefined : ['preferences', text]
    },
    pageColumns: {
      columns: preferenceColumns,
      valuesOf: async (crawl) => (await recordedUse()).valuesOf(crawl),
    },
    use: {
      purposeOf: refusedPurpose,
      answerOf: async (crawl, purpose) => (await recordedUse()).answerOf(crawl, purpose),
    },
    explain: async (crawl, page) => ({ use: (await recordedUse()).explainedUse(crawl, page) }),
    explained: ({ use }) => (use === undefined ? undefined : ['Use', Object.entries(use).map(useText)]),
    requests: (settings) => {
      const purpose = refusedPurpose(settings)
      return purpose === undefined ? [] : [`no pages whose owners do not allow ${purpose}`]
    },
  },
}

const answers = {
  allowed: 'allowed for',
  disallowed: 'not allowed for',
  unknown: 'nothing is said about',
} as const

/** "not allowed for train-ai: robots.txt content-signal: ai-train=no" */
function useText([purpose, { answer, sources }]: [string, UseVerdict]): string {
  const stated = sources.length === 0 ? '' : `: ${sources.map(safe).join('; ')}`
  return `${answers[answer]} ${purpose}${stated}`
}

/** "12 pages not fetched, which their owners do not allow; of 40 fetched ones with preferences, 31 not for train-ai, 2 not for search" */
function countsText({ stated, disallowed, optedOut }: PreferenceCounts): string {
  const not = Object.entries(disallowed).flatMap(([purpose, count]) =>
    count === 0 ? [] : [`${grouped(count)} not for ${purpose}`],
  )
  return [
    ...(optedOut === 0 ? [] : [`${plural(optedOut, 'page')} not fetched, whose owners do not allow the use`]),
    ...(stated === 0 ? [] : [[`${plural(stated, 'fetched page')} with preferences`, ...not].join(', ')]),
  ].join('; ')
}
