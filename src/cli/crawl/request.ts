/** Converts the command line and its files to the options of the crawler, which also defines the defaults. */
import type { CrawlCliOptions, CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { crawlTable, options } from '../../crawler/options/option-table.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { siteOf } from '../../web/url/site.ts'
import { checkFiles, checkParts, checkRecrawl, checkStrategy } from './checks.ts'
import { schemeFinder } from './seed-scheme.ts'
import { readSeeds, readUrlNumbers } from './seeds.ts'

export type CrawlRequest = CrawlOptions & { readonly out: string }

interface Requested {
  readonly request: CrawlRequest
  /** Notes to the user before the start, one line each. */
  readonly notes: readonly string[]
}

/** `connects`: whether hosts of seeds without a scheme may be tried. */
export async function crawlRequest(
  given: readonly string[],
  cli: CrawlCliOptions,
  connects = true,
): Promise<Requested> {
  checkStrategy(cli)
  checkFiles(cli)
  await checkParts(cli)
  checkRecrawl(cli, cli.continuous === true)
  const canonicalRules = rulesOf(cli)
  const { urls, trust, notes } = await readSeeds({
    seeds: given,
    seedsFile: cli.seedsFile,
    trustFile: cli.trust,
    rules: canonicalRules,
    schemeOf: connects ? schemeFinder(cli) : undefined,
  })
  const historicalScores =
    cli.historicalScores === undefined
      ? undefined
      : await readUrlNumbers(cli.historicalScores, canonicalRules, 'score')
  const files = await fileOptions(cli)
  const out = cli.out ?? folderNamedAfter(urls[0])
  return {
    request: {
      ...requestOf(cli),
      ...files,
      seeds: urls,
      out,
      canonicalRules,
      trust,
      historicalScores,
    },
    notes: [
      ...notes,
      ...(cli.out === undefined ? [`no --out is given: the crawl goes to the folder ${out}`] : []),
      ...contactNote(cli),
    ],
  }
}

/** The options that need no file, by their names in the library. */
export function requestOf(cli: CrawlCliOptions): Omit<CrawlOptions, 'seeds'> {
  return crawlTable.libraryValues(cli)
}

/** The options of parts that need a file, by their names in the library. */
async function fileOptions(cli: CrawlCliOptions): Promise<object> {
  const read = [...options].flatMap(([name, { row, library }]) => {
    const path: unknown = cli[name]
    return library === undefined || row.read === undefined || typeof path !== 'string'
      ? []
      : [row.read(path, cli).then((content) => [library, content] as const)]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The rules by which two URLs are the same page. */
export function rulesOf(cli: CrawlCliOptions): Required<CanonicalRules> {
  return {
    sessionIds: cli.keepSessionIds !== true,
    trackingParameters: cli.keepTracking !== true,
    indexPages: cli.mergeIndexPages === true,
    sortedQuery: cli.sortQuery === true,
  }
}

/** `crawl-example.org`, `crawl-127.0.0.1-8080`: a name that is valid on any file system. */
export function folderNamedAfter(seed: string): string {
  return `crawl-${(siteOf(seed) ?? 'web').replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-|-$/g, '')}`
}

/** No contact is needed for crawls of private machines only. */
function contactNote({ contact, userAgent, allowPrivate }: CrawlCliOptions): string[] {
  const isNamed = contact !== undefined || allowPrivate === true || /@|https?:\/\//.test(userAgent ?? '')
  return isNamed
    ? []
    : [
        'site owners cannot reach you: set --contact, such as https://example.org/bot (docs/guide/politeness.md)',
      ]
}
