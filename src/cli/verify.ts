import { Command } from 'commander'
import type { Damage, VerifiedPart } from '../crawler/read/verify/findings.ts'
import type { VerifyResult } from '../crawler/read/verify/verify.ts'
import { bytesText, shellWord } from './crawl/words.ts'
import { readFolder, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { printJson, withOutputOptions, type OutputOptions } from './options.ts'
import { dim, fitted, progressBar, safe, table } from './terminal.ts'

interface VerifyCliOptions extends OutputOptions {
  readonly repair?: boolean
}

/** 1 is a command that failed. */
const exitCodes: Readonly<Record<VerifyResult['state'], number>> = {
  good: 0,
  repaired: 0,
  repairable: 4,
  damaged: 5,
}

export function verifyCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('verify')
    .description("Check a crawl's files against each other, and repair what follows from the rest")
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .option('--repair', 'rebuild damaged files that follow from the rest')
    .addHelpText(
      'after',
      `
Reads every file of the crawl once: crawl.json, the record, its snapshots, the WARC files with their digests, their
indexes (CDXJ), the items of a page handler, and the search index. It writes nothing without --repair, so it works on
read-only folders, and while the crawl runs: it is then checked as of its last recorded group.

--repair rebuilds indexes from the WARC files, items from the record, and the search index from both; cuts bytes that
the crawl did not record from the end of WARC files; removes damaged snapshots and totals, which the next session
writes again. It never changes the record or responses, never guesses, and leaves files that Rankward did not write.
The crawl must not be running.

On a cluster, the journals are copied and checked, and the files of all workers in the archive of a crawl with --archive.

Exit codes: 0 no damage, or all of it repaired; 4 damage that --repair repairs; 5 damage that cannot be repaired.

Examples:
  rankward verify crawl
  rankward verify crawl --repair
  rankward verify --cluster nats://10.0.0.1:4222 --name news
  rankward verify crawl --json | jq '.parts[].damages[]'

docs/reference/crawl-output.md explains what is checked.`,
    )
    .action(async (folder: string | undefined, options: VerifyCliOptions) =>
      run(await readFolder(elsewhere, command, folder, options.progress), options),
    )
  withOutputOptions(command)
  return elsewhere?.withCopyOptions(command) ?? command
}

async function run(folder: string, options: VerifyCliOptions): Promise<void> {
  const { verify } = await import('../crawler/read/verify/verify.ts')
  const stage = (label: string): ReturnType<typeof progressBar> => progressBar(label, options.progress)
  const result = await verify(folder, { repair: options.repair, stage })
  if (options.json === true) printJson(result)
  else process.stdout.write(`${fitted(verifyText(result))}\n`)
  process.exitCode = exitCodes[result.state]
}

function verifyText(result: VerifyResult): string {
  const rows = result.parts.map((part) => [
    part.name,
    part.files === 0 ? '–' : String(part.files),
    part.files === 0 ? '–' : bytesText(part.bytes),
    part.checked === '' ? '–' : part.checked,
    resultOf(part),
  ])
  const columns = [
    { title: 'part' },
    { title: 'files', align: 'right' as const },
    { title: 'size', align: 'right' as const },
    { title: 'checked' },
    { title: 'result' },
  ]
  const damages = result.parts.flatMap((part) => [
    ...part.damages.map(damageLine),
    ...(part.damageCount > part.damages.length
      ? [`${part.name}: ${part.damageCount - part.damages.length} more`]
      : []),
  ])
  const notes = result.parts.flatMap((part) => part.notes.map((note) => dim(safe(note))))
  return [table(columns, rows), ...damages, ...notes, closing(result)].join('\n')
}

function resultOf({ files, checked, damages, damageCount }: VerifiedPart): string {
  if (damageCount === 0) return files === 0 && checked === '' ? 'none' : 'good'
  if (damages.every(({ repaired }) => repaired)) return 'repaired'
  return damages.every(({ repairable }) => repairable) ? 'damaged, repairable' : 'damaged'
}

function damageLine({ file, what, repairable, repaired }: Damage): string {
  const ending = repaired ? ' Repaired.' : repairable ? ' --repair repairs it.' : ''
  return `${safe(file)}: ${safe(what)}${ending}`
}

function closing({ state, folder, pid, groups }: VerifyResult): string {
  const asOf =
    pid === undefined ? '' : ` The crawl is running (process ${pid}); checked up to group ${groups}.`
  switch (state) {
    case 'good':
      return `All files are as the crawl wrote them.${asOf}`
    case 'repaired':
      return `All damage was repaired.`
    case 'repairable':
      return `All damage can be repaired: rankward verify ${shellWord(folder)} --repair`
    default:
      return `Some damage cannot be repaired: restore the named files from a copy.${asOf}`
  }
}
