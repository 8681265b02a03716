/** Handler threads for all shards of a worker: threads of their own would be as many as shards. */
import { SharedUse } from '../../../lib/shared-use.ts'
import type { CanonicalRules } from '../../../web/url/canonical-rules.ts'
import { HandlerThreads } from './handler-threads.ts'
import type { PageHandling } from './page-handling.ts'

interface SharedOptions {
  readonly threads: number
  readonly secondsMax: number
  readonly rules: CanonicalRules
  readonly movesBodies: boolean
}

const shared = new SharedUse<HandlerThreads>((threads) => threads.close())

/** The threads of this module; they end when the last user closes. Rejects if the module cannot be loaded. */
export async function sharedThreads(path: string, options: SharedOptions): Promise<PageHandling> {
  const key = JSON.stringify([path, options])
  const { value: threads, leave } = await shared.use(key, () => HandlerThreads.open(path, options))
  return {
    handle: (input) => threads.handle(input),
    full: () => threads.full(),
    // The other shards go on. A shard that ends drops the decisions about its pages.
    abort: () => {},
    close: leave,
  }
}
