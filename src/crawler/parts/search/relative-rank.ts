/** The lowest and the highest PageRank of all known pages. */
export interface RankRange {
  readonly lowest: number
  readonly highest: number
}

/** A PageRank on a logarithmic scale, from 0 for the lowest to 1 for the highest; 0 if all are equal. */
export function relativeRank(rank: number, { lowest, highest }: RankRange): number {
  const spread = Math.log(highest / lowest)
  return spread > 0 ? Math.log(rank / lowest) / spread : 0
}
