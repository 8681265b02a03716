import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Command } from 'commander'
import { crawlFigures } from '../inspect/figures/crawl-figures.ts'
import { unreadable } from '../files/byte-source.ts'
import { RankwardError } from '../lib/errors.ts'
import { crawlReportFiles } from '../report/crawl-report.ts'
import { reportFiles, type ReportFile } from '../report/page.ts'
import type { Origin } from '../report/report.ts'
import { savedSimulation, type SavedSimulation } from '../report/saved-simulation.ts'
import { simulationReport } from '../report/simulation-report.ts'
import { printJson, withCellOptions, withWritingOptions } from './options.ts'
import type { CellOptions, WritingOptions } from './options.ts'
import { checkReport, today, typedCommand, writeFiles } from './report-output.ts'
import { grouped } from './terminal.ts'

interface ReportCliOptions extends WritingOptions, CellOptions {
  readonly out?: string
  readonly json?: boolean
}

export function reportCommand(): Command {
  const command = new Command('report')
    .description('Make an illustrated report of a crawl, or of saved simulations side by side')
    .argument('<paths...>', 'the folder of a crawl, or what `rankward simulate … --json` saved')
    .option(
      '--out <file>',
      'the page; its data go beside it as CSV (default: report.html, of a crawl in its folder)',
    )
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Examples:
  rankward crawl https://example.org --pages 1000 --out example
  rankward report example
  rankward simulate web.rwg --strategy opic,breadth-first --json > runs.json
  rankward report runs.json
  rankward report before.json after.json --out comparison.html`,
    )
    .action(run)
  return withCellOptions(withWritingOptions(command))
}

async function run(paths: string[], options: ReportCliOptions, command: Command): Promise<void> {
  const folder = paths.find(isFolder)
  const origin = {
    command: typedCommand(process.argv.slice(2)),
    version: command.parent?.version() ?? '',
    date: today(),
  }
  if (folder === undefined) return reportSimulations(paths, options, origin)
  if (paths.length > 1) {
    throw new RankwardError(
      'USAGE',
      `${folder} is a folder, but a report covers one crawl or several saved simulations: make one report per crawl.`,
    )
  }
  return reportCrawl(folder, options, origin)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

async function reportCrawl(folder: string, options: ReportCliOptions, origin: Origin): Promise<void> {
  const out = options.out ?? join(folder, 'report.html')
  checkReport(out, options)
  const crawl = await crawlFigures(folder)
  const content = { name: nameOf(out), rawCells: options.rawCells }
  const [report, ...files] = await write(out, crawlReportFiles(crawl, content, origin), options)
  const { pages } = crawl.counts
  if (options.json === true) printJson({ report, files, pages, coverage: crawl.coverage })
  else
    process.stdout.write(
      `${report}: ${grouped(pages)} ${pages === 1 ? 'page' : 'pages'}, and ${grouped(files.length)} data files\n`,
    )
}

async function reportSimulations(
  paths: readonly string[],
  options: ReportCliOptions,
  origin: Origin,
): Promise<void> {
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
  const [report, ...files] = await write(out, reportFiles(content, origin), options)
  const runs = simulations.reduce((sum, simulation) => sum + simulation.runs.length, 0)
  if (options.json === true) printJson({ report, files, simulations: simulations.length, runs })
  else
    process.stdout.write(
      `${report}: ${grouped(runs)} ${runs === 1 ? 'run' : 'runs'}, and ${grouped(files.length)} data files\n`,
    )
}

/** All file names begin with that of the page. */
function nameOf(out: string): string {
  return basename(out).replace(/\.html?$/i, '')
}

function write(
  out: string,
  [page, ...data]: readonly ReportFile[],
  options: WritingOptions,
): Promise<string[]> {
  return writeFiles(dirname(out), [{ ...page, name: basename(out) }, ...data], options)
}
