/** The options of `simulate`: those of the library, and those of files and output, which only the command line has. */
import { on, path, value, type CliOf, type Rows } from '../../lib/option-rows.ts'
import { OptionTable, type RowSet } from '../../lib/option-table.ts'
import { anyText, atLeast, durationValue, oneOf } from '../../lib/value-kinds.ts'
import { optionSets, type SimulateRows } from '../../simulator/options/simulate-options.ts'
import { titleWeightDefault } from '../../web/topic/topic.ts'
import { changeKinds } from '../../webgraph/formats/recorded-versions.ts'
import { cellRows, idsValue, outputRows, readingRows, writingRows } from '../options.ts'

const startRows = {
  seeds: value('ids', idsValue, 'pages to start from (default: the page that reaches most)', {
    level: 'common',
  }),
  seedsFile: path('file', 'pages to start from, in a file, one per line: ids or URLs', { level: 'common' }),
  sitesFile: path('file', '"id<TAB>site" lines: the sites of the pages'),
  ...readingRows,
} satisfies Rows

const contentRows = {
  pagesContent: path('file', 'contents of the pages: .jsonl, .jsonl.gz, .jsonl.br, .warc, .warc.gz'),
} satisfies Rows

const topicRows = {
  topic: value(
    'words',
    anyText('some words'),
    'the topic of the crawl, such as "solar energy"; required by topic strategies',
    { level: 'common' },
  ),
  topicHot: value(
    'rule',
    anyText('a rule'),
    "which pages count as hot, such as 'title:solar or body:solar>=5' (default: a word of the topic in the title, or ten in the body)",
  ),
  likeness: value(
    'measure',
    oneOf(['cosine', 'inner'] as const),
    'similarity of page and topic, as tf-idf vectors of words: cosine (default), inner',
    { level: 'config' },
  ),
  titleWeight: value('x', atLeast(0), 'weight of a word in the title', {
    level: 'config',
    usual: titleWeightDefault,
  }),
  language: value(
    'code',
    anyText('a language'),
    'compare words by their stems in this language: en, de, fr, …',
  ),
  idf: path(
    'file',
    '"word<TAB>pages" lines after "# Documents: N": document frequencies (default: of the pages fetched so far)',
  ),
  scorer: path(
    'file',
    './score.ts or .js: a module that gives each page a score, used instead of its similarity',
  ),
  scorerTime: value('t', durationValue, 'time limit of the scorer per page', {
    level: 'config',
    usual: '10s',
    needs: 'scorer',
  }),
} satisfies Rows

const timeRows = {
  siteNet: path('file', 'timed: "site<TAB>latency<TAB>speed" lines (default: drawn)', { level: 'config' }),
  completions: path('file', 'timed: write "id<TAB>seconds" in fetch order (one strategy only)'),
} satisfies Rows

const againRows = {
  change: value(
    'what',
    oneOf(changeKinds),
    'recorded changes: what counts as one: content (default), text, links, bytes',
  ),
  fetches: path('file', 'recrawl: write "days<TAB>id<TAB>first|changed|same|gone" (one run only)', {
    needs: 'recrawlPolicy',
  }),
} satisfies Rows

const fileRows = {
  order: path('file', 'write the fetch order, one original id per line (one strategy only)', {
    level: 'common',
  }),
  scores: on('in the order file, add a tab and the score at selection', { needs: 'order' }),
  csv: path('file', 'write all curves as CSV', { level: 'common' }),
  ...writingRows,
  ...cellRows,
} satisfies Rows

type CliRows = typeof startRows &
  typeof contentRows &
  typeof topicRows &
  typeof timeRows &
  typeof againRows &
  typeof fileRows &
  typeof outputRows
export interface SimulateCliOptions extends CliOf<SimulateRows>, CliOf<CliRows> {}

const sets: readonly RowSet[] = [
  {
    heading: 'What to crawl:',
    rows: {},
    cliRows: startRows,
    contradictions: [{ one: 'seedsFile', other: 'seeds', why: 'both give the seeds: leave one of them out' }],
  },
  ...optionSets,
  { heading: 'What to measure:', rows: {}, cliRows: contentRows },
  { heading: 'What to look for:', rows: {}, cliRows: topicRows },
  { heading: 'Under a virtual clock:', rows: {}, cliRows: timeRows },
  { heading: 'Fetching pages again:', rows: {}, cliRows: againRows },
  { heading: 'Output:', rows: {}, cliRows: fileRows },
  { heading: 'Running:', rows: {}, cliRows: outputRows },
]

export const simulateTable = new OptionTable(sets, [
  'In what order:',
  'What to crawl:',
  'When to stop (at the first limit reached):',
  'What to measure:',
  'What to look for:',
  'How to queue:',
  'Under a virtual clock:',
  'On a simulated cluster:',
  'Fetching pages again:',
  'Output:',
  'Running:',
])
