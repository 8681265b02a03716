/** `rankward cluster`: workers, and the commands that watch and steer a crawl on a cluster. */
import { Command } from 'commander'
import {
  backupCluster,
  checkCluster,
  clusterCrawls,
  clusterStatus,
  clusterStorage,
  deleteCluster,
  drainCluster,
  pauseCluster,
  restoreCluster,
  resumeCluster,
  stopCluster,
  type ClusterBackup,
  type ClusterStorage,
} from '../cluster/operator.ts'
import { bytesText, plural } from '../lib/amounts.ts'
import { RankwardError } from '../lib/errors.ts'
import { clusterDemoCommand } from './cluster/demo.ts'
import { clusterCrawlOf, connectionOf, withClusterOptions, withConnectionOptions } from './cluster/options.ts'
import { checkText, commandText, crawlsText, shardsTable, workersText } from './cluster/text.ts'
import { workerCommand } from './cluster/worker.ts'
import { printJson, type JsonOption } from './options.ts'

export function clusterCommand(): Command {
  return new Command('cluster')
    .description('Run, watch and steer crawls on several machines')
    .addHelpText(
      'after',
      `
\`rankward crawl --cluster\` begins a crawl. status, dashboard, export and explain read it with --cluster and --name.

Examples:
  rankward crawl https://example.org/ --cluster nats://10.0.0.1:4222 --name example
  rankward cluster worker --cluster nats://10.0.0.1:4222 --name example
  rankward cluster pause --cluster nats://10.0.0.1:4222 --name example
  rankward cluster demo`,
    )
    .commandsGroup('Crawl:')
    .addCommand(workerCommand())
    .addCommand(clusterDemoCommand())
    .commandsGroup('Watch:')
    .addCommand(listCommand())
    .addCommand(workersCommand())
    .addCommand(shardsCommand())
    .addCommand(checkCommand())
    .commandsGroup('Steer:')
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(drainCommand())
    .addCommand(stopCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(deleteCommand())
}

const on = '--cluster nats://10.0.0.1:4222'

function listCommand(): Command {
  const command = withConnectionOptions(new Command('list').description('List the crawls on a cluster'))
  return withOutput(command, {
    help: `Examples:
  rankward cluster list ${on}
  rankward cluster list --cluster tls://nats.example:4222 --nats-user viewer --nats-password-file password.txt`,
    read: async () => ({ crawls: await clusterCrawls(connectionOf(command)) }),
    text: ({ crawls }) => crawlsText(crawls),
  })
}

function workersCommand(): Command {
  const command = withClusterOptions(new Command('workers').description('List the workers of a crawl'))
  return withOutput(command, {
    help: `A worker is gone if it has not renewed its key for 20 seconds. Its shards then move to the others.

Examples:
  rankward cluster workers ${on} --name news
  rankward cluster workers ${on} --name news --json | jq '.workers[].pages'`,
    read: () => clusterStatus(clusterCrawlOf(command)),
    text: workersText,
    json: ({ name, workers }) => ({ name, workers }),
  })
}

function shardsCommand(): Command {
  const command = withClusterOptions(new Command('shards').description('List the shards of a crawl'))
  return withOutput(command, {
    help: `The states are owned (by a live worker), released, orphaned (its worker is gone) and unclaimed (no group yet). A shard
is stalled if it has pages to fetch and no live worker, or has stored no group for a minute. \`behind\` counts messages
of other shards that it has not applied.

Examples:
  rankward cluster shards ${on} --name news
  rankward cluster shards ${on} --name news --json | jq '.shards[].pages'`,
    read: () => clusterStatus(clusterCrawlOf(command)),
    text: shardsTable,
    json: ({ name, shards }) => ({ name, shards }),
  })
}

function checkCommand(): Command {
  const command = withClusterOptions(
    new Command('check').description('Check servers, clocks, replicas, versions and room of a cluster'),
  )
  return withOutput(command, {
    help: `Connects to every server that is given, and writes nothing. With --name it also checks the streams and workers of that crawl.
The exit code is 1 if there is a problem; warnings do not change it.

Examples:
  rankward cluster check ${on} --cluster nats://10.0.0.2:4222 --cluster nats://10.0.0.3:4222
  rankward cluster check ${on} --name news`,
    read: async () => {
      const name = command.getOptionValue('name') as string | undefined
      const checked = await checkCluster({ ...connectionOf(command), name })
      if (checked.state === 'problem') process.exitCode = 1
      return checked
    },
    text: checkText,
  })
}

function drainCommand(): Command {
  const command = withClusterOptions(
    new Command('drain')
      .description('Make one worker hand its shards over and end')
      .argument('<worker>', 'the name of the worker, or the beginning of it'),
  )
  return withOutput(command, {
    help: `The worker finishes its requests. The command ends when the worker has left; the others take its shards.

Examples:
  rankward cluster workers ${on} --name news
  rankward cluster drain crawler7 ${on} --name news`,
    read: () => drainCluster({ ...clusterCrawlOf(command), worker: command.args[0] }),
    text: ({ worker, shards }) => `${worker} has left, and handed ${plural(shards, 'shard')} over.`,
  })
}

function pauseCommand(): Command {
  const command = withClusterOptions(
    new Command('pause').description('Pause a crawl: no more pages are requested until `resume`'),
  )
  return withOutput(command, {
    help: `Requests in flight are finished. Workers keep running and keep their shards.

Examples:
  rankward cluster pause ${on} --name news
  rankward cluster resume ${on} --name news`,
    read: () => pauseCluster(clusterCrawlOf(command)),
    text: commandText,
  })
}

function resumeCommand(): Command {
  const command = withClusterOptions(
    new Command('resume').description('End a pause or a stop of a crawl on a cluster'),
  )
  return withOutput(command, {
    help: `Settings stay as they are. Workers that have ended are started by hand: rankward cluster worker.

Example:
  rankward cluster resume ${on} --name news`,
    read: () => resumeCluster(clusterCrawlOf(command)),
    text: commandText,
  })
}

function stopCommand(): Command {
  const command = withClusterOptions(
    new Command('stop')
      .description('Stop a crawl: all workers release their shards and end')
      .option('--reason <text>', 'shown by `rankward status`'),
  )
  return withOutput(command, {
    help: `Requests in flight are finished. \`rankward cluster resume\` allows workers to continue; start them again.

Examples:
  rankward cluster stop ${on} --name news --reason 'new disks'
  rankward cluster resume ${on} --name news`,
    read: () => {
      const { reason } = command.opts<{ reason?: string }>()
      return stopCluster({ ...clusterCrawlOf(command), reason })
    },
    text: commandText,
  })
}

function backupCommand(): Command {
  const command = withClusterOptions(
    new Command('backup')
      .description('Write a stopped crawl to a folder: journals, links, settings and snapshots')
      .requiredOption('--to <folder>', 'the folder, which is empty or does not exist'),
  )
  return withOutput(command, {
    help: `Refused while the crawl has live workers: stop it first. Folders and archives of workers are not part of it.

Examples:
  rankward cluster stop ${on} --name news
  rankward cluster backup ${on} --name news --to news-backup
  rankward cluster resume ${on} --name news`,
    read: () => backupCluster({ ...clusterCrawlOf(command), to: command.opts<{ to: string }>().to }),
    text: (backup) => `${backup.name} is written: ${backupText(backup)}.`,
  })
}

function restoreCommand(): Command {
  const command = withConnectionOptions(
    new Command('restore')
      .description('Create a crawl from a backup')
      .argument('<folder>', 'the folder of `rankward cluster backup`'),
  )
  return withOutput(command, {
    help: `The crawl has its name and all its pages. It is stopped, as it was: resume it, and start workers.

Examples:
  rankward cluster restore news-backup ${on}
  rankward cluster resume ${on} --name news
  rankward cluster worker ${on} --name news`,
    read: () => restoreCluster({ ...connectionOf(command), from: command.args[0] }),
    text: (backup) => `${backup.name} of ${backup.createdAt} is restored: ${backupText(backup)}.`,
  })
}

function backupText({ streams, bytes }: ClusterBackup): string {
  return `${plural(streams, 'stream')}, ${bytesText(bytes)}`
}

function deleteCommand(): Command {
  const command = withClusterOptions(
    new Command('delete')
      .description('Delete a crawl: its journals, links, settings and snapshots')
      .option('--yes', 'delete it; without this option, the command only says what it would delete'),
  )
  return withOutput(command, {
    help: `Refused while the crawl has live workers: stop it first. Folders and archives of workers are not touched. A deletion cannot be
undone: \`rankward export\` the crawl before, if its pages are needed.

Examples:
  rankward cluster stop ${on} --name news
  rankward cluster delete ${on} --name news --yes`,
    read: async () => {
      const crawl = clusterCrawlOf(command)
      if (command.opts<{ yes?: boolean }>().yes === true) return deleteCluster(crawl)
      throw new RankwardError(
        'USAGE',
        `This would delete the crawl ${crawl.name}: ${sizeText(await clusterStorage(crawl))}. Add --yes to delete it.`,
      )
    },
    text: (deleted) => `${deleted.name} is deleted: ${sizeText(deleted)}.`,
  })
}

function sizeText({ streams, bytes }: ClusterStorage): string {
  return `${plural(streams, 'stream')}, ${bytesText(bytes)} on each server`
}

interface Output<Result> {
  readonly help: string
  readonly read: () => Promise<Result>
  readonly text: (result: Result) => string
  /** The document of `--json`; default: the result. */
  readonly json?: (result: Result) => unknown
}

/** Makes the command print its result, as text or as JSON. */
function withOutput<Result>(command: Command, { help, read, text, json }: Output<Result>): Command {
  return command
    .option('--json', 'print one JSON document instead of text')
    .addHelpText('after', `\n${help}`)
    .action(async () => {
      const options = command.opts<JsonOption>()
      const result = await read()
      if (options.json === true) printJson(json === undefined ? result : json(result))
      else process.stdout.write(`${text(result)}\n`)
    })
}
