import { Command } from 'commander'
import type { Cluster, CopyKind, Duplicates } from '../crawler/read/duplicate-clusters.ts'
import { plural } from './crawl/words.ts'
import { printJson, wholeNumber, withOutputOptions, type OutputOptions } from './options.ts'
import { bold, dim, grouped, progressBar, safe } from './terminal.ts'

interface DuplicatesCliOptions extends OutputOptions {
  readonly clusters?: number
  readonly members?: number
}

/** Limits of the text output by default; JSON has everything by default. */
const clustersShown = 20
const membersShown = 5

export function duplicatesCommand(): Command {
  const command = new Command('duplicates')
    .description('List the duplicate pages of a crawl')
    .argument('<folder>', 'the folder of a crawl')
    .option('--clusters <n>', `show the n largest (default: ${clustersShown}; all in JSON)`, wholeNumber())
    .option('--members <n>', `show n copies of each (default: ${membersShown}; all in JSON)`, wholeNumber())
    .addHelpText(
      'after',
      `
A copy has the same body, the same text with other markup, or nearly the same text. \`crawl --set nearDuplicates=X\`
sets the required similarity.

Examples:
  rankward duplicates crawl
  rankward duplicates crawl --clusters 100 --members 1000
  rankward duplicates crawl --json

docs/reference/crawl-output.md explains every field.`,
    )
    .action(run)
  return withOutputOptions(command)
}

async function run(folder: string, options: DuplicatesCliOptions): Promise<void> {
  const { duplicates } = await import('../crawler/read/duplicate-clusters.ts')
  const isText = options.json !== true
  const reading = progressBar(`Reading ${folder}`, options.progress)
  const found = await duplicates(folder, {
    clusters: options.clusters ?? (isText ? clustersShown : undefined),
    members: options.members ?? (isText ? membersShown : undefined),
    progress: reading.progress,
  }).finally(() => reading.end())
  if (isText) process.stdout.write(`${duplicatesText(found)}\n`)
  else printJson({ folder, ...found })
}

function duplicatesText({ pages, copies, clusterCount, clusters }: Duplicates): string {
  const all = copies.body + copies.text + copies.near
  if (all === 0) return `No duplicates among ${plural(pages, 'page')}.`
  const kinds = `${grouped(copies.body)} with the same body, ${grouped(copies.text)} with the same text, ${grouped(copies.near)} nearly the same`
  const left = clusterCount - clusters.length
  return [
    `${plural(pages, 'page')}, of which ${plural(all, 'copy', 'copies')}: ${kinds}. ${plural(clusterCount, 'cluster')}.`,
    ...clusters.flatMap(clusterLines),
    ...(left === 0 ? [] : ['', dim(`… and ${plural(left, 'smaller cluster')} (--clusters)`)]),
  ].join('\n')
}

function clusterLines({ original, size, copies }: Cluster): string[] {
  const left = size - 1 - copies.length
  return [
    '',
    `${bold(safe(original))}  ${plural(size, 'page')}`,
    ...copies.map(({ url, kind, similarity }) => `  ${kindText(kind, similarity)}  ${safe(url)}`),
    ...(left === 0 ? [] : [dim(`  … and ${grouped(left)} more (--members)`)]),
  ]
}

/** The share of equal text, rounded down, so that it is never shown as 100% if the texts differ. */
function kindText(kind: CopyKind, similarity: number): string {
  if (kind !== 'near') return kind.padEnd(9)
  return `near ${String(Math.floor(100 * similarity + 1e-9)).padStart(3)}%`
}
