/** Where a simulation starts. */
import { bestStart } from '../webgraph/best-start.ts'
import type { RecordedSite } from '../webgraph/recorded-site.ts'
import type { Web } from '../webgraph/web.ts'
import { firstPages } from './recrawl-choice.ts'
import type { PrepareOptions } from './simulated-web.ts'

interface StartOptions {
  readonly seeds?: readonly number[]
  readonly changes?: RecordedSite | undefined
}

/** At the given seeds, the first pages of recorded changes, or the page that reaches most. */
export function startOf(
  { graph }: Web,
  { seeds, changes }: StartOptions,
): Pick<PrepareOptions, 'seeds' | 'reached'> {
  if (seeds !== undefined) return { seeds }
  if (changes !== undefined) return { seeds: firstPages(changes) }
  const { seed, reached } = bestStart(graph)
  return { seeds: [seed], reached }
}
