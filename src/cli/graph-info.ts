import { fixed, partPercent, plural } from '../lib/amounts.ts'
import { Command } from 'commander'
import { strongComponents } from '../webgraph/components.ts'
import { inDegrees, largest, logHistogram, outDegrees, type Bin } from '../webgraph/degrees.ts'
import { bestSeed, reachableFrom } from '../webgraph/reachability.ts'
import { idOf, type Web } from '../webgraph/web.ts'
import { idsValue, parserOf, printJson, withOutputOptions, withReadingOptions } from './options.ts'
import type { OutputOptions, ReadingOptions } from './options.ts'
import { bar, bold, dim, grouped, safe } from './terminal.ts'
import { readWeb, seedPages } from './web-input.ts'

interface InfoOptions extends OutputOptions, ReadingOptions {
  readonly seeds?: readonly number[]
  readonly sitesFile?: string
}

export function graphInfoCommand(): Command {
  const command = new Command('info')
    .description('Count pages, links, sites and components, and draw the degrees')
    .argument('<file>', 'a graph: edge list, BV (.graph), .rwg; plain or gzip')
    .option('--sites-file <file>', '"id<TAB>site" lines: the sites of the pages')
    .option(
      '--seeds <ids>',
      'count the pages reachable from these pages (default: the page that reaches most)',
      parserOf(idsValue),
    )
    .addHelpText(
      'after',
      `
Examples:
  rankward graph info web-Google.txt.gz
  rankward graph info uci.edges.tsv.gz --urls uci.urls.txt.gz --json
  rankward graph info cnr-2000.graph`,
    )
    .action(async (file: string, options: InfoOptions) => {
      const web = await readWeb(file, options)
      const facts = describe(web, options.seeds)
      if (options.json === true) printJson({ file, ...facts })
      else process.stdout.write(`${asText(file, web, facts)}\n`)
    })
  return withOutputOptions(withReadingOptions(command))
}

function describe(web: Web, seedIds: readonly number[] | undefined) {
  const { graph } = web
  const ins = inDegrees(graph)
  const outs = outDegrees(graph)
  const inHistogram = logHistogram(ins)
  const outHistogram = logHistogram(outs)
  const components = strongComponents(graph)
  const seeds =
    seedIds !== undefined ? seedPages(web, seedIds) : graph.pages === 0 ? [] : [bestSeed(graph).seed]
  const reachable = seeds.length === 0 ? { count: 0, depth: 0 } : reachableFrom(graph, seeds)
  return {
    pages: graph.pages,
    links: graph.links,
    ...web.counts,
    sites: web.sites.count,
    dangling: outs.reduce((sum, degree) => sum + (degree === 0 ? 1 : 0), 0),
    withoutInLinks: ins.reduce((sum, degree) => sum + (degree === 0 ? 1 : 0), 0),
    maxInDegree: largest(ins).degree,
    maxInDegreePage: graph.pages === 0 ? null : idOf(web, largest(ins).page),
    maxOutDegree: largest(outs).degree,
    maxOutDegreePage: graph.pages === 0 ? null : idOf(web, largest(outs).page),
    strongComponents: components.count,
    largestStrongComponent: components.sizes.reduce((most, size) => Math.max(most, size), 0),
    seeds: seeds.map((seed) => idOf(web, seed)),
    reachableFromSeeds: reachable.count,
    depthFromSeeds: reachable.depth,
    inDegrees: inHistogram,
    outDegrees: outHistogram,
  }
}

type Facts = ReturnType<typeof describe>

function asText(file: string, web: Web, facts: Facts): string {
  const share = (part: number): string =>
    facts.pages === 0 ? '' : dim(` (${partPercent(part / facts.pages)} of pages)`)
  const url = (id: number | null): string =>
    id === null || web.urls === undefined ? (id === null ? '' : ` page ${id}`) : ` ${safe(web.urls.at(id))}`
  const rows: [string, string][] = [
    ['pages', grouped(facts.pages)],
    [
      'links',
      `${grouped(facts.links)}${dim(facts.pages === 0 ? '' : ` (${fixed(facts.links / facts.pages, 1)} a page)`)}`,
    ],
    ['links in the file', grouped(facts.linksInFile)],
    ['  to the page itself', grouped(facts.selfLinks)],
    ['  repeated', grouped(facts.repeatedLinks)],
    [
      'sites',
      `${grouped(facts.sites)}${web.urls === undefined && web.givenSites === undefined ? dim(' (generated from the ids)') : ''}`,
    ],
    ['dangling pages', `${grouped(facts.dangling)}${share(facts.dangling)}`],
    ['pages without in-links', `${grouped(facts.withoutInLinks)}${share(facts.withoutInLinks)}`],
    ['most in-links', `${grouped(facts.maxInDegree)}${dim(url(facts.maxInDegreePage))}`],
    ['most out-links', `${grouped(facts.maxOutDegree)}${dim(url(facts.maxOutDegreePage))}`],
    ['strong components', grouped(facts.strongComponents)],
    ['  the largest', `${grouped(facts.largestStrongComponent)}${share(facts.largestStrongComponent)}`],
    ['reachable from the seeds', `${grouped(facts.reachableFromSeeds)}${share(facts.reachableFromSeeds)}`],
  ]
  if (facts.seeds.length > 0) {
    const first = url(facts.seeds[0]).trim()
    const more = facts.seeds.length === 1 ? '' : ` and ${facts.seeds.length - 1} more`
    rows.push([
      '  the seeds',
      `${first}${more}${dim(`, farthest page ${plural(facts.depthFromSeeds, 'link')} away`)}`,
    ])
  }
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    bold(safe(file)),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    ...histogram('In-links of a page', facts.inDegrees),
    '',
    ...histogram('Out-links of a page', facts.outDegrees),
  ].join('\n')
}

/** Bars on a logarithmic scale: degree distributions span decades. */
function histogram(title: string, bins: readonly Bin[]): string[] {
  const most = Math.max(1, ...bins.map(({ pages }) => pages))
  const labels = bins.map(({ from, to }) => (from === to ? grouped(from) : `${grouped(from)}–${grouped(to)}`))
  const width = Math.max(0, ...labels.map((label) => label.length))
  return [
    `${bold(title)} ${dim('(bars on a logarithmic scale)')}`,
    ...bins.map(({ pages }, i) => {
      const share = pages === 0 ? 0 : Math.log(1 + pages) / Math.log(1 + most)
      return `  ${labels[i].padStart(width)}  ${bar(share, 40)} ${grouped(pages)}`
    }),
  ]
}
