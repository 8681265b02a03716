import { durationText } from '../lib/amounts.ts'
import { Command } from 'commander'
import { checkOutputs } from '../lib/files/output-files.ts'
import { writeScores } from '../webgraph/formats/score-file.ts'
import { pageRank } from '../webgraph/pagerank/pagerank.ts'
import { idOf } from '../webgraph/web.ts'
import { numberBetween, printJson, wholeNumber } from './options.ts'
import { withOutputOptions, withReadingOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, ReadingOptions, WritingOptions } from './options.ts'
import { dim, grouped, progressBar, safe, table } from './terminal.ts'
import { readWeb, trustVector } from './web-input.ts'

interface PageRankCliOptions extends OutputOptions, ReadingOptions, WritingOptions {
  readonly damping: number
  readonly tolerance: number
  readonly trust?: string
  readonly threads?: number
  readonly top: number
  readonly out?: string
}

export function graphPageRankCommand(): Command {
  const command = new Command('pagerank')
    .description('Compute the exact PageRank of every page')
    .argument('<file>', 'a graph: edge list, BV (.graph), .rwg; plain or gzip')
    .option('--damping <d>', 'probability that the surfer follows a link', numberBetween(0, 1), 0.85)
    .option('--tolerance <t>', 'stop when the sum of all changes is below this', numberBetween(0, 1), 1e-12)
    .option(
      '--trust <file>',
      'personalised PageRank: "id<TAB>weight" lines with the pages that the surfer jumps to',
    )
    .option(
      '--threads <n>',
      'worker threads (default: one per core on large graphs)',
      wholeNumber({ min: 1, max: 256 }),
    )
    .option('--top <n>', 'number of pages to print', wholeNumber(), 20)
    .option('--out <file>', 'write "id<TAB>score" for every page, 17 significant digits')
    .addHelpText(
      'after',
      `
Examples:
  rankward graph pagerank web.rwg --top 10
  rankward graph pagerank edges.tsv.gz --urls urls.txt.gz --damping 0.9 --out scores.tsv`,
    )
    .action(run)
  return withOutputOptions(withReadingOptions(withWritingOptions(command)))
}

async function run(file: string, options: PageRankCliOptions): Promise<void> {
  checkOutputs([options.out], options)
  const web = await readWeb(file, options)
  const trust = options.trust === undefined ? undefined : await trustVector(web, options.trust)
  const ranking = progressBar('PageRank', options.progress)
  const startedMs = Date.now()
  const { scores, iterations, residual } = await pageRank(web.graph, {
    damping: options.damping,
    tolerance: options.tolerance,
    progress: ranking.progress,
    ...(trust === undefined ? {} : { trust }),
    ...(options.threads === undefined ? {} : { threads: options.threads }),
  })
  const seconds = (Date.now() - startedMs) / 1000
  ranking.end()
  if (options.out !== undefined) {
    const writing = progressBar(`Writing ${options.out}`, options.progress)
    await writeScores(web, scores, options.out, writing.progress)
    writing.end()
  }
  const top = topPages(scores, options.top).map((page, i) => ({
    rank: i + 1,
    id: idOf(web, page),
    score: scores[page],
    ...(web.urls === undefined ? {} : { url: web.urls.at(page) }),
  }))
  const { pages, links } = web.graph
  const { damping, tolerance } = options
  if (options.json === true) {
    printJson({
      file,
      pages,
      links,
      damping,
      tolerance,
      iterations,
      residual,
      seconds,
      top,
      out: options.out ?? null,
    })
    return
  }
  const columns = [
    { title: '#', align: 'right' },
    { title: 'PageRank', align: 'right' },
    { title: 'page', align: 'right' },
    ...(web.urls === undefined ? [] : [{ title: 'URL' }]),
  ] as const
  const rows = top.map(({ rank, id, score, url }) => [
    String(rank),
    score.toExponential(4),
    String(id),
    ...(url === undefined ? [] : [safe(url)]),
  ])
  const summary = `${grouped(pages)} pages, ${grouped(links)} links: ${iterations} iterations in ${durationText(seconds)}, last change ${residual.toExponential(1)}`
  process.stdout.write(`${table(columns, rows)}\n${dim(summary)}\n`)
  if (options.out !== undefined) process.stdout.write(`${dim(`All scores: ${options.out}`)}\n`)
}

/** The pages with the highest scores, ties to the lower page, without sorting them all. */
function topPages(scores: Float64Array, count: number): number[] {
  const best: number[] = []
  for (let page = 0; page < scores.length; page++) {
    if (best.length === count && (count === 0 || scores[page] <= scores[best[count - 1]])) continue
    let at = best.length
    while (at > 0 && scores[best[at - 1]] < scores[page]) at--
    best.splice(at, 0, page)
    if (best.length > count) best.pop()
  }
  return best
}
