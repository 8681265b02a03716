import { fixed, written } from '../lib/amounts.ts'
import { Command, Option } from 'commander'
import { checkOutputs } from '../lib/files/output-files.ts'
import { writeScores } from '../webgraph/formats/score-file.ts'
import {
  gammaDefault,
  spamMass,
  spamSuspects,
  thresholdDefaults,
  type SpamMass,
} from '../webgraph/spam-mass.ts'
import { idOf, type Web } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import { idsValue, numberBetween, numberFrom, parserOf, printJson, wholeNumber } from './options.ts'
import { withOutputOptions, withReadingOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, ReadingOptions, WritingOptions } from './options.ts'
import { dim, grouped, progressBar, safe, table } from './terminal.ts'
import { readWeb, seedPages, trustVector } from './web-input.ts'

interface SpamCliOptions extends OutputOptions, ReadingOptions, WritingOptions {
  readonly trust?: string
  readonly seeds?: readonly number[]
  readonly damping: number
  readonly gamma: number
  readonly minRank: number
  readonly minSpam: number
  readonly top: number
  readonly out?: string
}

export function graphSpamCommand(): Command {
  const command = new Command('spam')
    .description(
      'Compute the spam mass of every page: the share of its PageRank that does not come from trusted pages',
    )
    .argument('<file>', 'a graph: edge list, BV (.graph), .rwg; plain or gzip; or the folder of a crawl')
    .option('--trust <file>', 'the trusted pages: "id<TAB>weight" lines')
    .addOption(
      new Option('--seeds <ids>', 'the trusted pages as a list of ids, with equal weights')
        .argParser(parserOf(idsValue))
        .conflicts('trust'),
    )
    .option('--damping <d>', 'probability that the surfer follows a link', numberBetween(0, 1), 0.85)
    .option('--gamma <x>', 'assumed share of honest pages', numberFrom(0, 1), gammaDefault)
    .option(
      '--min-rank <x>',
      'show and count pages of at least this PageRank, where 1 is that of a page without in-links',
      numberFrom(0),
      thresholdDefaults.rankMin,
    )
    .option(
      '--min-spam <x>',
      'report those with at least this spam mass as suspects',
      numberFrom(0, 1),
      thresholdDefaults.spamMin,
    )
    .option('--top <n>', 'number of pages to print', wholeNumber(), 20)
    .option('--out <file>', 'write "id<TAB>spam mass" for every page, 17 significant digits')
    .addHelpText(
      'after',
      `
A mass of 1 means no contribution by trusted pages; close to trusted pages the mass is below 0.

Examples:
  rankward graph spam web.rwg --seeds 0,17,42
  rankward graph spam web.rwg --trust trusted.tsv --min-rank 50 --out spam.tsv`,
    )
    .action(run)
  return withOutputOptions(withReadingOptions(withWritingOptions(command)))
}

async function run(file: string, options: SpamCliOptions): Promise<void> {
  const { damping, gamma, minRank: rankMin, minSpam: spamMin } = options
  if (options.trust === undefined && options.seeds === undefined) {
    throw new RankwardError('USAGE', 'Spam mass needs trusted pages: give --trust FILE or --seeds IDS.')
  }
  checkOutputs([options.out], options)
  const web = await readWeb(file, options)
  const trust = await trustOf(web, options)
  const ranking = progressBar('Spam mass', options.progress)
  const startedMs = Date.now()
  const mass = await spamMass(web.graph, { trust, damping, gamma, progress: ranking.progress })
  const seconds = (Date.now() - startedMs) / 1000
  ranking.end()
  if (options.out !== undefined) {
    const writing = progressBar(`Writing ${options.out}`, options.progress)
    await writeScores(web, mass.relative, options.out, writing.progress)
    writing.end()
  }
  const top = topRows(web, mass, rankMin, options.top)
  const suspects = spamSuspects(mass, { rankMin, spamMin }).length
  const trusted = trust.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0)
  const { pages, links } = web.graph
  if (options.json === true) {
    const { out = null } = options
    const settings = { damping, gamma, minRank: rankMin, minSpam: spamMin }
    printJson({ file, pages, links, ...settings, trusted, suspects, seconds, top, out })
    return
  }
  const columns = [
    { title: 'spam mass', align: 'right' },
    { title: 'PageRank', align: 'right' },
    { title: 'page', align: 'right' },
    ...(web.urls === undefined ? [] : [{ title: 'URL' }]),
  ] as const
  const rows = top.map(({ id, spam, rank, url }) => [
    written(spam, 'share'),
    fixed(rank, 1),
    String(id),
    ...(url === undefined ? [] : [safe(url)]),
  ])
  const summary = `${grouped(pages)} pages, ${grouped(trusted)} of them trusted. ${grouped(suspects)} have a PageRank of at least ${rankMin} and a spam mass of at least ${spamMin}.`
  process.stdout.write(`${table(columns, rows)}\n${dim(summary)}\n`)
  if (options.out !== undefined) process.stdout.write(`${dim(`All of them: ${options.out}`)}\n`)
}

async function trustOf(web: Web, { trust, seeds = [] }: SpamCliOptions): Promise<Float64Array> {
  if (trust !== undefined) return trustVector(web, trust)
  const vector = new Float64Array(web.graph.pages)
  for (const page of seedPages(web, seeds)) vector[page] = 1
  return vector
}

interface TopRow {
  readonly id: number
  readonly spam: number
  readonly rank: number
  readonly url?: string
}

function topRows(web: Web, mass: SpamMass, rankMin: number, count: number): TopRow[] {
  const pages = spamSuspects(mass, { rankMin, spamMin: -Infinity }).subarray(0, count)
  return Array.from(pages, (page) => ({
    id: idOf(web, page),
    spam: mass.relative[page],
    rank: mass.rank[page],
    ...(web.urls === undefined ? {} : { url: web.urls.at(page) }),
  }))
}
