/** The claims of the slides on RankMass (Cho and Schonfeld 2007). */
import { fixed, grouped } from '../lib/amounts.ts'
import type { Claim } from './claims.ts'

interface Downloads {
  /** For a guaranteed RankMass of 0.98; null if it was never reached. */
  readonly guaranteed: number | null
  /** Until 0.98 was truly held. */
  readonly true: number | null
}

export interface RankMassResults {
  /** By algorithm; windows as `windowed-rankmass 10%`. */
  readonly downloads: Readonly<Record<string, Downloads>>
  readonly optimal: number | null
  /** At the ends of levels: true RankMass minus 1 − d^(L+1). */
  readonly margins: readonly number[]
  /** The largest difference between what was guaranteed and what was truly held, over all crawls and downloads. */
  readonly excess: number
  /** The steps of L-Neighbor, then of windows of 20, 10 and 5%. */
  readonly iterations: readonly number[]
}

const text = (downloads: number | null): string => (downloads === null ? 'never' : grouped(downloads))
const order = (downloads: number | null): number => downloads ?? Infinity
const window = 'windowed-rankmass 10%'

function ascending(results: RankMassResults, which: keyof Downloads, names: readonly string[]) {
  const counts = names.map((name) => results.downloads[name][which])
  return {
    here: names.map((name, i) => `${name} ${text(counts[i])}`).join(', '),
    holds: counts.every((count, i) => i === 0 || order(counts[i - 1]) < order(count)),
  }
}

/** Times as many downloads as the best order needs. */
function ratio({ downloads, optimal }: RankMassResults, which: keyof Downloads): number {
  return (downloads['rankmass'][which] ?? NaN) / (optimal ?? NaN)
}

export const rankMassClaims: readonly Claim<RankMassResults>[] = [
  {
    place: 'RankMass Lower Bound',
    claim: 'The pages within L links of the trusted pages hold at least 1 − d^(L+1)',
    rule: 'at the end of every level',
    judge: ({ margins }) => ({
      here: `smallest margin ${fixed(Math.min(...margins), 4)}, of ${margins.length} levels`,
      holds: margins.every((margin) => margin > -1e-9),
    }),
  },
  {
    place: 'Metrics Of Evaluation',
    claim: 'What is known to have been collected is a lower bound of what was',
    rule: 'guaranteed ≤ true after every download that is listed, for all algorithms',
    judge: ({ excess }) => ({
      here: `largest excess ${excess <= 0 ? '0' : excess.toPrecision(2)}`,
      holds: excess < 1e-9,
    }),
  },
  {
    place: 'Algorithm Efficiency',
    claim: 'For a guarantee of 0.98, RankMass needs the fewest downloads, then windows, then L-Neighbor',
    rule: 'in this order',
    judge: (results) => ascending(results, 'guaranteed', ['rankmass', window, 'l-neighbor']),
  },
  {
    place: 'Algorithm Efficiency',
    claim: 'The same for 0.98 truly held',
    rule: 'in this order',
    judge: (results) => ascending(results, 'true', ['rankmass', window, 'l-neighbor']),
  },
  {
    place: 'Algorithm Efficiency',
    claim: 'RankMass truly holds 0.98 after hardly more downloads than the best order (1.03 times)',
    rule: 'at most 1.1 times',
    judge: (results) => ({
      here: `${fixed(ratio(results, 'true'), 2)} times`,
      holds: ratio(results, 'true') <= 1.1,
    }),
  },
  {
    place: 'Algorithm Efficiency',
    claim: 'The proof costs RankMass 4.8 times the downloads of the best order',
    rule: 'at most 4.8 times',
    judge: (results) => ({
      here: `${fixed(ratio(results, 'guaranteed'), 1)} times`,
      holds: ratio(results, 'guaranteed') <= 4.84,
    }),
  },
  {
    place: 'Window Size',
    claim: 'The smaller the window, the fewer downloads a guarantee takes',
    rule: '5%, 10% and 20% ascending, for 0.98',
    judge: (results) =>
      ascending(
        results,
        'guaranteed',
        [5, 10, 20].map((percent) => `windowed-rankmass ${percent}%`),
      ),
  },
  {
    place: 'Algorithm Running Time',
    claim: 'L-Neighbor takes the fewest iterations; smaller windows take more (13, 44, 85, 167)',
    rule: 'L-Neighbor, 20%, 10% and 5% ascending',
    judge: ({ iterations }) => ({
      here: iterations.map(grouped).join(', '),
      holds: iterations.every((count, i) => i === 0 || iterations[i - 1] < count),
    }),
  },
]
