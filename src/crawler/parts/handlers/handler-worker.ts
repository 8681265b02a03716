/** A thread of a user's page handler; handles one page at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import type { PageHandler } from '../../../engine/user-code/page-handler.ts'
import { importModule, thrown } from '../../../engine/user-code/user-module.ts'
import type { CanonicalRules } from '../../../web/url/canonical-rules.ts'
import { decisionOf, type HandlerInput } from './handled-page.ts'
import { failedDecision, type PageDecision } from './page-handling.ts'

export type FromHandler =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'handled'; readonly decision: PageDecision }

export interface HandlerWorkerData {
  readonly path: string
  readonly rules: CanonicalRules
}

const { path, rules } = workerData as HandlerWorkerData
const tell = (message: FromHandler): void => parentPort?.postMessage(message)

try {
  const module = await importModule(path)
  const handler = (module['default'] ?? module['onPage']) as PageHandler | undefined
  if (typeof handler !== 'function')
    throw new Error('it does not export a function; expected a default export (page) => items')
  parentPort?.on('message', (input: HandlerInput) => {
    void decisionOf(handler, input, rules)
      .catch((error: unknown) => failedDecision(thrown(error)))
      .then((decision) => tell({ kind: 'handled', decision }))
  })
  tell({ kind: 'ready' })
} catch (error) {
  tell({ kind: 'unusable', why: thrown(error) })
}
