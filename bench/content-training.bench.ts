/**
 * Trains the extractor of main content on WCXB's development set and writes src/web/content/weights.ts.
 *
 *   npm run bench -- content-training [--folds 5] [--trees 130] [--write]
 *
 * The figures are cross-validated by site: all pages of a site are in the same fold, and everything that is learned (evidence of words and
 * class names, trees, page types) is learned from the other folds. What is taken of a page follows from a number per page type, which
 * are chosen on the cross-validated probabilities. Without --write, the file is not changed; --folds 0 trains without any figures. The small size trains on made-up pages.
 */
import { writeFileSync } from 'node:fs'
import { pageTypes } from '../src/web/content/model.ts'
import { typeScaleList } from '../src/web/content/weights.ts'
import { packedForest, packedWords, unpackedForest } from '../src/web/content/packed.ts'
import { featureCount } from '../src/web/content/feature-names.ts'
import { pageRow } from '../src/web/content/page-row.ts'
import { selectBlocks } from '../src/web/content/selection.ts'
import { forestSum, logistic, type Forest } from '../src/web/content/trees.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { boosted, type BoostingOptions } from './content/boosting.ts'
import { madeUpPages } from './content/made-up-pages.ts'
import { annotatedPages, wordScore } from './content/pages.ts'
import {
  evidenceLists,
  evidenceOf,
  labelled,
  rowsOf,
  siteFolds,
  trainedForest,
  trainingRows,
} from './content/training.ts'
import type { EvidenceLists, LabelledPage } from './content/training.ts'
import { numberOption, realPath, tell } from './webs.ts'

const copyWordsMin = 6
const blockOptions: BoostingOptions = {
  trees: 130,
  leaves: 24,
  rate: 0.1,
  lambda: 5,
  leastWeight: 20,
  rowShare: 0.4,
  featureShare: 0.35,
  seed: 1,
}
const typeOptions: BoostingOptions = {
  ...blockOptions,
  trees: 25,
  leaves: 6,
  rate: 0.15,
  lambda: 1,
  leastWeight: 2,
  rowShare: 0.7,
}

interface Trained {
  readonly lists: EvidenceLists
  readonly blocks: Forest
  readonly types: readonly Forest[]
}

/** A page with what models of other folds say about it. */
interface Judged {
  readonly page: LabelledPage
  readonly probability: Float32Array
  readonly type: number
}

export const contentTrainingBenchmark: Benchmark = async (size) => {
  const pages: LabelledPage[] = []
  if (size === 'small') {
    for (const page of madeUpPages(60)) pages.push(labelled(page))
  } else {
    const path = realPath('content/wcxb-dev.jsonl.br')
    if (path === undefined) throw new Error('The annotated pages are not beside the checkout.')
    for await (const page of annotatedPages(path)) {
      pages.push(labelled(page))
      if (pages.length >= numberOption('pages', Infinity)) break
    }
  }
  const options =
    size === 'small'
      ? { ...blockOptions, trees: 10, leastWeight: 1 }
      : { ...blockOptions, trees: numberOption('trees', blockOptions.trees) }
  const isWriting = size === 'full' && process.argv.includes('--write')
  const final = isWriting ? trained(pages, options) : undefined
  if (final !== undefined) writeWeights(final, typeScaleList)
  const foldCount = size === 'small' ? 3 : numberOption('folds', 5)
  if (foldCount === 0) return { rows: [], check: 0 }
  const folds = siteFolds(pages, foldCount, 7)
  const judged: Judged[] = []
  for (const [i, fold] of folds.entries()) {
    const model = trained(folds.filter((other) => other !== fold).flat(), options)
    judged.push(...judgedBy(model, fold))
    tell(
      `fold ${i + 1} of ${folds.length}: F1 ${meanF1(judged, evenScales).toFixed(4)} with the same scale for all types`,
    )
  }
  const scales = chosenScales(judged)
  tell(`F1 ${meanF1(judged, scales).toFixed(4)} with scales ${scales.join(' ')}`)
  if (final !== undefined) writeWeights(final, scales)
  const rows = [...pageTypes, 'all'].map((type) => rowOf(type, judged, scales))
  return { rows, check: Math.round(1e6 * meanF1(judged, scales)) }
}

const evenScales = pageTypes.map(() => 1)

function trained(pages: readonly LabelledPage[], options: BoostingOptions): Trained {
  const rows = trainingRows(pages, 3)
  const blocks = rounded(trainedForest(rows, featureCount, options))
  const pageRows = [...rows].map(([page, row]) => pageRow(row, wordCounts(page), page.labels.length))
  const values = new Float32Array(pageRows.length * featureCount)
  for (const [i, row] of pageRows.entries()) values.set(row, i * featureCount)
  const types = pageTypes.map((type) =>
    rounded(
      boosted(
        {
          rows: pages.length,
          features: featureCount,
          values,
          labels: Float32Array.from(rows.keys(), (page) => Number(page.type === type)),
          weights: new Float32Array(pages.length).fill(1),
        },
        typeOptions,
      ),
    ),
  )
  return { lists: evidenceLists(pages), blocks, types }
}

/** As it will be when it is read from the file. */
function rounded(forest: Forest): Forest {
  return unpackedForest(packedForest(forest))
}

function wordCounts({ blockWords }: LabelledPage): Int32Array {
  return Int32Array.from(blockWords, ({ length }) => length)
}

function judgedBy({ lists, blocks, types }: Trained, pages: readonly LabelledPage[]): Judged[] {
  return [...rowsOf(pages, evidenceOf(lists))].map(([page, rows]) => {
    const count = page.labels.length
    const probability = Float32Array.from({ length: count }, (_, block) =>
      logistic(forestSum(blocks, rows, block * featureCount)),
    )
    const row = pageRow(rows, wordCounts(page), count)
    const sums = types.map((forest) => forestSum(forest, row, 0))
    return { page, probability, type: sums.indexOf(Math.max(...sums)) }
  })
}

function scoreOf(
  { page, probability, type }: Judged,
  scales: readonly number[],
): ReturnType<typeof wordScore> {
  const taken = new Uint8Array(probability.length)
  selectBlocks(probability, wordCounts(page), probability.length, scales[type], taken)
  const seen = new Set<string>()
  const found: string[] = []
  for (const [block, words] of page.blockWords.entries()) {
    if (taken[block] === 0) continue
    const key = words.join(' ')
    if (words.length >= copyWordsMin && seen.has(key)) continue
    seen.add(key)
    found.push(...words)
  }
  return wordScore(found, page.expected)
}

function meanF1(judged: readonly Judged[], scales: readonly number[]): number {
  return judged.reduce((sum, each) => sum + scoreOf(each, scales).f1, 0) / judged.length
}

/** For each type that the model names, the scale with the best mean. */
function chosenScales(judged: readonly Judged[]): number[] {
  return pageTypes.map((_, type) => {
    const ofType = judged.filter((each) => each.type === type)
    let best = 1
    let highest = -1
    for (const scale of [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5]) {
      const f1 = meanF1(
        ofType,
        pageTypes.map(() => scale),
      )
      if (f1 > highest + 1e-4) {
        highest = f1
        best = scale
      }
    }
    return best
  })
}

function rowOf(
  type: string,
  judged: readonly Judged[],
  scales: readonly number[],
): Record<string, string | number> {
  const chosen = judged.filter(({ page }) => type === 'all' || page.type === type)
  const scores = chosen.map((each) => scoreOf(each, scales))
  const mean = (of: (score: (typeof scores)[number]) => number): number =>
    Math.round((1000 * scores.reduce((sum, score) => sum + of(score), 0)) / Math.max(1, scores.length)) / 1000
  const typed = chosen.filter((each) => pageTypes[each.type] === each.page.type).length
  return {
    type,
    pages: chosen.length,
    F1: mean(({ f1 }) => f1),
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    'type found': Math.round((1000 * typed) / Math.max(1, chosen.length)) / 1000,
  }
}

function writeWeights({ lists, blocks, types }: Trained, scales: readonly number[]): void {
  const line = (name: string, text: string): string => `export const ${name} =\n  '${text}'\n`
  const text = [
    '/** Generated by `npm run bench -- content-training --write`; packed.ts has the form. */\n',
    line('wordsText', packedWords(lists.words.keys, lists.words.weights)),
    line('classWordsText', packedWords(lists.classes.keys, lists.classes.weights)),
    line('blockForestText', packedForest(blocks)),
    `export const typeForestTexts: readonly string[] = [\n${types.map((forest) => `  '${packedForest(forest)}',\n`).join('')}]\n`,
    `export const typeScaleList: readonly number[] = [${scales.join(', ')}]\n`,
  ].join('')
  writeFileSync('src/web/content/weights.ts', text)
  tell(`src/web/content/weights.ts: ${text.length} bytes`)
}

await benchmarkMain(import.meta.url, contentTrainingBenchmark)
