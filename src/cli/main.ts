#!/usr/bin/env node
/** The command `rankward`. Each command has its own file; this one combines them and prints errors. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { withShortOptions } from './short-options.ts'

/**
 * The file of a command is loaded when it is run, or when all are listed: together they take half a second.
 */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  crawl: async () => (await import('./crawl.ts')).crawlCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  worker: async () => (await import('./worker.ts')).workerCommand(),
  cluster: async () => (await import('./cluster.ts')).clusterCommand(),
  resume: async () => (await import('./resume.ts')).resumeCommand(),
  recrawl: async () => (await import('./recrawl.ts')).recrawlCommand(),
  dashboard: async () => (await import('./dashboard.ts')).dashboardCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  compact: async () => (await import('./compact.ts')).compactCommand(),
  changes: async () => (await import('./changes.ts')).changesCommand(),
  tail: async () => (await import('./tail.ts')).tailCommand(),
  search: async () => (await import('./search.ts')).searchCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  explain: async () => (await import('./explain.ts')).explainCommand(),
  duplicates: async () => (await import('./duplicates.ts')).duplicatesCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  simulate: async () => (await import('./simulate.ts')).simulateCommand(),
  experiment: async () => (await import('./experiment.ts')).experimentCommand(),
  strategies: async () => (await import('./strategies.ts')).strategiesCommand(),
  graph: async () => (await import('./graph.ts')).graphCommand(),
  pause: async () => (await import('./pause.ts')).pauseCommand(),
  stop: async () => (await import('./stop.ts')).stopCommand(),
  workers: async () => (await import('./workers.ts')).workersCommand(),
  shards: async () => (await import('./shards.ts')).shardsCommand(),
  clusters: async () => (await import('./clusters.ts')).clustersCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(allCommands),
}

function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(commands).map(loaded))
}

async function loaded(load: () => Promise<Command>): Promise<Command> {
  return withShortOptions(await load())
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

async function program(): Promise<Command> {
  const rankward = new Command('rankward')
    .description(
      'A web crawler that fetches important pages first, and a simulator that tests its strategies on stored webs.',
    )
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Examples:
  rankward crawl https://example.org/ -o crawl --coverage 95%      crawl a site
  rankward report crawl                                            make a report of it
  rankward search crawl solar energy                               find pages in it
  rankward demo                                                    crawl a generated web on this machine
  rankward graph generate -n 200000 -o web.rwg                     make a web
  rankward simulate web.rwg -s all                                 crawl it by every strategy

Short options: -o for --out (export: --to), -n for --pages, -s for --strategy, in every command that has them.
Exit codes: 0 done, 1 failed, 2 usage error, 3 the crawl ended with unreachable sites, 130 interrupted.`,
    )
  const [meant = ''] = process.argv.slice(2)
  const load = Object.hasOwn(commands, meant) ? [commands[meant]] : Object.values(commands)
  for (const command of await Promise.all(load.map(loaded))) rankward.addCommand(command)
  return rankward
}

/** Commander's own errors (unknown option, missing argument) become usage errors in our form. */
function prepare(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
  for (const sub of command.commands) prepare(sub)
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Commander prints the help itself if a command is missing.
    if (error.code !== 'commander.help') {
      process.stderr.write(
        `rankward: ${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see --help)\n`,
      )
    }
    return 2
  }
  if (error instanceof RankwardError && error.code !== 'BUG') {
    process.stderr.write(`rankward: ${error.message}\n`)
    return error.exitCode
  }
  const { stack, message } = error as Error
  process.stderr.write(
    `rankward: internal error: ${process.env['RANKWARD_DEBUG'] === undefined ? message : stack}\n`,
  )
  process.stderr.write('Please report it, with the command. RANKWARD_DEBUG=1 shows where it happened.\n')
  return 1
}

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.once('SIGINT', () => process.exit(130))

const root = await program()
prepare(root)
try {
  await root.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
