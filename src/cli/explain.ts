import { Command } from 'commander'
import { explanationText } from './explain-text.ts'
import { printJson, withOutputOptions, type OutputOptions } from './options.ts'
import { progressBar } from './terminal.ts'

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('Explain when and why a crawl fetched a page, or why it did not')
    .argument('<folder>', 'the folder of a crawl')
    .argument('<url>', 'the page')
    .addHelpText(
      'after',
      `
Replays the crawl from its record, without sending requests; this takes a while for large crawls.

Examples:
  rankward explain crawl https://example.org/about
  rankward explain crawl https://example.org/about --json

docs/crawl-output.md explains every field.`,
    )
    .action(async (folder: string, url: string, options: OutputOptions) => {
      const { explain } = await import('../inspect/explanation.ts')
      const reading = progressBar(`Reading ${folder}`, options.progress)
      const explanation = await explain(folder, url, { progress: reading.progress }).finally(() =>
        reading.end(),
      )
      if (options.json === true) printJson(explanation)
      else process.stdout.write(`${explanationText(folder, explanation)}\n`)
    })
  return withOutputOptions(command)
}
