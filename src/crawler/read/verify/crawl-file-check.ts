/** Checks crawl.json and the files that it names, and compares its totals with the record. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfFile } from '../../../lib/files/file-record.ts'
import type { CrawlFilePart } from '../../record/crawl-file.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { partFiles } from '../../parts/all-parts.ts'
import type { PartFile } from '../../parts/part.ts'
import type { PartFindings } from './findings.ts'

/** Returns whether everything but the totals can be trusted. */
export function checkCrawlFile(
  findings: PartFindings,
  folder: CrawlFolder,
  damage: CrawlFilePart | undefined,
): boolean {
  const names = Object.keys(folder.file.files)
  const paths = ['crawl.json', ...names].map((name) => join(folder.path, name))
  findings.files = paths.length
  findings.bytes = paths.reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  findings.checked = 'options, totals'
  if (damage === 'crawl')
    findings.damaged('crawl.json', 'It does not match its checksum: it is damaged, or was edited.')
  if (damage === 'totals')
    findings.damaged(
      'crawl.json',
      'The totals do not match their checksum. Without them, the crawl counts as killed; the next session writes them again.',
      dropTotals(folder),
    )
  for (const name of names) {
    const digest = digestOfFile(join(folder.path, name))
    if (digest === folder.file.files[name]) continue
    findings.damaged(
      name,
      digest === undefined ? 'It is missing.' : 'It is not the file that the crawl wrote.',
    )
  }
  for (const file of partFiles) checkPartFile(findings, folder, file)
  return damage !== 'crawl'
}

function checkPartFile(findings: PartFindings, folder: CrawlFolder, file: PartFile): void {
  const path = join(folder.path, file.name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  findings.files++
  findings.bytes += found.size
  const damage = file.damage(readFileSync(path, 'utf8'))
  if (damage !== undefined) findings.damaged(file.name, damage)
}

/** Counts of pages by outcome. They follow from the facts, and are recorded with the last group. */
const counts = [
  'pages',
  'redirects',
  'failed',
  'temporary',
  'unreachable',
  'refusedByRobots',
  'refusedByLimits',
] as const

/** Called if crawl.json and the whole record are intact, and no process runs the crawl. */
export function checkTotals(findings: PartFindings, folder: CrawlFolder, record: CrawlRecord): void {
  const { totals, groups } = folder.file
  if (totals === undefined || groups !== record.groups) return
  const recorded = record.counts as Partial<Record<string, number>>
  const different = counts.filter((name) => recorded[name] !== undefined && recorded[name] !== totals[name])
  if (different.length === 0) return
  const listed = different.map((name) => `${name} ${totals[name]} instead of ${recorded[name]}`).join(', ')
  findings.damaged('crawl.json', `The totals are not those of the record: ${listed}.`, dropTotals(folder))
}

function dropTotals(folder: CrawlFolder): () => Promise<void> {
  return () => Promise.resolve(folder.update({ totals: undefined, endedAt: undefined }))
}
