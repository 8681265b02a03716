/**
 * The pages of a crawl that say what another one said before, gathered around the page that said it first. What is
 * recorded is one step (a copy of a page that itself is nearly the same as a third); a cluster has all of them.
 */
import { callback, checkOptions, ofKind, type OptionChecks } from '../lib/option-checks.ts'
import { silent, type Progress } from '../lib/progress.ts'
import { whole } from '../lib/value-kinds.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { isFetched } from '../record/page-totals.ts'

/** body: byte for byte. text: what is between the tags, but for white space and case. near: most of it. */
export const copyKinds = ['body', 'text', 'near'] as const
export type CopyKind = (typeof copyKinds)[number]

export interface Copy {
  readonly url: string
  readonly kind: CopyKind
  /** Of the texts, to the page that it was found to be like; 1 but for near ones. */
  readonly similarity: number
}

export interface Cluster {
  /** The URL of the page that came first. */
  readonly original: string
  /** Pages of the cluster, the original included. */
  readonly size: number
  /** By page, at most as many as were asked for. */
  readonly copies: readonly Copy[]
}

export interface Duplicates {
  /** Pages that were asked for and came. */
  readonly pages: number
  /** Copies of each kind, in all clusters. */
  readonly copies: Readonly<Record<CopyKind, number>>
  readonly clusterCount: number
  /** The largest first, at most as many as were asked for. */
  readonly clusters: readonly Cluster[]
}

export interface DuplicatesOptions {
  /** The largest clusters, at most this many; all unless given. */
  readonly clusters?: number | undefined
  /** Copies listed of each cluster, at most; all unless given. */
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

/** Gathers the steps, told by page, around the pages where they end. */
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

/** The page where the steps from this one end. They lead to pages that came before: they do end. */
export function originalOf(page: number, steps: ReadonlyMap<number, Pick<Step, 'to'>>): number {
  let at = page
  for (let step = steps.get(at); step !== undefined; step = steps.get(at)) at = step.to
  return at
}
