/**
 * Checks the links that lead out of a crawl: a crawl of these URLs alone, as polite as any other, in a temporary folder. Redirects
 * are not followed: a page that has moved exists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from '../../lib/progress.ts'
import { crawl } from '../crawler.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { options } from '../options/option-table.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { failing, missing, stateOf, type AuditedWeb } from './audited-web.ts'
import { findingOf, type Finding } from './finding.ts'
import type { Contents } from './read-contents.ts'

const libraryOptions: ReadonlyMap<string, unknown> = options
/** Pages are not archived, and kinds of pages say nothing about them. A program without these parts lacks their options. */
const withoutParts = Object.fromEntries(
  ['warc', 'traps'].filter((name) => libraryOptions.has(name)).map((name) => [name, false]),
)

export interface ExternalResult {
  readonly findings: readonly Finding[]
  /** Number of URLs that have a result, good or bad. */
  readonly judged: number
}

export async function checkExternal(
  web: AuditedWeb,
  { external, externalUrls }: Pick<Contents, 'external' | 'externalUrls'>,
  { userAgent, allowPrivate, insecure, wait, connections }: CrawlSettings,
  progress: Progress,
): Promise<ExternalResult> {
  if (externalUrls.length === 0) return { findings: [], judged: 0 }
  const out = mkdtempSync(join(tmpdir(), 'rankward-audit-'))
  let done = 0
  try {
    await crawl({
      seeds: [...externalUrls],
      out,
      strategy: 'breadth-first',
      maxDepth: 0,
      userAgent,
      allowPrivate,
      insecure,
      wait,
      connections,
      ...withoutParts,
      onRecorded: () => progress(++done, externalUrls.length),
    }).run()
    const errors = await errorsOf(CrawlFolder.open(out))
    const findings: Finding[] = []
    for (const [number, pages] of external.groups()) {
      const url = externalUrls[number]
      const { state = 0, error } = errors.get(url) ?? {}
      if (state !== missing && state !== failing) continue
      const kind = state === missing ? 'external-broken' : 'external-failing'
      findings.push(findingOf(web, kind, { url, detail: error, pages }))
    }
    return { findings, judged: [...errors.values()].filter(({ state }) => state !== 0).length }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

async function errorsOf(
  folder: CrawlFolder,
): Promise<Map<string, { readonly state: number; readonly error: string | undefined }>> {
  const record = await folder.readRecord()
  try {
    const states = new Map<string, { state: number; error: string | undefined }>()
    for (const [{ url }, outcome] of record.pages())
      if (outcome !== undefined) states.set(url, { state: stateOf(outcome), error: outcome.error })
    return states
  } finally {
    record.close()
  }
}
