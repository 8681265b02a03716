/** Illustrated reports: of a crawl, or of saved simulations side by side. One page, with its data beside it as CSV. */
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { unreadable } from '../lib/files/byte-source.ts'
import { defaultOutput } from '../lib/files/output-files.ts'
import { crawlFigures } from '../crawler/read/figures/crawl-figures.ts'
import { isOfShards } from '../crawler/read/whole-crawl.ts'
import { checkReport, today, writeFiles } from './report-output.ts'
import { RankwardError } from '../lib/errors.ts'
import { checkOptions, flag, ofKind, type OptionChecks } from '../lib/option-checks.ts'
import { anyText } from '../lib/value-kinds.ts'
import type { CrawlCoverage } from '../crawler/options/crawl-options.ts'
import { version } from '../crawler/options/version.ts'
import { crawlReportFiles } from './report/crawl-report.ts'
import { reportFiles, type ReportFile } from './report/page.tsx'
import type { Origin } from './report/report.ts'
import { savedSimulation, type SavedSimulation } from './report/saved-simulation.ts'
import { simulationReport } from './report/simulation-report.ts'

export interface ReportOptions {
  /** The path of the page; `report.html` unless given. For a crawl it is in its folder, or `NAME-report.html` if that is read-only. */
  readonly out?: string | undefined
  /** Replace existing files, whatever they are. */
  readonly overwrite?: boolean | undefined
  /** Write text cells of the data files unescaped. */
  readonly rawCells?: boolean | undefined
}

interface ReportOfCrawl {
  readonly kind: 'crawl'
  /** The path of the page. */
  readonly report: string
  /** The paths of its data. */
  readonly files: readonly string[]
  /** Pages fetched with content. */
  readonly pages: number
  readonly coverage: CrawlCoverage
}

interface ReportOfSimulations {
  readonly kind: 'simulations'
  readonly report: string
  readonly files: readonly string[]
  readonly simulations: number
  readonly runs: number
}

export type ReportResult = ReportOfCrawl | ReportOfSimulations

const checks: OptionChecks<ReportOptions> = {
  out: ofKind(anyText('a path')),
  overwrite: flag,
  rawCells: flag,
}

/** Writes a report of the crawl in this folder, or of files that `rankward simulate --json` saved. */
export function report(
  paths: string | readonly string[],
  options: ReportOptions = {},
): Promise<ReportResult> {
  const all = typeof paths === 'string' ? [paths] : paths
  const command = `report(${JSON.stringify(paths)})`
  return reportBy({ command, version, date: today() }, all, options)
}

/** `origin`: what the page says of how it was made. */
export async function reportBy(
  origin: Origin,
  paths: readonly string[],
  options: ReportOptions,
): Promise<ReportResult> {
  checkOptions('report', options, checks)
  const folder = paths.find(isFolder)
  if (folder === undefined) return reportSimulations(paths, options, origin)
  if (paths.length > 1) {
    throw new RankwardError(
      'USAGE',
      `${folder} is a folder, and a report is of one crawl or of saved simulations: give each crawl a report of its own.`,
    )
  }
  return reportCrawl(folder, options, origin)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

async function reportCrawl(folder: string, options: ReportOptions, origin: Origin): Promise<ReportOfCrawl> {
  if (isOfShards(folder))
    throw new RankwardError(
      'USAGE',
      `${folder} has copies of the shards of a crawl on a cluster. A report shows one order of fetches, and shards have one each: \`rankward dashboard --cluster\` shows the crawl, \`rankward export --cluster\` has its pages as tables.`,
    )
  const out = options.out ?? defaultOutput(folder, 'report.html')
  checkReport(out, options)
  const crawl = await crawlFigures(folder)
  const content = { name: nameOf(out), rawCells: options.rawCells }
  const [page, ...files] = await write(out, crawlReportFiles(crawl, content, origin), options)
  return { kind: 'crawl', report: page, files, pages: crawl.counts.pages, coverage: crawl.coverage }
}

async function reportSimulations(
  paths: readonly string[],
  options: ReportOptions,
  origin: Origin,
): Promise<ReportOfSimulations> {
  const out = options.out ?? 'report.html'
  checkReport(out, options)
  const simulations: SavedSimulation[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw unreadable(path, error)
    })
    simulations.push(savedSimulation(path, text))
  }
  const content = { ...simulationReport(simulations), name: nameOf(out), rawCells: options.rawCells }
  const [page, ...files] = await write(out, reportFiles(content, origin), options)
  const runs = simulations.reduce((sum, simulation) => sum + simulation.runs.length, 0)
  return { kind: 'simulations', report: page, files, simulations: simulations.length, runs }
}

/** The names of all files begin with that of the page. */
function nameOf(out: string): string {
  return basename(out).replace(/\.html?$/i, '')
}

function write(
  out: string,
  [page, ...data]: readonly ReportFile[],
  options: ReportOptions,
): Promise<string[]> {
  return writeFiles(dirname(out), [{ ...page, name: basename(out) }, ...data], options)
}
