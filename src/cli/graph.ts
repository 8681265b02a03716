import { Command } from 'commander'
import { graphConvertCommand } from './graph-convert.ts'
import { graphGenerateCommand } from './graph-generate.ts'
import { graphInfoCommand } from './graph-info.ts'
import { graphPageRankCommand } from './graph-pagerank.ts'
import { graphSpamCommand } from './graph-spam.ts'

export function graphCommand(): Command {
  return new Command('graph')
    .description('Inspect, convert, generate and rank stored web graphs')
    .addCommand(graphInfoCommand())
    .addCommand(graphConvertCommand())
    .addCommand(graphGenerateCommand())
    .addCommand(graphPageRankCommand())
    .addCommand(graphSpamCommand())
    .addHelpText('after', '\nExample:\n  rankward graph info web.rwg')
}
