import { Command } from 'commander'
import { clusterDemoCommand } from './cluster/demo.ts'

export function clusterCommand(): Command {
  return new Command('cluster')
    .description('Try a crawl on several machines')
    .addHelpText('after', '\nExample:\n  rankward cluster demo')
    .addCommand(clusterDemoCommand())
}
