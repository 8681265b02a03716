/** Handler threads for all shards of a worker: threads of their own would be as many as shards. */
import type { CanonicalRules } from '../../../web/url/canonical-rules.ts'
import { HandlerThreads } from './handler-threads.ts'
import type { PageHandling } from './page-handling.ts'

interface SharedThreads {
  readonly threads: Promise<HandlerThreads>
  users: number
}

interface SharedOptions {
  readonly threads: number
  readonly secondsMax: number
  readonly rules: CanonicalRules
  readonly movesBodies: boolean
}

const shared = new Map<string, SharedThreads>()

/** The threads of this module; they end when the last user closes. Rejects if the module cannot be loaded. */
export async function sharedThreads(path: string, options: SharedOptions): Promise<PageHandling> {
  const key = JSON.stringify([path, options])
  const entry = shared.get(key) ?? { threads: HandlerThreads.open(path, options), users: 0 }
  shared.set(key, entry)
  entry.users++
  const leave = (): boolean => --entry.users === 0 && shared.delete(key)
  const threads = await entry.threads.catch((error: unknown) => {
    leave()
    throw error
  })
  return {
    handle: (input) => threads.handle(input),
    full: () => threads.full(),
    // The other shards go on. A shard that ends drops the decisions about its pages.
    abort: () => {},
    close: async () => (leave() ? threads.close() : undefined),
  }
}
