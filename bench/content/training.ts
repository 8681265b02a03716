/** Learns the models of the extractor from annotated pages: evidence of words and class names, then boosted trees. */
import { seededRandom } from '../../src/lib/random.ts'
import { blockText } from '../../src/web/content/block-text.ts'
import { featureCount } from '../../src/web/content/feature-names.ts'
import { blockFeaturesOf } from '../../src/web/content/features.ts'
import { HeadReader } from '../../src/web/content/head-reader.ts'
import { pageFacts } from '../../src/web/content/page-facts.ts'
import { PageScan } from '../../src/web/content/page-scan.ts'
import { hashName } from '../../src/web/content/tags.ts'
import { eachNameWord, type Evidence, WordWeights } from '../../src/web/content/word-weights.ts'
import { boosted, type BoostingOptions, type Examples } from './boosting.ts'
import { blockLabels } from './labels.ts'
import { type AnnotatedPage, siteOf, wordsOf } from './pages.ts'
import type { Forest } from '../../src/web/content/trees.ts'

/** A page with what does not depend on any model. */
export interface LabelledPage {
  readonly id: string
  readonly url: string
  readonly site: string
  readonly type: string
  readonly html: string
  readonly expected: readonly string[]
  readonly labels: Float32Array
  readonly blockWords: readonly (readonly string[])[]
  /** For each word of class names and of short blocks: how much of what it marks is main content, from 0 to 1. */
  readonly classShares: ReadonlyMap<number, number>
  readonly wordShares: ReadonlyMap<number, number>
}

const noEvidence: Evidence = { words: new WordWeights([], []), classes: new WordWeights([], []) }
const plainScan = new PageScan(noEvidence)
/** Words of longer blocks say little about their block. */
const shortBlockWords = 15

export function labelled(page: AnnotatedPage): LabelledPage {
  const scan = plainScan
  scan.scan(page.html)
  const { blocks } = scan
  const blockWords: string[][] = []
  for (let block = 0; block < blocks.count; block++) blockWords.push(wordsOf(blockText(scan, block)))
  const expected = wordsOf(page.content)
  const labels = blockLabels(blockWords, expected)
  // A copy of a block that was taken is as good as the block.
  const best = new Map<string, number>()
  const keys = blockWords.map((words) => words.join(' '))
  for (const [block, key] of keys.entries()) best.set(key, Math.max(best.get(key) ?? 0, labels[block]))
  for (const [block, key] of keys.entries()) if (blockWords[block].length > 3) labels[block] = best.get(key)!
  return {
    id: page.id,
    url: page.url,
    site: page.url === '' ? page.id : siteOf(page.url),
    type: page.type,
    html: page.html,
    expected,
    labels,
    blockWords,
    classShares: classShares(scan, labels),
    wordShares: wordShares(blockWords, labels),
  }
}

function classShares({ html, elements, blocks }: PageScan, labels: Float32Array): Map<number, number> {
  const main = new Float64Array(elements.count)
  const all = new Float64Array(elements.count)
  for (let block = 0; block < blocks.count; block++) {
    const element = blocks.columns.element[block]
    // Short blocks count more than by their words: there are many of them around the main content.
    const weight = Math.sqrt(blocks.columns.words[block])
    main[element] += labels[block] * weight
    all[element] += weight
  }
  const sums = new Map<number, { main: number; all: number }>()
  for (let element = elements.count - 1; element > 0; element--) {
    const parent = elements.parent[element]
    main[parent] += main[element]
    all[parent] += all[element]
    if (all[element] === 0) continue
    const tag = html.slice(elements.start[element], elements.start[element] + 1500)
    const seen = new Set<number>()
    for (const [, one, two] of tag
      .slice(0, tag.indexOf('>'))
      .matchAll(/\s(?:class|id)=(?:"([^"]*)"|'([^']*)')/gi))
      eachNameWord(one ?? two, (hash) => seen.add(hash))
    for (const hash of seen) {
      const sum = sums.get(hash) ?? { main: 0, all: 0 }
      sum.main += main[element]
      sum.all += all[element]
      sums.set(hash, sum)
    }
  }
  return new Map([...sums].map(([hash, sum]) => [hash, sum.main / sum.all]))
}

function wordShares(blockWords: readonly (readonly string[])[], labels: Float32Array): Map<number, number> {
  const sums = new Map<number, { main: number; all: number }>()
  for (const [block, words] of blockWords.entries()) {
    if (words.length > shortBlockWords) continue
    for (const word of new Set(words)) {
      const hash = hashName(word)
      const sum = sums.get(hash) ?? { main: 0, all: 0 }
      sum.main += labels[block]
      sum.all++
      sums.set(hash, sum)
    }
  }
  return new Map([...sums].map(([hash, sum]) => [hash, sum.main / sum.all]))
}

export interface WordList {
  readonly keys: number[]
  readonly weights: number[]
}

export interface EvidenceLists {
  readonly words: WordList
  readonly classes: WordList
}

/** Words that many sites use, with the log-odds of main content; each site has one vote. */
function wordList(pages: readonly LabelledPage[], of: 'classShares' | 'wordShares', most: number): WordList {
  const bySite = new Map<string, Map<number, { sum: number; count: number }>>()
  for (const page of pages) {
    let site = bySite.get(page.site)
    if (site === undefined) bySite.set(page.site, (site = new Map()))
    for (const [hash, share] of page[of]) {
      const vote = site.get(hash) ?? { sum: 0, count: 0 }
      vote.sum += share
      vote.count++
      site.set(hash, vote)
    }
  }
  const votes = new Map<number, { main: number; sites: number }>()
  for (const site of bySite.values()) {
    for (const [hash, { sum, count }] of site) {
      const vote = votes.get(hash) ?? { main: 0, sites: 0 }
      vote.main += sum / count
      vote.sites++
      votes.set(hash, vote)
    }
  }
  const least = Math.max(4, Math.round(bySite.size / 130))
  let main = 0
  let all = 0
  for (const vote of votes.values()) {
    main += vote.main
    all += vote.sites
  }
  const usual = Math.log(main / (all - main))
  const rated = [...votes]
    .filter(([hash, { sites }]) => sites >= least && hash !== 0)
    .map(([hash, vote]) => {
      const odds = Math.log((vote.main + 1) / (vote.sites - vote.main + 1)) - usual
      return { hash, weight: Math.max(-3, Math.min(3, odds)), worth: Math.abs(odds) * Math.sqrt(vote.sites) }
    })
    .toSorted((one, other) => other.worth - one.worth || one.hash - other.hash)
    .slice(0, most)
  // Weights are kept as 1/40.
  return {
    keys: rated.map(({ hash }) => hash),
    weights: rated.map(({ weight }) => Math.round(weight * 40) / 40),
  }
}

export function evidenceLists(pages: readonly LabelledPage[]): EvidenceLists {
  return { words: wordList(pages, 'wordShares', 800), classes: wordList(pages, 'classShares', 800) }
}

export function evidenceOf({ words, classes }: EvidenceLists): Evidence {
  return {
    words: new WordWeights(words.keys, words.weights),
    classes: new WordWeights(classes.keys, classes.weights),
  }
}

/** Pages in `count` parts, all pages of a site in the same one. */
export function siteFolds(pages: readonly LabelledPage[], count: number, seed: number): LabelledPage[][] {
  const random = seededRandom(seed)
  const sites = [...new Set(pages.map(({ site }) => site))].toSorted()
  const foldOf = new Map<string, number>()
  for (const site of sites) foldOf.set(site, random.below(count))
  const folds: LabelledPage[][] = Array.from({ length: count }, () => [])
  for (const page of pages) folds[foldOf.get(page.site)!].push(page)
  return folds
}

/** Feature rows of pages, with the evidence given. */
export function rowsOf(pages: readonly LabelledPage[], evidence: Evidence): Map<LabelledPage, Float32Array> {
  const head = new HeadReader()
  const scan = new PageScan(evidence, head)
  return new Map(
    pages.map((page) => {
      head.clear(page.html)
      scan.scan(page.html)
      const rows = blockFeaturesOf(scan, pageFacts(head, page.url))
      return [page, rows.slice(0, scan.blocks.count * featureCount)]
    }),
  )
}

/** Rows of training pages. The evidence of a page is learned from the pages of other sites. */
export function trainingRows(pages: readonly LabelledPage[], seed: number): Map<LabelledPage, Float32Array> {
  const rows = new Map<LabelledPage, Float32Array>()
  const folds = siteFolds(pages, 6, seed)
  for (const fold of folds) {
    const others = folds.filter((other) => other !== fold).flat()
    for (const [page, row] of rowsOf(fold, evidenceOf(evidenceLists(others)))) rows.set(page, row)
  }
  return rows
}

export function examplesOf(rows: ReadonlyMap<LabelledPage, Float32Array>, features: number): Examples {
  let count = 0
  for (const page of rows.keys()) count += page.labels.length
  const values = new Float32Array(count * features)
  const labels = new Float32Array(count)
  const weights = new Float32Array(count)
  let at = 0
  for (const [page, row] of rows) {
    values.set(row, at * features)
    const words = page.blockWords.map(({ length }) => length)
    const total = words.reduce((sum, each) => sum + each, 0)
    const scale = 300 / Math.max(50, Math.min(total, 2 * page.expected.length + 200))
    for (let block = 0; block < page.labels.length; block++, at++) {
      labels[at] = page.labels[block]
      weights[at] = Math.min(words[block], 150) * scale
    }
  }
  return { rows: count, features, values, labels, weights }
}

export function trainedForest(
  rows: ReadonlyMap<LabelledPage, Float32Array>,
  features: number,
  options: BoostingOptions,
): Forest {
  return boosted(examplesOf(rows, features), options)
}
