import { Command } from 'commander'
import { init } from '../crawler/session/init.ts'
import { seedOf } from './crawl/seeds.ts'
import { shellWord } from './crawl/words.ts'
import { printJson } from './options.ts'

const defaultFile = 'rankward.jsonc'

export function initCommand(): Command {
  return new Command('init')
    .description('Write a config file for a crawl, with every option explained')
    .argument('[seeds...]', 'URLs to start from')
    .option('--out <file>', 'the config file; an existing one is not replaced', defaultFile)
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
The file is JSON with comments. Every option is commented out, with its default or an example.

Examples:
  rankward init https://example.org/
  rankward check ${defaultFile}
  rankward crawl --config ${defaultFile}`,
    )
    .action(run)
}

async function run(given: string[], { out, json }: { out: string; json?: boolean }): Promise<void> {
  const seeds = given.map((seed) => seedOf(seed, {}).url)
  const made = await init(out, { seeds })
  if (json === true) return printJson(made)
  const file = shellWord(made.file)
  process.stdout.write(
    `${made.file}\nNext     rankward check ${file}\n         rankward crawl --config ${file}\n`,
  )
}
