import { writeFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { shellWord } from './crawl/words.ts'
import { printJson } from './options.ts'

export function strategiesNewCommand(): Command {
  return new Command('new')
    .description('Write a strategy of your own to start from')
    .argument('<file>', 'the file to write, such as mine.ts; an existing one is kept')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  rankward strategies new mine.ts')
    .action(run)
}

function run(file: string, _options: unknown, command: Command): void {
  const name = /^(.+)\.m?ts$/.exec(basename(file))?.[1]
  if (name === undefined)
    throw new RankwardError('USAGE', `A strategy is written in TypeScript: ${file} must end in .ts or .mts.`)
  try {
    writeFileSync(file, strategyTemplate(name), { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new RankwardError('FOREIGN_FILES', `${file} already exists: choose another name.`, { cause })
    throw new RankwardError('FILE_UNWRITABLE', `Cannot write ${file}: ${(cause as Error).message}.`, {
      cause,
    })
  }
  const path = shellWord(modulePath(file))
  // The parent has --json too, and takes it wherever it stands.
  if (command.optsWithGlobals<{ json?: boolean }>().json === true) printJson({ strategy: name, file })
  else
    process.stdout.write(
      `${file} is a strategy. docs/theory/strategies.md has the interface. Try it, then crawl with it:\n` +
        `  rankward simulate web.rwg --strategy ${path}\n` +
        `  rankward crawl https://example.org/ --out crawl --strategy ${path}\n`,
    )
}

/** Relative, with a dot in front: other names are those of strategies. */
function modulePath(file: string): string {
  const short = relative('.', resolve(file))
  return short.startsWith('..') ? resolve(file) : `./${short}`
}

const types = ['import type { Strategy, StrategyServices, StrategySetting } from', "'rankward'"].join(' ')

/** A type-clean module. `name` is that of its file. */
function strategyTemplate(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  const camel = words.map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1))).join('')
  const identifier = /^[a-zA-Z]/.test(camel) ? camel : `strategy${camel}`
  return `/** Prefers pages that many pages link to, near the root of their site. */
${types}

export default function ${identifier}({ damping }: StrategySetting): Strategy {
  // Pages are numbered from 0 in the order of their discovery.
  let received: number[] = []
  let services: StrategyServices

  /** The highest score is fetched first. */
  const score = (page: number): number => {
    // Also at hand: services.siteNameOf(page), and in a crawl services.anchorOf(page), the text of the first link to it.
    const slashes = services.urlOf(page).split('/').length
    return (received[page] ?? 0) / (1 + slashes)
  }

  return {
    name: '${words.join('-')}',
    // Called once, before anything else.
    start(given) {
      services = given
    },
    // A page was found: its first score.
    discovered(page) {
      received[page] = 0
      return score(page)
    },
    // A page was fetched: the share that each of its links carries. With 0, \`linked\` is not called.
    visited: (_page, linkCount) => (linkCount === 0 ? 0 : damping / linkCount),
    // A link carries a share to this page: its score from now on.
    linked(page, share) {
      received[page] = (received[page] ?? 0) + share
      return score(page)
    },
    score,
    // Optional: writes what the strategy remembers to a snapshot, or reads it back, so that a resume is quick.
    transfer(state) {
      received = [...state.array(Float64Array.from(received))]
    },
  }
}
`
}
