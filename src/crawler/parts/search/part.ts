/** Search: full-text search in the pages of a crawl, with an index in its folder. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../../lib/worker-entry.ts'
import type { Part, WorkBeside } from '../part.ts'
import { indexOptions } from './options.ts'

declare module '../../read/verify/findings.ts' {
  interface PartFiles {
    readonly 'search index': true
  }
}

export const search: Part = {
  name: 'search',
  options: indexOptions,
  beside: ({ path, settings: { index = false }, isArchived }) =>
    index && isArchived ? indexThread(path) : undefined,
  shows: {
    files: {
      name: 'search index',
      async check(findings, crawl, options) {
        const { checkSearchIndex } = await import('./index-check.ts')
        checkSearchIndex(findings, crawl, options)
      },
    },
    async search(path, words, limit) {
      const { search: found } = await import('./search.ts')
      return found(path, words, { limit })
    },
  },
}

/**
 * Keeps the index of a running crawl up to date. The index is an optimisation: if the thread fails, the crawl
 * continues, and the next search builds what is missing.
 */
function indexThread(path: string): WorkBeside {
  const worker = new Worker(workerEntry(import.meta.url, './index-worker'), {
    ...threadOptions(process),
    workerData: path,
  })
  worker.on('error', () => {})
  const ended = once(worker, 'exit').catch(() => {})
  return {
    async finish() {
      worker.postMessage('finish')
      await ended
    },
    async stop() {
      await worker.terminate()
    },
  }
}
