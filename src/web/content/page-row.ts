/** A page as one row of numbers, for the models of page types: means of its blocks' features, weighted by words. */
import { featureCount } from './feature-names.ts'

export function pageRow(rows: Float32Array, words: Int32Array, count: number): Float32Array {
  const row = new Float32Array(featureCount)
  let total = 0
  for (let block = 0; block < count; block++) {
    const weight = words[block]
    total += weight
    const start = block * featureCount
    for (let feature = 0; feature < featureCount; feature++) row[feature] += weight * rows[start + feature]
  }
  if (total > 0) for (let feature = 0; feature < featureCount; feature++) row[feature] /= total
  return row
}
