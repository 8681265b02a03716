/**
 * The commands of `rankward`, as the help lists them. The file of a command is loaded only when it is run:
 * all of them together take half a second.
 */
import type { Command } from 'commander'
import { elsewhere } from './crawls-elsewhere.ts'

interface CommandEntry {
  /** One line of the list of commands. The command itself has a longer description. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

export const commandGroups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Crawl: {
    crawl: {
      summary: 'crawl the web from seeds, most important pages first',
      load: async () => (await import('./crawl.ts')).crawlCommand(await elsewhere()),
    },
    resume: {
      summary: 'continue a crawl after a stop, a crash or a kill',
      load: async () => (await import('./resume.ts')).resumeCommand(),
    },
    recrawl: {
      summary: 'fetch the pages of a crawl again, and their new links',
      load: async () => (await import('./recrawl.ts')).recrawlCommand(),
    },
    demo: {
      summary: 'crawl a generated web on this machine',
      load: async () => (await import('./demo.ts')).demoCommand(),
    },
  },
  'Prepare a crawl': {
    init: {
      summary: 'write a config file with every option explained',
      load: async () => (await import('./init.ts')).initCommand(),
    },
    check: {
      summary: 'show what a crawl with a config file would do',
      load: async () => (await import('./check.ts')).checkCommand(),
    },
    'bot-key': {
      summary: 'make a key that signs requests, and its directory',
      load: async () => (await import('./bot-key.ts')).botKeyCommand(),
    },
    import: {
      summary: 'list the URLs in files of other crawlers and archives',
      load: async () => (await import('./import.ts')).importCommand(),
    },
  },
  'Inspect a crawl, running or finished': {
    status: {
      summary: 'show its progress',
      load: async () => (await import('./status.ts')).statusCommand(await elsewhere()),
    },
    dashboard: {
      summary: 'show it in the browser',
      load: async () => (await import('./dashboard.ts')).dashboardCommand(await elsewhere()),
    },
    report: {
      summary: 'make an illustrated report of it, or of simulations',
      load: async () => (await import('./report.ts')).reportCommand(),
    },
    search: {
      summary: 'search its pages',
      load: async () => (await import('./search.ts')).searchCommand(await elsewhere()),
    },
    explain: {
      summary: 'explain when and why a page was fetched, or why it was not',
      load: async () => (await import('./explain.ts')).explainCommand(await elsewhere()),
    },
    export: {
      summary: 'write its pages and links as tables',
      load: async () => (await import('./export.ts')).exportCommand(await elsewhere()),
    },
    dataset: {
      summary: 'make a data set of the texts of its pages',
      load: async () => (await import('./dataset.ts')).datasetCommand(await elsewhere()),
    },
    tail: {
      summary: 'follow its pages as JSON lines',
      load: async () => (await import('./tail.ts')).tailCommand(),
    },
    changes: {
      summary: 'list what is new, changed and gone',
      load: async () => (await import('./changes.ts')).changesCommand(),
    },
    audit: {
      summary: 'list broken links, redirects, orphans and other faults of its sites',
      load: async () => (await import('./audit.ts')).auditCommand(await elsewhere()),
    },
    duplicates: {
      summary: 'list duplicate pages',
      load: async () => (await import('./duplicates.ts')).duplicatesCommand(),
    },
    serve: {
      summary: 'serve its archive as a proxy for browsers and crawlers',
      load: async () => (await import('./serve.ts')).serveCommand(),
    },
    verify: {
      summary: 'check its files against each other, and repair them',
      load: async () => (await import('./verify.ts')).verifyCommand(await elsewhere()),
    },
    compact: {
      summary: 'rewrite its record in less space',
      load: async () => (await import('./compact.ts')).compactCommand(),
    },
  },
  Simulate: {
    simulate: {
      summary: 'crawl a stored web by one or more strategies',
      load: async () => (await import('./simulate.ts')).simulateCommand(),
    },
    experiment: {
      summary: "repeat the papers' experiments on any web",
      load: async () => (await import('./experiment.ts')).experimentCommand(),
    },
    strategies: {
      summary: 'list the ordering strategies',
      load: async () => (await import('./strategies.ts')).strategiesCommand(),
    },
    graph: {
      summary: 'inspect, convert, generate and rank stored webs',
      load: async () => (await import('./graph.ts')).graphCommand(),
    },
  },
  'Crawl on several machines': {
    cluster: {
      summary: 'run workers; list, pause, stop and delete crawls on a cluster',
      load: async () => (await import('./cluster.ts')).clusterCommand(),
    },
  },
  Other: {
    completion: {
      summary: 'print a script that completes commands in a shell',
      load: async () => (await import('./completion.ts')).completionCommand(allCommands),
    },
  },
}

export async function loadCommand({ load }: CommandEntry): Promise<Command> {
  return withShortOptions(await load())
}

function allCommands(): Promise<Command[]> {
  const entries = Object.values(commandGroups).flatMap((group) => Object.values(group))
  return Promise.all(entries.map((entry) => loadCommand(entry)))
}

/** One letter has one meaning in all commands: these define only the long names, so a command cannot give a letter another meaning. */
const shortOf: Readonly<Record<string, string>> = {
  '--out': '-o',
  '--to': '-o',
  '--pages': '-n',
  '--strategy': '-s',
}

/** Adds the short options to a command and its subcommands. */
function withShortOptions(command: Command): Command {
  for (const option of command.options) {
    const short = shortOf[option.long ?? '']
    if (short === undefined || option.short !== undefined) continue
    option.short = short
    option.flags = `${short}, ${option.flags}`
  }
  for (const sub of command.commands) withShortOptions(sub)
  return command
}
