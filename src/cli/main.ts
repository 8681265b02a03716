#!/usr/bin/env node
/** The command `rankward`. Each command is a file of its own; this one puts them together and turns errors into lines. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { crawlCommand } from './crawl.ts'
import { demoCommand } from './demo.ts'
import { experimentCommand } from './experiment.ts'
import { explainCommand } from './explain.ts'
import { exportCommand } from './export.ts'
import { graphCommand } from './graph.ts'
import { reportCommand } from './report.ts'
import { resumeCommand } from './resume.ts'
import { simulateCommand } from './simulate.ts'
import { strategiesCommand } from './strategies.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

function program(): Command {
  const rankward = new Command('rankward')
    .description(
      'A web crawler that fetches the important pages first, and a simulator to try its strategies on stored webs.',
    )
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Examples:
  rankward graph generate --pages 200000 --out web.rwg   make a web
  rankward graph info web.rwg                            look at it
  rankward graph pagerank web.rwg                        find its most important pages
  rankward simulate web.rwg --strategy all               crawl it by every strategy

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
    )
  rankward.addCommand(crawlCommand()).addCommand(resumeCommand())
  rankward.addCommand(exportCommand()).addCommand(explainCommand())
  rankward.addCommand(simulateCommand()).addCommand(strategiesCommand()).addCommand(graphCommand())
  rankward.addCommand(experimentCommand()).addCommand(reportCommand()).addCommand(demoCommand())
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
    // Commander shows the help itself where a command was expected and none came.
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

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.once('SIGINT', () => process.exit(130))

const root = program()
prepare(root)
try {
  await root.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
