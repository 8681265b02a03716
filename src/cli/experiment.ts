import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { experiments, experimentsNamed } from '../papers/index.ts'
import type { JudgedClaim } from '../papers/claims.ts'
import type { Experiment, Result } from '../papers/experiment.ts'
import type { OrdersOptions } from '../papers/order-trials.ts'
import { type TrialsOptions, Trials, Turns } from '../papers/trials.ts'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf, type Web } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import { reportFiles, standaloneSvg } from '../view/report/page.tsx'
import type { Origin } from '../view/report/report.ts'
import { printJson, wholeNumber, withCellOptions, withOutputOptions, withReadingOptions } from './options.ts'
import { withWritingOptions } from './options.ts'
import type { CellOptions, OutputOptions, ReadingOptions, WritingOptions } from './options.ts'
import { checkReport, checkReportFolder, today, typedCommand, writeFiles } from '../view/report-output.ts'
import { flagOf } from '../lib/option-table.ts'
import { generatedTopical, recordedSites, topicalFile } from './experiment/inputs.ts'
import { durationText } from '../lib/amounts.ts'
import { fitted, grouped, progressBar, reportLine } from './terminal.ts'
import { readWeb } from './web-input.ts'

interface ExperimentCliOptions extends OutputOptions, ReadingOptions, WritingOptions, CellOptions {
  readonly graph?: string
  readonly sitesFile?: string
  readonly out: string
  readonly pages?: number
  readonly seed: number
  readonly pagesContent?: string
  readonly graphs?: string
  readonly strategy?: string
  readonly repeat?: number
  readonly changes?: string
}

const pagesDefault = 200_000
/** Number of pages of the generated web with words. */
const topicalPagesMax = 20_000

export function experimentCommand(): Command {
  const command = new Command('experiment')
    .description("Repeat the papers' experiments on any web and write illustrated reports")
    .argument('<name>', `${experiments.map(({ name }) => name).join(', ')}, or all`)
    .option(
      '--graph <file>',
      'the web: edge list, BV (.graph), .rwg; plain or gzip (default: one is generated)',
    )
    .option('--sites-file <file>', '"id<TAB>site" lines: the sites of the pages')
    .option(
      '--pages <n>',
      'pages of the generated web (default: 200000)',
      wholeNumber({ min: 10, max: 0xffff_fffe }),
    )
    .option(
      '--pages-content <file>',
      'contents of the pages of --graph, for Graphs 7 to 10 of cho: .jsonl, .jsonl.gz, .jsonl.br, .warc',
    )
    .option(
      '--graphs <files>',
      'for orders: the webs, separated by commas; URLs of X.edges.tsv.gz are read from X.urls.txt.gz beside it',
    )
    .option('--strategy <names>', 'for orders: the strategies, separated by commas')
    .option('--repeat <n>', 'for orders: starts on each web (default: 2)', wholeNumber({ min: 1, max: 1000 }))
    .option(
      '--changes <folder>',
      'freshness: a recorded site, or a folder of them (docs/theory/freshness.md)',
    )
    .option('--seed <x>', 'seed of the generated web and of all random draws', wholeNumber(), 1)
    .option('--out <folder>', 'folder for reports and data', 'experiments')
    .addHelpText(
      'after',
      `
Experiments:
${experiments.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

Each writes NAME.html, a self-contained page, and its data as NAME-….csv. docs/theory/experiments.md has the details.

Examples:
  rankward experiment strategies
  rankward experiment all --graph uci.edges.tsv.gz --urls uci.urls.txt.gz --out reports
  rankward experiment cho --graph uci.edges.tsv.gz --urls uci.urls.txt.gz --pages-content uci.pages.jsonl.br
  rankward experiment orders --graphs cnr-2000.edges.tsv.gz,uci.edges.tsv.gz --repeat 5
  rankward experiment cho --pages 1000000 --seed 7`,
    )
    .action(run)
  return withOutputOptions(withReadingOptions(withCellOptions(withWritingOptions(command))))
}

/** Options of one experiment. */
const experimentOf = {
  graphs: 'orders',
  strategy: 'orders',
  repeat: 'orders',
  changes: 'freshness',
  pagesContent: 'cho',
} as const satisfies Partial<Record<keyof ExperimentCliOptions, string>>

function checkExperimentOptions(chosen: readonly Experiment[], options: ExperimentCliOptions): void {
  for (const [name, experiment] of Object.entries(experimentOf)) {
    const isGiven = options[name as keyof typeof experimentOf] !== undefined
    if (isGiven && !chosen.some((each) => each.name === experiment))
      throw new RankwardError('USAGE', `${flagOf(name)} is an option of the experiment ${experiment}.`)
  }
}

async function run(name: string, options: ExperimentCliOptions, command: Command): Promise<void> {
  const chosen = experimentsNamed(name)
  checkExperimentOptions(chosen, options)
  checkReportFolder(options.out, options)
  for (const experiment of chosen) checkReport(join(options.out, `${experiment.name}.html`), options)
  const interruption = new AbortController()
  process.removeAllListeners('SIGINT').once('SIGINT', () => interruption.abort())
  const bar = progressBar('', options.progress)
  const input = await webOfExperiment(options)
  const { web, about } = input
  const trials = new Trials({
    ...input,
    seed: options.seed,
    orders: ordersOptions(options),
    ...(options.changes === undefined ? {} : { recorded: await recordedSites(options.changes) }),
    signal: interruption.signal,
  })
  const origin: Origin = {
    command: typedCommand(process.argv.slice(2)),
    seed: options.seed,
    version: command.parent?.version() ?? '',
    date: today(),
  }
  const written: Written[] = []
  try {
    for (const { experiment, done } of sideBySide(chosen, trials, bar.progress)) {
      const { result, seconds } = await done
      const { report, pictures = [], claims } = result
      const drawn = pictures.map((picture) => ({
        name: picture.name,
        text: standaloneSvg(picture.plot, picture.caption),
      }))
      const pageAndData = reportFiles({ ...report, rawCells: options.rawCells }, origin)
      const [page, ...files] = await writeFiles(options.out, [...pageAndData, ...drawn], options)
      bar.end()
      written.push({
        name: experiment.name,
        report: page,
        files,
        seconds,
        ...(claims === undefined ? {} : { claims }),
      })
      if (options.json !== true)
        process.stdout.write(
          `${experiment.name}: ${grouped(files.length)} data files beside the report, in ${durationText(seconds)}\n${claimsText(claims)}${reportLine(page)}\n`,
        )
    }
  } catch (error) {
    if (!interruption.signal.aborted) {
      interruption.abort()
      throw error
    }
    process.exitCode = 130
  }
  bar.end()
  if (options.json === true) {
    printJson({
      experiments: written,
      web: { about, pages: web.graph.pages, links: web.graph.links },
      interrupted: interruption.signal.aborted,
    })
  } else if (interruption.signal.aborted) process.stdout.write(`${interruptedText(written.length)}\n`)
}

interface Written {
  readonly name: string
  readonly report: string
  readonly files: readonly string[]
  readonly seconds: number
  readonly claims?: readonly JudgedClaim[]
}

/** A line per claim of the paper. */
function claimsText(claims: readonly JudgedClaim[] = []): string {
  if (claims.length === 0) return ''
  const holding = claims.filter(({ holds }) => holds).length
  const lines = claims.map(({ holds, place, claim, here }) =>
    fitted(`  ${holds ? 'yes' : 'no '}  ${place}: ${claim}. Here: ${here}.`),
  )
  return [`${holding} of ${claims.length} claims of the paper hold here:`, ...lines, ''].join('\n')
}

interface RunningExperiment {
  readonly experiment: Experiment
  readonly done: Promise<{ readonly result: Result; readonly seconds: number }>
}

/** Experiments at a time: while one prepares a web or waits for its last crawl, the other uses the cores. */
const experimentsAtOnce = 2

/** Starts the experiments in order. The first that is not finished reports its progress. */
function sideBySide(
  chosen: readonly Experiment[],
  trials: Trials,
  progress: Progress,
): readonly RunningExperiment[] {
  const turns = new Turns(experimentsAtOnce)
  const unfinished = new Set(chosen)
  return chosen.map((experiment) => {
    const own = trials.reporting((done, total, note) => {
      const [first] = unfinished
      if (experiment === first) progress(done, total, `${experiment.name}: ${note ?? ''}`)
    })
    const done = turns.run(async () => {
      own.signal?.throwIfAborted()
      const startedMs = Date.now()
      const result = await experiment.run(own)
      unfinished.delete(experiment)
      return { result, seconds: (Date.now() - startedMs) / 1000 }
    })
    // Failures are reported in order: a later one must not end the process before.
    done.catch(() => {})
    return { experiment, done }
  })
}

function ordersOptions(options: ExperimentCliOptions): OrdersOptions {
  const { graphs, strategy, repeat } = options
  return {
    ...(repeat === undefined ? {} : { repeats: repeat }),
    ...(strategy === undefined ? {} : { strategies: strategy.split(',').map((name) => name.trim()) }),
    ...(graphs === undefined
      ? {}
      : {
          webs: graphs.split(',').map((file) => async () => {
            const urls = file.replace(/\.edges\.tsv(\.gz)?$/, '.urls.txt$1')
            const given = urls !== file && existsSync(urls) ? { ...options, urls } : options
            return { name: basename(file), web: await readWeb(file, given) }
          }),
        }),
  }
}

export function interruptedText(reports: number): string {
  return reports === 0
    ? 'Interrupted: no report was written.'
    : 'Interrupted: the reports named above are complete.'
}

async function webOfExperiment(
  options: ExperimentCliOptions,
): Promise<Pick<TrialsOptions, 'web' | 'about' | 'another' | 'topical' | 'sized'>> {
  const { graph: file, pages = pagesDefault, seed } = options
  if (file !== undefined) {
    if (options.pages !== undefined) {
      throw new RankwardError(
        'USAGE',
        '--pages is the size of a generated web, but --graph gives a web: leave one of them out.',
      )
    }
    const web = await readWeb(file, options)
    return { web, about: file, ...topicalFile(web, file, options) }
  }
  for (const needless of ['urls', 'sitesFile', 'pagesContent'] as const) {
    if (options[needless] !== undefined)
      throw new RankwardError('USAGE', `${flagOf(needless)} belongs to a graph: give that with --graph.`)
  }
  const generated = (webSeed: number, size = pages): Web => {
    const { graph, sites } = syntheticGraph({ pages: size, seed: webSeed })
    return webOf({ graph, givenSites: sites })
  }
  const aboutWeb = (size: number): string =>
    `generated, ${grouped(size)} pages, seed ${seed} (docs/theory/synthetic-web.md)`
  return {
    web: generated(seed),
    about: aboutWeb(pages),
    another: () => generated(seed + 1),
    ...(options.pages === undefined
      ? { sized: (size: number) => ({ web: generated(seed, size), about: aboutWeb(size) }) }
      : {}),
    topical: (topic) => generatedTopical(topic, Math.min(pages, topicalPagesMax), seed),
  }
}
