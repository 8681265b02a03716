import { Command } from 'commander'
import { bytesText } from './crawl/words.ts'
import { printJson, withOutputOptions, type OutputOptions } from './options.ts'
import { progressBar, safe } from './terminal.ts'

export function compactCommand(): Command {
  const command = new Command('compact')
    .description('Rewrite the record of a crawl in less space')
    .argument('<folder>', 'the folder of a crawl')
    .addHelpText(
      'after',
      `
For crawls that run for months (crawl --continuous). The record keeps all pages, versions, looks and decisions; what
newer entries replace is dropped, and the rest is compressed. All commands give the same results afterwards, and
\`resume\` continues as before. The WARC files are not changed.

The crawl must not be running: stop it, compact it, resume it. While the command runs, the folder needs space for the
compacted record beside the old one. If the command is killed, the old record or the new one is there, complete.

Examples:
  rankward compact crawl
  rankward compact crawl --json | jq .bytesAfter`,
    )
    .action(run)
  return withOutputOptions(command)
}

async function run(folder: string, options: OutputOptions): Promise<void> {
  const { compact } = await import('../crawler/record/compact.ts')
  const bar = progressBar(`Compacting ${folder}`, options.progress)
  const result = await compact(folder, { progress: bar.progress }).finally(() => bar.end())
  if (options.json === true) {
    printJson({ folder, ...result })
    return
  }
  const { bytesBefore, bytesAfter, groups } = result
  const text =
    groups === 0
      ? `The record of ${safe(folder)} is compact: ${bytesText(bytesAfter)}.`
      : `The record of ${safe(folder)} took ${bytesText(bytesBefore)} and now takes ${bytesText(bytesAfter)}.`
  process.stdout.write(`${text}\n`)
}
