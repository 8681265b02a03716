import { Command } from 'commander'
import { ideal, strategies } from '../engine/strategies/index.ts'
import { printJson } from './options.ts'
import { strategiesNewCommand } from './strategies-new.ts'
import { dim, table } from './terminal.ts'

export function strategiesCommand(): Command {
  return new Command('strategies')
    .description('List the ordering strategies, each with its source')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText('after', '\nExamples:\n  rankward strategies\n  rankward strategies new mine.ts')
    .addCommand(strategiesNewCommand())
    .action(({ json }: { json?: boolean }) => {
      const rows = [
        ...strategies.map(({ name, about, source, guarantees }) => ({
          name,
          about,
          source,
          guarantees: guarantees === true,
        })),
        { ...ideal, guarantees: false },
      ]
      if (json === true) printJson({ strategies: rows })
      else {
        const columns = [{ title: 'strategy' }, { title: 'takes first' }, { title: 'source' }]
        process.stdout.write(
          `${table(
            columns,
            rows.map(({ name, about, source }) => [name, about, source]),
          )}\n\n`,
        )
        process.stdout.write(
          dim(
            'Weighted sums: backlink-count*0.3+location*0.7. Your own: `rankward strategies new mine.ts`, --strategy ./mine.ts (docs/theory/strategies.md).\nWith any of them, --set demoteSpam=0.9 crawls sites that look like spam last.\n',
          ),
        )
      }
    })
}
