/**
 * Clusters of duplicate pages of a crawl, each around the page that was fetched first. The record has single
 * steps (a copy of a page that is itself a near-duplicate of a third); a cluster combines them.
 */
import { callback, checkOptions, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { whole } from '../../lib/value-kinds.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { isFetched } from '../record/outcome-record.ts'

/** body: byte for byte. text: equal text, ignoring white space and case. near: most of the text. */
const copyKinds = ['body', 'text', 'near'] as const
export type CopyKind = (typeof copyKinds)[number]

export interface Copy {
  readonly url: string
  readonly kind: CopyKind
  /** Similarity of the texts to that of the matched page; below 1 only for near duplicates. */
  readonly similarity: number
}

export interface Cluster {
  /** The URL of the page fetched first. */
  readonly original: string
  /** Number of pages in the cluster, including the original. */
  readonly size: number
  /** By page, up to the requested number. */
  readonly copies: readonly Copy[]
}

export interface Duplicates {
  /** Number of pages requested and fetched. */
  readonly pages: number
  /** Number of copies of each kind, in all clusters. */
  readonly copies: Readonly<Record<CopyKind, number>>
  readonly clusterCount: number
  /** The largest first, up to the requested number. */
  readonly clusters: readonly Cluster[]
}

export interface DuplicatesOptions {
  /** Maximum number of clusters, the largest first; default: all. */
  readonly clusters?: number | undefined
  /** Maximum number of copies listed per cluster; default: all. */
  readonly members?: number | undefined
  readonly progress?: Progress | undefined
}

const checks: OptionChecks<DuplicatesOptions> = {
  clusters: ofKind(whole(0)),
  members: ofKind(whole(0)),
  progress: callback,
}

interface Step {
  readonly to: number
  readonly kind: CopyKind
  readonly similarity: number
}

/** Reads the clusters of the crawl in this folder, which may be running. */
export async function duplicates(path: string, options: DuplicatesOptions = {}): Promise<Duplicates> {
  checkOptions('duplicates', options, checks)
  const record = await CrawlFolder.open(path).readRecord()
  try {
    const { steps, pages } = readSteps(record, options.progress ?? silent)
    return { pages, ...clustersOf(steps, (page) => record.found(page).url, options) }
  } finally {
    record.close()
  }
}

function readSteps(
  crawl: CrawlRecord,
  progress: Progress,
): { readonly steps: Map<number, Step>; readonly pages: number } {
  const steps = new Map<number, Step>()
  let pages = 0
  for (const [page, record] of crawl.outcomes()) {
    const { duplicateOf, sameText, nearDuplicateOf, similarity = 1 } = record
    if (isFetched(record)) pages++
    if (duplicateOf !== undefined) {
      steps.set(page, { to: duplicateOf, kind: sameText === true ? 'text' : 'body', similarity: 1 })
    } else if (nearDuplicateOf !== undefined) {
      steps.set(page, { to: nearDuplicateOf, kind: 'near', similarity })
    }
    progress(pages, undefined, 'pages')
  }
  return { steps, pages }
}

/** Combines the steps, given by page, into clusters around their final pages. */
export function clustersOf(
  steps: ReadonlyMap<number, Step>,
  urlOf: (page: number) => string,
  { clusters: clustersMax = Infinity, members: copiesMax = Infinity }: DuplicatesOptions,
): Omit<Duplicates, 'pages'> {
  const copies = { body: 0, text: 0, near: 0 }
  const members = new Map<number, number[]>()
  for (const [page, { kind }] of steps) {
    copies[kind]++
    const original = originalOf(page, steps)
    const list = members.get(original)
    if (list === undefined) members.set(original, [page])
    else list.push(page)
  }
  const ranked = [...members].toSorted(
    ([one, ofOne], [other, ofOther]) => ofOther.length - ofOne.length || one - other,
  )
  const clusters = ranked.slice(0, clustersMax).map(([original, list]) => ({
    original: urlOf(original),
    size: list.length + 1,
    copies: list.slice(0, copiesMax).map((page) => {
      const { kind, similarity } = steps.get(page)!
      return { url: urlOf(page), kind, similarity }
    }),
  }))
  return { copies, clusterCount: members.size, clusters }
}

/** The final page of the steps from this one. Each step leads to an earlier page, so this terminates. */
export function originalOf(page: number, steps: ReadonlyMap<number, Pick<Step, 'to'>>): number {
  let at = page
  for (let step = steps.get(at); step !== undefined; step = steps.get(at)) at = step.to
  return at
}
