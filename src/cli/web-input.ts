/** Reads the stored web of a command and its related files: URLs, sites, seeds, trust, earlier scores. */
import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable } from '../lib/files/byte-source.ts'
import { readGraph } from '../webgraph/formats/index.ts'
import { notNegative, readNumbers, type NumberKind } from '../webgraph/formats/score-file.ts'
import { sitesFromNumbers } from '../webgraph/sites.ts'
import { idOf, pageOfId, webOf, type Web } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import { readOptions, type OutputOptions, type ReadingOptions } from './options.ts'
import { plural } from '../lib/amounts.ts'
import { progressBar, safe } from './terminal.ts'

export async function readWeb(
  file: string,
  options: OutputOptions & ReadingOptions & { readonly sitesFile?: string | undefined },
): Promise<Web> {
  const reading = progressBar(`Reading ${file}`, options.progress)
  const web = existsSync(join(file, 'crawl.json'))
    ? await readCrawl(file, options, reading.progress)
    : ((await readImported([file], options, reading.progress)) ??
      (await readGraph(file, { ...readOptions(options), progress: reading.progress })))
  reading.end()
  return options.sitesFile === undefined ? web : withSites(web, options.sitesFile)
}

/** One web of several files: WARC, WAT or `crawl.log` of Heritrix. */
export async function readJoinedWeb(
  files: readonly string[],
  options: OutputOptions & ReadingOptions,
): Promise<Web> {
  const reading = progressBar(`Reading ${plural(files.length, 'file')}`, options.progress)
  const web = await readImported(files, options, reading.progress)
  reading.end()
  if (web !== undefined) return web
  throw new RankwardError(
    'USAGE',
    'Several files can be joined to one web only if they are WARC, WAT or crawl.log files, whose pages have URLs.',
  )
}

/** Links of others' files; undefined if one of them is not such a file. */
async function readImported(
  files: readonly string[],
  options: ReadingOptions,
  progress: Progress,
): Promise<Web | undefined> {
  if (!files.every((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)) return undefined
  // Loaded late: it needs the parser of HTML.
  const { hasLinks } = await import('../webgraph/imports/imported-pages.ts')
  for (const file of files) if (!(await hasLinks(file))) return undefined
  if (options.urls !== undefined)
    throw new RankwardError('USAGE', `${files[0]} has its own URLs: leave out --urls.`)
  const { readLinkGraph } = await import('../webgraph/imports/link-graph.ts')
  const { keepSelf, keepRepeats } = readOptions(options)
  const { web, bad, firstBad } = await readLinkGraph(files, {
    progress,
    ...(keepSelf === undefined ? {} : { keepSelf }),
    ...(keepRepeats === undefined ? {} : { keepRepeats }),
  })
  if (bad > 0) process.stderr.write(`rankward: note: ${badText(bad, firstBad)}\n`)
  return web
}

/** "3 lines or records could not be read, the first at a.log:17" */
export function badText(bad: number, firstBad: string | undefined): string {
  return `${plural(bad, 'line or record', 'lines or records')} could not be read, the first: ${safe(firstBad ?? '')}`
}

/** A crawl folder is a stored web too, with URLs. */
async function readCrawl(folder: string, options: ReadingOptions, progress: Progress): Promise<Web> {
  if (options.urls !== undefined) {
    throw new RankwardError('USAGE', `${folder} holds a crawl, which has its own URLs: leave out --urls.`)
  }
  // Loaded late: only crawl folders need the record's readers.
  const { readCrawlWeb } = await import('../crawler/read/export/crawl-web.ts')
  return readCrawlWeb(folder, readOptions(options), progress)
}

/** Names of sites have no order: the sites of a simulation are numbered. */
const siteNumber: NumberKind = {
  name: 'site',
  expected: 'a whole number from 0 up, the same for all pages of a site',
  accepts: (value) => Number.isSafeInteger(value) && value >= 0,
}

async function withSites(web: Web, path: string): Promise<Web> {
  const numbers = new Float64Array(web.graph.pages).fill(NaN)
  await readNumbers(web, path, siteNumber, (page, site) => {
    numbers[page] = site
  })
  const without = numbers.findIndex((site) => Number.isNaN(site))
  if (without >= 0) {
    throw new RankwardError(
      'BAD_SCORE_FILE',
      `${path} gives no site for page ${idOf(web, without)}: every page needs a line "id<TAB>site".`,
    )
  }
  return webOf({ ...web, givenSites: sitesFromNumbers(numbers) })
}

/** The pages with these original ids. */
export function seedPages(web: Web, ids: readonly number[]): number[] {
  return ids.map((id) => {
    const page = pageOfId(web, id)
    if (page !== undefined) return page
    const { pages } = web.graph
    const range =
      pages === 0 ? 'the graph is empty' : `ids go from ${idOf(web, 0)} to ${idOf(web, pages - 1)}`
    throw new RankwardError('NO_SUCH_PAGE', `There is no page with id ${id} in this graph (${range}).`)
  })
}

/** Seeds from a file: one per line, an id or a URL. */
export async function seedsFromFile(web: Web, path: string): Promise<number[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const pages: number[] = []
  let pageOfUrl: Map<string, number> | undefined
  lines.forEach((line, i) => {
    if (line === '' || line.startsWith('#')) return
    if (/^\d+$/.test(line)) {
      pages.push(...seedPages(web, [Number(line)]))
      return
    }
    const page = (pageOfUrl ??= urlIndex(web)).get(line)
    if (page === undefined) {
      throw new RankwardError(
        'NO_SUCH_PAGE',
        `${path}:${i + 1}: "${line}" is neither an id nor a URL of this graph${web.urls === undefined ? ', which has no URLs (--urls)' : ''}.`,
      )
    }
    pages.push(page)
  })
  if (pages.length === 0) throw new RankwardError('USAGE', `${path} names no seed.`)
  return pages
}

function urlIndex(web: Web): Map<string, number> {
  const index = new Map<string, number>()
  const { urls } = web
  if (urls !== undefined) for (let page = 0; page < urls.length; page++) index.set(urls.at(page), page)
  return index
}

/** Trusted pages and their weights, in the order of the file. */
export async function readTrust(web: Web, path: string): Promise<{ pages: number[]; weights: number[] }> {
  const pages: number[] = []
  const weights: number[] = []
  const { unknownIds } = await readNumbers(web, path, notNegative('weight'), (page, weight) => {
    pages.push(page)
    weights.push(weight)
  })
  if (unknownIds > 0)
    throw new RankwardError('NO_SUCH_PAGE', `${path} has ${unknownIds} pages that are not in this graph.`)
  if (pages.length === 0) throw new RankwardError('USAGE', `${path} trusts no page.`)
  return { pages, weights }
}

/** The same as one weight per page. */
export async function trustVector(web: Web, path: string): Promise<Float64Array> {
  const vector = new Float64Array(web.graph.pages)
  const { pages, weights } = await readTrust(web, path)
  pages.forEach((page, i) => {
    vector[page] = weights[i]
  })
  return vector
}

/**
 * Scores of an earlier crawl; NaN for a page that it did not have. Pages that no longer exist are ignored.
 */
export async function readHistory(web: Web, path: string): Promise<Float64Array> {
  const scores = new Float64Array(web.graph.pages).fill(NaN)
  await readNumbers(web, path, notNegative('score'), (page, score) => {
    scores[page] = score
  })
  return scores
}
