/**
 * How well spam mass separates farms from honest pages, by the size of the trusted core. Gyöngyi, Berkhin,
 * Garcia-Molina and Pedersen, "Link Spam Detection Based on Mass Estimation", 2006.
 */
import { spamMass, spamSuspects, thresholdDefaults, type SpamMass } from '../webgraph/spam-mass.ts'
import type { Farms } from '../webgraph/synthetic/farms.ts'
import { hashId, unit } from '../lib/hash.ts'
import { grouped, percentOf } from '../lib/amounts.ts'
import type { Table } from '../view/report/report.ts'
import { listed } from './curves.ts'
import type { Trials } from './trials.ts'

const damping = 0.85
/** Shares of honest pages drawn as cores, in addition to the seed alone. */
const coreShares = [0.001, 0.01, 0.1]
/** Salt of the hash that draws them; salts below 9 have other uses. */
const coreSalt = 40

interface Core {
  readonly name: string
  readonly trust: Float64Array
}

export async function detectionTable(
  hijackedFrom: string,
  { trials, farms }: { trials: Trials; farms: Farms },
): Promise<Table> {
  const { graph } = trials.web
  const rows: (string | number)[][] = []
  const found: string[] = []
  for (const { name, trust } of cores(trials.seeds, farms, graph.pages)) {
    const mass = await spamMass(graph, { trust, damping })
    const { targets, boosting, honest } = byKind(mass, farms)
    const suspects = spamSuspects(mass)
    const isTarget = suspects.filter((page) => farms.isTarget(page)).length
    rows.push([
      name,
      trust.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0),
      median(targets),
      median(boosting),
      median(honest),
      aboveShare(targets, honest),
      isTarget,
      suspects.length - isTarget,
    ])
    found.push(`${percentOf(isTarget / farms.settings.farms)} with ${name}`)
  }
  const { rankMin, spamMin } = thresholdDefaults
  return {
    kind: 'table',
    id: `detection-${hijackedFrom}`,
    title: `Spam mass by trusted core, alliances, hijacked from ${hijackedFrom}`,
    columns: [
      { title: 'trusted' },
      { title: 'pages', numbering: 'count' },
      { title: 'targets', numbering: 'plain', group: 'median spam mass' },
      { title: 'boosting', numbering: 'plain', group: 'median spam mass' },
      { title: 'honest', numbering: 'plain', group: 'median spam mass' },
      { title: 'above', numbering: 'share' },
      { title: 'targets', numbering: 'count', group: 'suspects' },
      { title: 'others', numbering: 'count', group: 'suspects' },
    ],
    rows,
    caption: `Suspects by the paper’s rule (PageRank of at least ${rankMin} times the minimum and spam mass of at least ${spamMin}) among the ${grouped(farms.settings.farms)} targets: ${listed(found)}. Honest pages are those with a PageRank as high. Above: how often a random target has more spam mass than a random honest page.`,
  }
}

function cores(seeds: readonly number[], farms: Farms, pages: number): Core[] {
  const weights = (isTrusted: (page: number) => boolean): Float64Array =>
    Float64Array.from({ length: pages }, (_, page) => (isTrusted(page) ? 1 : 0))
  const start = new Set(seeds)
  return [
    { name: 'the start', trust: weights((page) => start.has(page)) },
    ...coreShares.map((share) => ({
      name: `${percentOf(share)} of honest pages`,
      trust: weights(
        (page) => start.has(page) || (!farms.isFarmPage(page) && unit(hashId(page, coreSalt)) < share),
      ),
    })),
  ]
}

/** Spam masses, ascending; of honest pages only those whose rank is high enough for a suspect. */
function byKind(
  { rank, relative }: SpamMass,
  farms: Farms,
): { targets: number[]; boosting: number[]; honest: number[] } {
  const targets: number[] = []
  const boosting: number[] = []
  const honest: number[] = []
  relative.forEach((mass, page) => {
    if (farms.isTarget(page)) targets.push(mass)
    else if (farms.isFarmPage(page)) boosting.push(mass)
    else if (rank[page] >= thresholdDefaults.rankMin) honest.push(mass)
  })
  for (const masses of [targets, boosting, honest]) masses.sort((a, b) => a - b)
  return { targets, boosting, honest }
}

const median = (ascending: readonly number[]): number => ascending[Math.floor(ascending.length / 2)] ?? 0

/**
 * The probability that the first exceeds the second, ties counted half: the area under the ROC curve. Both
 * ascending.
 */
function aboveShare(first: readonly number[], second: readonly number[]): number {
  if (first.length === 0 || second.length === 0) return 0
  let below = 0
  let notAbove = 0
  let sum = 0
  for (const value of first) {
    while (below < second.length && second[below] < value) below++
    while (notAbove < second.length && second[notAbove] <= value) notAbove++
    sum += (below + notAbove) / 2
  }
  return sum / (first.length * second.length)
}
