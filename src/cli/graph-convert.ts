import { bytesText, fixed } from '../lib/amounts.ts'
import { Command } from 'commander'
import { stat } from 'node:fs/promises'
import { checkOutputs } from '../lib/files/output-files.ts'
import { graphFiles, writeGraph, writerFor } from '../webgraph/formats/index.ts'
import { RankwardError } from '../lib/errors.ts'
import { printJson, withOutputOptions, withReadingOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, ReadingOptions, WritingOptions } from './options.ts'
import { grouped, progressBar } from './terminal.ts'
import { readJoinedWeb, readWeb } from './web-input.ts'

type ConvertOptions = OutputOptions & ReadingOptions & WritingOptions

export function graphConvertCommand(): Command {
  const command = new Command('convert')
    .description("Convert a graph to another format, chosen by OUT's extension")
    .usage('[options] <in...> <out>')
    .argument(
      '<files...>',
      'IN: a graph (edge list, BV, .rwg; plain or gzip), or WARC, WAT and crawl.log files, several as one graph. OUT: .tsv or .tsv.gz (SNAP edge list), .graph (WebGraph/BV, with .properties and .offsets), .rwg (our own)',
    )
    .addHelpText(
      'after',
      `
Self-links and repeated links are dropped by default. BV does not store the order of links, URLs
or ids (pages are numbered 0, 1, 2 … in the order of their ids); an edge
list does not store URLs; .rwg stores everything.

Examples:
  rankward graph convert cnr-2000.graph cnr-2000.rwg
  rankward graph convert edges.tsv.gz web.rwg --urls urls.txt.gz
  rankward graph convert CC-MAIN-*.warc.wat.gz web.rwg`,
    )
    .action(async (files: string[], options: ConvertOptions) => {
      const inputs = files.slice(0, -1)
      const output = files.at(-1)!
      if (inputs.length === 0)
        throw new RankwardError('USAGE', "missing required argument 'out': rankward graph convert IN OUT")
      const { name } = writerFor(output)
      checkOutputs(graphFiles(output), options)
      const input = inputs.join(', ')
      const web = inputs.length === 1 ? await readWeb(input, options) : await readJoinedWeb(inputs, options)
      const writing = progressBar(`Writing ${output}`, options.progress)
      await writeGraph(web, output, writing.progress)
      writing.end()
      const { pages, links } = web.graph
      const { size: bytes } = await stat(output)
      const bitsPerLink = links === 0 ? 0 : (bytes * 8) / links
      if (options.json === true) printJson({ input, output, format: name, pages, links, bytes, bitsPerLink })
      else {
        process.stdout.write(
          `${output}: ${grouped(pages)} pages, ${grouped(links)} links, ${bytesText(bytes)} (${fixed(bitsPerLink, 2)} bits per link), ${name}\n`,
        )
      }
    })
  return withOutputOptions(withReadingOptions(withWritingOptions(command)))
}
