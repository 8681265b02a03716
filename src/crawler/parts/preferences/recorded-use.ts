/** What the record says about the use of pages, for exports and explanations. */
import { usePurposes, type UsePurpose } from '../../../web/preferences/known-signals.ts'
import { useVerdict, type UseAnswer, type UseVerdict } from '../../../web/preferences/verdict.ts'
import type { Value } from '../../read/export/table.ts'
import type { ExplainedCrawl, RecordedUse } from '../shown.ts'
import { OwnerStatements } from './owner-statements.ts'

function recordedStatements({ record, settings }: ExplainedCrawl): OwnerStatements {
  return new OwnerStatements({ file: (name) => record.robots(name), userAgent: settings.userAgent })
}

export function answerOf(crawl: ExplainedCrawl, purpose: UsePurpose): RecordedUse<UseAnswer> {
  const statements = recordedStatements(crawl)
  return (url, outcome) => useVerdict(purpose, statements.of(url, outcome)).answer
}

/** By purpose; undefined if nothing is said. */
export type ExplainedUse = Readonly<Record<UsePurpose, UseVerdict>>

export function explainedUse(crawl: ExplainedCrawl, page: number): ExplainedUse | undefined {
  const stated = recordedStatements(crawl).of(crawl.record.found(page).url, crawl.record.outcome(page))
  if (stated.length === 0) return undefined
  return Object.fromEntries(
    usePurposes.map((purpose) => [purpose, useVerdict(purpose, stated)]),
  ) as unknown as ExplainedUse
}

/** Of the columns. */
export function valuesOf(crawl: ExplainedCrawl): RecordedUse<readonly Value[]> {
  const statements = recordedStatements(crawl)
  return (url, outcome) => {
    const stated = statements.of(url, outcome)
    if (stated.length === 0) return nothing
    return [stated, ...usePurposes.map((purpose) => shown(useVerdict(purpose, stated).answer))]
  }
}

const nothing = [undefined, ...usePurposes.map(() => undefined)]

function shown(answer: UseAnswer): string | undefined {
  return answer === 'unknown' ? undefined : answer
}
