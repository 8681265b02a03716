/** The thread of a user's scorer; scores one page at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { importModule, thrown } from './user-module.ts'
import { notANumber, type ScoredPage } from './page-scorer.ts'

export type ToScorer = { readonly id: number; readonly page: ScoredPage }
export type FromScorer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'scored'; readonly id: number; readonly score: number }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string }

const { path } = workerData as { path: string }
const tell = (message: FromScorer): void => parentPort?.postMessage(message)

type Score = (page: ScoredPage) => unknown

try {
  const module = await importModule(path)
  const score = (module['default'] ?? module['score']) as Score | undefined
  if (typeof score !== 'function')
    throw new Error('it does not export a function; expected a default export (page) => number')
  parentPort?.on('message', ({ id, page }: ToScorer) => void answer(score, id, page))
  tell({ kind: 'ready' })
} catch (error) {
  tell({ kind: 'unusable', why: thrown(error) })
}

async function answer(score: Score, id: number, page: ScoredPage): Promise<void> {
  try {
    const given = await score(page)
    const why = notANumber(given)
    if (why === undefined) tell({ kind: 'scored', id, score: given as number })
    else tell({ kind: 'failed', id, why })
  } catch (error) {
    tell({ kind: 'failed', id, why: thrown(error) })
  }
}
