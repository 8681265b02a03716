import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Command } from 'commander'
import { unreadable } from '../graph/formats/byte-source.ts'
import { reportFiles } from '../report/page.ts'
import { savedSimulation, type SavedSimulation } from '../report/saved-simulation.ts'
import { simulationReport } from '../report/simulation-report.ts'
import { printJson } from './options.ts'
import { today, typedCommand, writeFiles } from './report-output.ts'
import { grouped } from './terminal.ts'

interface ReportCliOptions {
  readonly out: string
  readonly json?: boolean
}

export function reportCommand(): Command {
  return new Command('report')
    .description('Make an illustrated report of saved simulations, several side by side')
    .argument('<files...>', 'what `rankward simulate … --json` saved')
    .option('--out <file>', 'the page; its data go beside it as CSV', 'report.html')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Examples:
  rankward simulate web.rwg --strategy opic,breadth-first --json > runs.json
  rankward report runs.json
  rankward report before.json after.json --out comparison.html`,
    )
    .action(run)
}

async function run(paths: string[], options: ReportCliOptions, command: Command): Promise<void> {
  const simulations: SavedSimulation[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw unreadable(path, error)
    })
    simulations.push(savedSimulation(path, text))
  }
  const name = basename(options.out).replace(/\.html?$/i, '')
  const origin = {
    command: typedCommand(process.argv.slice(2)),
    version: command.parent?.version() ?? '',
    date: today(),
  }
  const [page, ...csv] = reportFiles({ ...simulationReport(simulations), name }, origin)
  const [report, ...files] = await writeFiles(dirname(options.out), [
    { ...page, name: basename(options.out) },
    ...csv,
  ])
  const runs = simulations.reduce((sum, simulation) => sum + simulation.runs.length, 0)
  if (options.json === true) printJson({ report, files, simulations: simulations.length, runs })
  else
    process.stdout.write(
      `${report}: ${grouped(runs)} ${runs === 1 ? 'run' : 'runs'}, and ${grouped(files.length)} data files\n`,
    )
}
