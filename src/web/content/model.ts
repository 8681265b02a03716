/** The trained models, unpacked from the generated file that `npm run bench -- content-training` writes. */
import { unpackedForest, unpackedWords } from './packed.ts'
import { blockForestText, classWordsText, typeForestTexts, typeScaleList, wordsText } from './weights.ts'
import type { Forest } from './trees.ts'
import type { Evidence } from './word-weights.ts'

export const pageTypes = [
  'article',
  'documentation',
  'service',
  'forum',
  'collection',
  'listing',
  'product',
] as const
export type PageType = (typeof pageTypes)[number]

export interface Model {
  readonly evidence: Evidence
  readonly blocks: Forest
  /** In the order of `pageTypes`. */
  readonly types: readonly Forest[]
  /** By page type: how much more than the expected best is taken (selection.ts). */
  readonly scales: readonly number[]
}

let model: Model | undefined

/** Unpacked on first use. */
export function trainedModel(): Model {
  return (model ??= {
    evidence: { words: unpackedWords(wordsText), classes: unpackedWords(classWordsText) },
    blocks: unpackedForest(blockForestText),
    types: typeForestTexts.map(unpackedForest),
    scales: typeScaleList,
  })
}
