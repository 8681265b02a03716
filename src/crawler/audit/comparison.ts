/** The findings of an audit compared with those of an earlier one. */
import { readFileSync, statSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { audit, type AuditOptions } from './audit.ts'
import type { Finding } from './finding.ts'
import { auditKinds } from './kinds.ts'

export const changeNames = ['new', 'still', 'fixed'] as const
export type FindingChange = (typeof changeNames)[number]

export interface ComparedFinding extends Finding {
  /** Compared with an earlier audit; undefined if there is none. */
  readonly change?: FindingChange | undefined
}

/** The earlier findings: of a crawl in a folder, or of a file of JSON lines that an audit wrote. */
export async function earlierFindings(path: string, options: AuditOptions): Promise<readonly Finding[]> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true
  if (isFolder) return (await audit(path, { ...options, external: false })).findings
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => parsed(line, `${path}, line ${i + 1}`))
    .filter(({ change }) => change !== 'fixed')
}

function parsed(line: string, place: string): ComparedFinding {
  try {
    const finding = JSON.parse(line) as ComparedFinding
    if (finding.kind in auditKinds && typeof finding.url === 'string') return finding
  } catch {
    // Reported below.
  }
  throw new RankwardError('BAD_REPORT_INPUT', `${place}: not a finding of \`rankward audit --format jsonl\`.`)
}

/** All findings of now, then those of before that are gone. */
export function compared(now: readonly Finding[], before: readonly Finding[]): ComparedFinding[] {
  const known = new Set(before.map(keyOf))
  const left = new Set(now.map(keyOf))
  return [
    ...now.map((finding) => ({
      ...finding,
      change: known.has(keyOf(finding)) ? ('still' as const) : ('new' as const),
    })),
    ...before
      .filter((finding) => !left.has(keyOf(finding)))
      .map((finding) => ({ ...finding, change: 'fixed' as const })),
  ]
}

/** The same fault on other pages is the same finding. Texts that pages share name it, since their first page may change. */
function keyOf({ kind, url, detail }: Finding): string {
  return kind === 'title-duplicate' || kind === 'description-duplicate'
    ? `${kind} ${detail}`
    : `${kind} ${url}`
}
