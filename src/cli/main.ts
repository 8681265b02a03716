#!/usr/bin/env node
/** The command `rankward`. This file finds the command, shows the list of all and prints errors. */
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { Command, CommanderError } from 'commander'
import '../view/audit/register.ts'
import '../view/dashboard/register.ts'
import '../view/dashboard/cluster/register.ts'
import './cluster/register.ts'
import { RankwardError } from '../lib/errors.ts'
import { startThreads } from '../crawler/desk/spare-threads.ts'
import { commandGroups, loadCommand } from './commands.ts'

// Node 22 and later keep the compiled code of the modules that are loaded from here on.
;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

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
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'show the help of a command')
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
Exit codes: 0 done, 1 failed, 2 usage error, 3 the crawl ended with unreachable sites, 4 and 5 damage found by verify,
130 interrupted.`,
    )
  const [first = '', second = ''] = process.argv.slice(2)
  const meant = first === 'help' ? second : first
  for (const [group, entries] of Object.entries(commandGroups)) {
    for (const [name, entry] of Object.entries(entries)) {
      const command = name === meant ? await loadCommand(entry) : new Command(name)
      rankward.addCommand(command.summary(entry.summary).helpGroup(`${group}:`))
    }
  }
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

async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Commander prints the help itself if a command is missing.
    if (error.code !== 'commander.help') {
      const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
      const command = root.commands.find((each) => each.name() === process.argv[2])
      const { withOurName } = await import('./other-names.ts')
      process.stderr.write(`rankward: ${withOurName(message, command)} (see --help)\n`)
    }
    return 2
  }
  const limited = tooFewFiles(error)
  if (limited !== undefined) {
    process.stderr.write(`rankward: ${limited}\n`)
    return 1
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

/** What a command needs itself, with some to spare: Node, its threads, and the files of a crawl. */
const filesNeeded = 64

/** A message if the process may not open as many files as it needs; undefined for other errors. */
function tooFewFiles(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, message } = each as NodeJS.ErrnoException
    // An error of a thread has lost its code.
    if (code === 'EMFILE' || code === 'ENFILE' || /\bEMFILE\b/.test(message))
      return tooManyFiles(openFilesMax())
  }
  return undefined
}

function tooManyFiles(max: string): string {
  return (
    `Too many open files: this process may open ${max} (ulimit -n). It needs about ${filesNeeded}, and a crawl one more ` +
    'for each connection (--connections). Raise the limit and run the command again: ulimit -n 4096'
  )
}

/** Asks the system without opening a file. */
function openFilesMax(): string {
  // Not in the types yet: without it, every address of this machine is looked up.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } }
  }
  return String(userLimits?.open_files?.soft ?? 'only few')
}

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`rankward: Cannot write to standard output: ${error.message}.\n`)
  process.exit(1)
})
process.once('SIGINT', () => process.exit(130))
// Node reports a module that cannot be read in no other way if several are loaded at once.
process.once('uncaughtException', (error) => void report(error).then((code) => process.exit(code)))

// A fetch thread loads its code while this thread loads the command.
const isCrawl = process.argv[2] === 'crawl'
if (isCrawl && !process.argv.some((argument) => /^(-h|--help|--dry-run|--cluster)(=|$)/.test(argument)))
  startThreads(1)

const root = await program()
prepare(root)
try {
  await root.parseAsync()
} catch (error) {
  process.exitCode = await report(error)
}
