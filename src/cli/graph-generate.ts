import { durationText } from '../lib/amounts.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { checkOutputs } from '../lib/files/output-files.ts'
import { numberPieces, writeRankwardGraph } from '../webgraph/formats/rankward-writer.ts'
import { type PageContent, checkPageFileName, writePageContents } from '../webgraph/formats/page-contents.ts'
import { writeText } from '../lib/files/whole-file.ts'
import { graphFiles, writeGraph } from '../webgraph/formats/index.ts'
import { farmLinkKinds, hijackKinds, type FarmLinks, type HijackedFrom } from '../webgraph/synthetic/farms.ts'
import { graphOfSynthetic, sitesOfSynthetic } from '../webgraph/synthetic/synthetic-graph.ts'
import { SyntheticWeb } from '../webgraph/synthetic/synthetic-web.ts'
import { topicsMax } from '../webgraph/synthetic/topic-words.ts'
import { TopicalPages } from '../webgraph/synthetic/topical-web.ts'
import { webOf } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import { flagOf } from '../lib/option-table.ts'
import type { Progress } from '../lib/progress.ts'
import {
  type OutputOptions,
  type WritingOptions,
  printJson,
  wholeNumber,
  withOutputOptions,
  withWritingOptions,
} from './options.ts'
import { grouped, progressBar } from './terminal.ts'

interface GenerateOptions extends OutputOptions, WritingOptions {
  readonly pages: number
  readonly sites?: number
  readonly seed: number
  readonly linksPerPage?: number
  readonly danglingShare?: number
  readonly inSiteShare?: number
  readonly out: string
  readonly urlsOut?: string
  readonly farms?: number
  readonly farmPages?: number
  readonly farmLinks?: FarmLinks
  readonly hijackedLinks?: number
  readonly hijackedFrom?: HijackedFrom
  readonly farmsOut?: string
  readonly topics?: number
  readonly pagesContent?: string
}

export function graphGenerateCommand(): Command {
  const command = new Command('generate')
    .description(
      'Generate a synthetic web: heavy-tailed sites, power-law degrees, menus, dangling pages; reproducible from its seed',
    )
    .requiredOption('--pages <n>', 'number of pages', wholeNumber({ min: 1, max: 0xffff_fffe }))
    .option('--sites <n>', 'number of sites (default: one for every 200 pages)', wholeNumber({ min: 1 }))
    .option('--seed <x>', 'seed of all random draws', wholeNumber(), 1)
    .addOption(
      new Option('--links-per-page <n>', 'links per page on average (default: 10)').argParser(Number),
    )
    .addOption(
      new Option('--dangling-share <x>', 'share of pages without links (default: 0.23)').argParser(Number),
    )
    .addOption(
      new Option('--in-site-share <x>', 'share of links within the site (default: 0.95)').argParser(Number),
    )
    .requiredOption('--out <file>', '.rwg (written as a stream: any size), .tsv, .tsv.gz or .graph')
    .option(
      '--urls-out <file>',
      'also write the URLs, one per line (default with --topics: beside the graph)',
    )
    .option(
      '--topics <n>',
      'generate texts about n topics, with most links within a topic: computer, admission, energy, music … (default: none)',
      wholeNumber({ min: 1, max: topicsMax }),
    )
    .option(
      '--pages-content <file>',
      'file for the texts: .jsonl, .jsonl.gz or .jsonl.br (default: beside the graph, .pages.jsonl.gz)',
    )
    .option('--farms <n>', 'number of link farms (default: none)', wholeNumber())
    .option(
      '--farm-pages <k>',
      'pages of each farm that boost its target (default: 100)',
      wholeNumber({ min: 1 }),
    )
    .addOption(
      new Option(
        '--farm-links <kind>',
        'alliance: pages boost the targets of five farms; star: their own target; clique: one another; none (default: alliance)',
      ).choices(farmLinkKinds),
    )
    .option('--hijacked-links <n>', 'links from honest pages to each farm (default: 3)', wholeNumber())
    .addOption(
      new Option(
        '--hijacked-from <kind>',
        'any page, or linked: popular pages more often (default: any)',
      ).choices(hijackKinds),
    )
    .option('--farms-out <file>', 'write the ids of the farm pages, one per line')
    .addHelpText(
      'after',
      `
The defaults are fitted to real webs; docs/theory/synthetic-web.md compares their statistics.

Examples:
  rankward graph generate --pages 200000 --out web.rwg
  rankward graph generate --pages 1000000 --sites 5000 --seed 7 --out web.tsv.gz --urls-out urls.txt
  rankward graph generate --pages 90000 --farms 100 --out spam.rwg --farms-out farms.txt
  rankward graph generate --pages 20000 --topics 8 --out topical.rwg
    writes topical.rwg, topical.urls.txt and topical.pages.jsonl.gz`,
    )
    .action(run)
  return withOutputOptions(withWritingOptions(command))
}

const farmOptions = ['farmPages', 'farmLinks', 'hijackedLinks', 'hijackedFrom', 'farmsOut'] as const

function checkFarmOptions(options: GenerateOptions): void {
  const given = farmOptions.find((name) => options[name] !== undefined)
  if (given !== undefined && (options.farms ?? 0) === 0)
    throw new RankwardError('USAGE', `${flagOf(given)} is an option of link farms, so it needs --farms.`)
}

/** The options that the library has too; all of them but the pages may be missing. */
const webOptions = [
  ...(['sites', 'seed', 'linksPerPage', 'danglingShare', 'inSiteShare', 'topics'] as const),
  ...(['farms', 'farmPages', 'farmLinks', 'hijackedLinks', 'hijackedFrom'] as const),
]

function webOfOptions(options: GenerateOptions): SyntheticWeb {
  const given = webOptions.filter((name) => options[name] !== undefined)
  const chosen = Object.fromEntries(given.map((name) => [name, options[name]]))
  return new SyntheticWeb({ pages: options.pages, ...chosen })
}

async function run(options: GenerateOptions): Promise<void> {
  const startedMs = Date.now()
  checkFarmOptions(options)
  const outputs = { out: options.out, farmsOut: options.farmsOut, ...outputsBeside(options) }
  const { out, farmsOut, urlsOut, pagesOut } = outputs
  checkOutputs([...graphFiles(out), urlsOut, farmsOut, pagesOut], options)
  const web = webOfOptions(options)
  const links = await writeWeb(web, outputs, options)
  const seconds = (Date.now() - startedMs) / 1000
  const farmPages = web.farms.end - web.farms.start
  if (options.json === true) {
    printJson({
      out,
      pages: web.pages,
      farmPages,
      sites: web.sites,
      links,
      seed: options.seed,
      seconds,
      urlsOut: urlsOut ?? null,
      farmsOut: farmsOut ?? null,
      topics: options.topics ?? null,
      pagesContent: pagesOut ?? null,
    })
    return
  }
  const ofFarms = farmPages === 0 ? '' : ` (${grouped(farmPages)} of farms)`
  process.stdout.write(
    `${out}: ${grouped(web.pages)} pages${ofFarms} on ${grouped(web.sites)} sites, ${grouped(links)} links, in ${durationText(seconds)}\n`,
  )
  if (pagesOut !== undefined) process.stdout.write(`${pagesOut}: their texts; ${urlsOut}: their URLs\n`)
}

interface Outputs {
  readonly out: string
  readonly urlsOut: string | undefined
  readonly pagesOut: string | undefined
  readonly farmsOut: string | undefined
}

/** Returns the number of links. */
async function writeWeb(
  web: SyntheticWeb,
  { out, urlsOut, pagesOut, farmsOut }: Outputs,
  options: OutputOptions,
): Promise<number> {
  const writing = progressBar(`Generating ${out}`, options.progress)
  const write = out.endsWith('.rwg') ? stream : store
  const links = await write(web, out, writing.progress)
  if (urlsOut !== undefined) await writeText(urlsOut, urlLines(web))
  if (farmsOut !== undefined) await writeText(farmsOut, farmLines(web))
  writing.end()
  if (pagesOut === undefined) return links
  const texts = progressBar(`Writing ${pagesOut}`, options.progress)
  await writePageContents(pagesOut, pageContents(web, texts.progress))
  texts.end()
  return links
}

/** Output files for URLs and texts. Invalid names are refused before anything is generated. */
function outputsBeside({
  out,
  topics,
  urlsOut,
  pagesContent,
}: GenerateOptions): Pick<Outputs, 'urlsOut' | 'pagesOut'> {
  if (topics === undefined) {
    if (pagesContent === undefined) return { urlsOut, pagesOut: undefined }
    throw new RankwardError('USAGE', '--pages-content needs --topics N: pages without topics have no texts.')
  }
  const base = out.replace(/\.(?:rwg|graph|(?:tsv|txt)(?:\.gz)?)$/, '')
  const pagesOut = pagesContent ?? `${base}.pages.jsonl.gz`
  checkPageFileName(pagesOut)
  return { urlsOut: urlsOut ?? `${base}.urls.txt`, pagesOut }
}

/** Written directly to disk, with one block in memory. */
async function stream(web: SyntheticWeb, path: string, progress: Progress): Promise<number> {
  let total = 0
  const links = new Uint32Array(web.degreeMax)
  await writeRankwardGraph(path, async (graph) => {
    for (let page = 0; page < web.pages; page++) {
      if ((page & 0xffff) === 0) {
        progress(page, web.pages)
        // Yields, so that Ctrl-C works.
        await nextTurn()
      }
      const degree = web.linksOf(page, links)
      graph.append(links, 0, degree)
      total += degree
    }
    graph.endLinks()
    graph.section('site', sitePieces(web))
    graph.finish()
  })
  return total
}

function* sitePieces(web: SyntheticWeb): Generator<Uint8Array> {
  const piece = new Uint32Array(1 << 18)
  for (let from = 0; from < web.pages; from += piece.length) {
    const length = Math.min(piece.length, web.pages - from)
    for (let i = 0; i < length; i++) piece[i] = web.siteOf(from + i)
    yield* numberPieces(piece.subarray(0, length))
  }
}

/** Other formats need the whole graph in memory. */
async function store(web: SyntheticWeb, path: string, progress: Progress): Promise<number> {
  const graph = graphOfSynthetic(web)
  await writeGraph(webOf({ graph, givenSites: sitesOfSynthetic(web) }), path, progress)
  return graph.links
}

function* urlLines(web: SyntheticWeb): Generator<string> {
  for (let page = 0; page < web.pages; page++) yield `${web.urlOf(page)}\n`
}

function* pageContents(web: SyntheticWeb, progress: Progress): Generator<PageContent> {
  const pages = new TopicalPages(web)
  for (let id = 0; id < web.pages; id++) {
    if ((id & 0xff) === 0) progress(id, web.pages)
    yield { id, url: web.urlOf(id), content: pages.html(id) }
  }
}

function* farmLines({ farms }: SyntheticWeb): Generator<string> {
  for (let page = farms.start; page < farms.end; page++) yield `${page}\n`
}
