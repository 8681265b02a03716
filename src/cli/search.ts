import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { defaultRankWeight, resultsShown } from '../crawler/parts/search/options.ts'
import type { SearchResult, SearchResults } from '../crawler/parts/search/options.ts'
import { RankwardError } from '../lib/errors.ts'
import { agreeing, plural } from './crawl/words.ts'
import { readFolder, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { numberFrom, printJson, wholeNumber, withOutputOptions, type OutputOptions } from './options.ts'
import { bold, dim, grouped, progressBar, safe } from './terminal.ts'

interface SearchCliOptions extends OutputOptions {
  readonly limit: number
  readonly all?: boolean
  readonly any?: boolean
  readonly language?: string
  readonly rankWeight: number
  readonly includeNoindex?: boolean
  readonly index: boolean
}

export function searchCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('search')
    .description('Search the pages of a crawl')
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .argument('[words...]', 'words to search for; "quoted words" must be consecutive')
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
  rankward search --cluster nats://10.0.0.1:4222 --name news solar energy

docs/guide/search.md has the details.`,
    )
    .action(async (first: string | undefined, words: string[], options: SearchCliOptions) => {
      const isElsewhere = elsewhere?.hasOptions(command) === true
      const [given, asked] = isElsewhere ? [undefined, [first ?? '', ...words]] : [first, words]
      if (asked.join('') === '') throw new RankwardError('USAGE', 'Expected words to search for.')
      await run(await readFolder(elsewhere, command, given, options.progress), asked, options)
    })
  withOutputOptions(command)
  return elsewhere?.withCopyOptions(command) ?? command
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

/** Search results for a terminal: the title, URL and snippet of each page, with the matches highlighted. */
const columnsMax = 100
/** Private-use characters, which snippets never contain, stand for the highlights until the lines are cut. */
const markStart = '\u{E000}'
const markEnd = '\u{E001}'

/** `mayFallBack`: whether pages with only some of the words are allowed. */
export function searchText(found: SearchResults, columns = 80, mayFallBack = true): string {
  const { results, matches } = found
  const width = Math.min(columns, columnsMax)
  const left = matches - results.length
  const digits = String(results.length).length
  return [
    wrapped(headText(found, mayFallBack), width, Infinity).join('\n'),
    ...results.map((result, i) => resultText(result, String(i + 1).padStart(digits), width)),
    ...(left > 0 ? [dim(`… and ${plural(left, 'more page')} (--limit)`)] : []),
  ].join('\n\n')
}

/** One sentence, or two if no page has all words. */
function headText({ units, pages, matches, match, language }: SearchResults, mayFallBack: boolean): string {
  if (pages === 0) return 'The crawl has no pages to search.'
  const asked = units.map(safe).join(', ')
  const stems = language === undefined ? '' : ` (${languageName(language)} stems)`
  const extent = units.length === 1 ? '' : ` ${match} of`
  if (matches === 0) return `None of ${plural(pages, 'page')} has${extent}: ${asked}${stems}`
  const those = `${grouped(matches)} of ${plural(pages, 'page')} ${agreeing(matches, 'has', 'have')}`
  if (match === 'all' || !mayFallBack || units.length === 1) return `${those}${extent}: ${asked}${stems}`
  return `No page has all of: ${asked}${stems}. ${those} some.`
}

/** English for en. */
function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code
}

function resultText(result: SearchResult, number: string, width: number): string {
  const { url, title, score, bm25, pageRank, depth, copies } = result
  const indent = ' '.repeat(number.length + 2)
  const facts = [
    `score ${figure(score)}`,
    `text ${figure(bm25)}`,
    `PageRank ${figure(pageRank)}`,
    `depth ${depth}`,
    ...(copies > 0 ? [plural(copies, 'copy', 'copies')] : []),
  ]
  const lines = [
    ...(title === '' ? [] : wrapped(safe(title), width - indent.length, 2).map(bold)),
    title === '' ? bold(safe(url)) : safe(url),
    ...wrapped(safe(marked(result)), width - indent.length, 4).map(styled),
    dim(facts.join(' · ')),
  ]
  return lines.map((line, i) => `${i === 0 ? `${number}  ` : indent}${line}`).join('\n')
}

const figure = (value: number): string => String(Number(value.toPrecision(3)))

function marked({ snippet, found }: SearchResult): string {
  let text = ''
  let at = 0
  for (const [start, end] of found) {
    text += `${snippet.slice(at, start)}${markStart}${snippet.slice(start, end)}${markEnd}`
    at = end
  }
  return text + snippet.slice(at)
}

function styled(line: string): string {
  return line.replaceAll(/\u{E000}([^\u{E001}]*)\u{E001}?/gu, (_, word: string) =>
    process.stdout.isTTY ? styleText(['bold', 'yellow'], word) : word,
  )
}

/** Lines of at most this many columns; the rest is truncated. */
export function wrapped(text: string, width: number, linesMax: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of text.split(/(?<= )/)) {
    const columns = columnsOf(piece.trimEnd())
    if (used > 0 && used + columns > width) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    if (columns <= width) {
      line += piece
      used += columnsOf(piece)
      continue
    }
    // Scripts without spaces, and runs that are not words.
    for (const char of piece) {
      if (char !== ' ' && used + columnsOf(char) > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      line += char
      used += columnsOf(char)
    }
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines.slice(0, linesMax)
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u{3000}-\u{303F}\u{FF01}-\u{FF60}]/u
const none = /[\p{M}\u{E000}\u{E001}\u{AD}\u{200B}-\u{200D}]/u

/** Its width in terminal columns. */
function columnsOf(text: string): number {
  let columns = 0
  for (const char of text) columns += char < '\u{300}' ? 1 : none.test(char) ? 0 : wide.test(char) ? 2 : 1
  return columns
}
