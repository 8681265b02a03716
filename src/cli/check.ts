import { Command } from 'commander'
import { check } from '../crawler/session/check.ts'
import { readSecrets } from '../crawler/session/request-secrets.ts'
import { RankwardError } from '../lib/errors.ts'
import { settingsOf } from '../crawler/options/crawl-settings.ts'
import { checkNewFolder } from './crawl/checks.ts'
import { checkExitCode, checkText } from './crawl/check-text.ts'
import { configMistakes, readConfig } from './crawl/config.ts'
import { checkContradictions } from './crawl/options.ts'
import { crawlRequest } from './crawl/request.ts'
import { printJson } from './options.ts'
import { fitted } from './terminal.ts'

export function checkCommand(): Command {
  return new Command('check')
    .description('Show what a crawl with this config file would do: sites, robots.txt, options, duration')
    .argument('<config>', 'the config file')
    .option('--offline', 'send no requests')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Requests robots.txt of the seeds' sites and the first seed of each, with the identity of the crawl, and nothing else. A seed
is not requested if its site asks for a wait of more than 3 seconds. A mistake in the file is shown with its line.

Exit codes: 0 ready to crawl, 1 no seed may be fetched or a file cannot be read, 2 a mistake in the file, 3 some sites are unreachable.

Examples:
  rankward init https://example.org/
  rankward check rankward.jsonc
  rankward check rankward.jsonc --offline --json`,
    )
    .action(run)
}

async function run(path: string, { offline, json }: { offline?: boolean; json?: boolean }): Promise<void> {
  const mistakes = await configMistakes(path)
  if (mistakes.length > 0) throw new RankwardError('BAD_CONFIG', mistakes.join('\n'))
  const { seeds, options } = await readConfig(path)
  checkContradictions(options)
  const { request, notes } = await crawlRequest(seeds, options, offline !== true)
  await checkNewFolder(request.out)
  readSecrets(settingsOf(request))
  const checked = await check(request, { offline })
  process.exitCode = checkExitCode(checked)
  if (json === true) return printJson(checked)
  for (const note of notes) process.stderr.write(`rankward: note: ${note}\n`)
  // The folder has a name even if none is given.
  const changed = checked.changed.filter(({ name }) => name !== 'out' || options.out !== undefined)
  const plan = { ...request, settings: checked.settings }
  process.stdout.write(`${fitted(checkText(plan, { ...checked, changed }))}\n`)
}
