import { Command } from 'commander'
import { today, typedCommand } from '../view/report-output.ts'
import { reportBy } from '../view/reporter.ts'
import { plural } from './crawl/words.ts'
import { printJson, withCellOptions, withWritingOptions } from './options.ts'
import type { CellOptions, WritingOptions } from './options.ts'
import { reportLine } from './terminal.ts'

interface ReportCliOptions extends WritingOptions, CellOptions {
  readonly out?: string
  readonly json?: boolean
}

export function reportCommand(): Command {
  const command = new Command('report')
    .description('Make an illustrated report of a crawl, or of saved simulations side by side')
    .argument('<paths...>', 'the folder of a crawl, or saved output of `rankward simulate … --json`')
    .option(
      '--out <file>',
      'the HTML file; its data go beside it as CSV (default: report.html; for a crawl, in its folder, or NAME-report.html here if that is read-only)',
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
  const { json, out, overwrite, rawCells } = options
  const origin = {
    command: typedCommand(process.argv.slice(2)),
    version: command.parent?.version() ?? '',
    date: today(),
  }
  const { kind: _, ...made } = await reportBy(origin, paths, { out, overwrite, rawCells })
  if (json === true) return printJson(made)
  const [count, noun] = 'pages' in made ? [made.pages, 'page'] : [made.runs, 'run']
  process.stdout.write(
    `${plural(count, noun)}; ${plural(made.files.length, 'data file')} beside the report\n${reportLine(made.report)}\n`,
  )
}
