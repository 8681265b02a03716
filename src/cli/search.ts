import { Command, Option } from 'commander'
import { defaultRankWeight, resultsShown } from '../crawler/parts/search/options.ts'
import { numberFrom, printJson, wholeNumber, withOutputOptions, type OutputOptions } from './options.ts'
import { searchText } from './search-text.ts'
import { progressBar, safe } from './terminal.ts'

interface SearchCliOptions extends OutputOptions {
  readonly limit: number
  readonly all?: boolean
  readonly any?: boolean
  readonly language?: string
  readonly rankWeight: number
  readonly includeNoindex?: boolean
  readonly index: boolean
}

export function searchCommand(): Command {
  const command = new Command('search')
    .description('Search the pages of a crawl')
    .argument('<folder>', 'the folder of a crawl')
    .argument('<words...>', 'words to search for; "quoted words" must be consecutive')
    .option('--limit <n>', 'maximum number of results', wholeNumber({ min: 1 }), resultsShown)
    .addOption(new Option('--all', 'only pages with all words (default, if there are any)').conflicts('any'))
    .addOption(new Option('--any', 'pages with any of the words'))
    .option(
      '--language <code>',
      'compare stems of this language; none: words as written (default: the language of most pages)',
    )
    .option('--rank-weight <w>', 'weight of PageRank relative to the text', numberFrom(0), defaultRankWeight)
    .option('--include-noindex', 'include pages marked noindex')
    .option('--no-index', 'read every archived page instead of keeping an index in the folder')
    .addHelpText(
      'after',
      `
Ranks pages by their text (BM25+) and their PageRank in the crawl: score = text × (1 + w · r), r from 0 for the lowest PageRank to 1 for the highest. Duplicates are shown once.
The first search builds an index in the crawl's folder; later ones read only pages that are new.

Examples:
  rankward search crawl solar energy
  rankward search crawl '"solar energy" prices' --language en --limit 3
  rankward search crawl solar wind --any --rank-weight 0 --json

docs/search.md has the details.`,
    )
    .action(run)
  return withOutputOptions(command)
}

async function run(folder: string, words: string[], options: SearchCliOptions): Promise<void> {
  const { search } = await import('../crawler/parts/search/search.ts')
  const { limit, all, any, language, rankWeight, includeNoindex, index } = options
  const reading = progressBar(`Reading ${folder}`, options.progress)
  const match = all === true ? 'all' : any === true ? 'any' : undefined
  const found = await search(folder, words, {
    limit,
    match,
    language,
    rankWeight,
    noindex: includeNoindex,
    index,
    progress: reading.progress,
  }).finally(() => reading.end())
  if (found.notice !== undefined) process.stderr.write(`${safe(found.notice)}\n`)
  if (options.json === true) printJson({ folder, ...found })
  else process.stdout.write(`${searchText(found, process.stdout.columns, match === undefined)}\n`)
}
