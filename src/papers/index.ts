/** The table of experiments. To add one, write its file and add it here; the shared cases then test it. */
import { RankwardError } from '../lib/errors.ts'
import { nearest } from '../lib/nearest.ts'
import { castillo } from './castillo.ts'
import { cho } from './cho.ts'
import type { Experiment } from './experiment.ts'
import { freshnessExperiment } from './freshness.ts'
import { frontiersExperiment } from './frontiers.ts'
import { ordersExperiment } from './orders.ts'
import { patienceExperiment } from './patience.ts'
import { rankMassExperiment } from './rankmass.ts'
import { spamExperiment } from './spam.ts'
import { strategiesExperiment } from './strategies.ts'

export const experiments: readonly Experiment[] = [
  strategiesExperiment,
  ordersExperiment,
  cho,
  castillo,
  rankMassExperiment,
  patienceExperiment,
  frontiersExperiment,
  spamExperiment,
  freshnessExperiment,
]

/** The experiment of this name, or all of them. */
export function experimentsNamed(name: string): readonly Experiment[] {
  if (name === 'all') return experiments
  const found = experiments.filter((experiment) => experiment.name === name)
  if (found.length > 0) return found
  const names = [...experiments.map((experiment) => experiment.name), 'all']
  const meant = nearest(name, names)
  const advice = meant === undefined ? `Known experiments: ${names.join(', ')}.` : `Did you mean ${meant}?`
  throw new RankwardError('USAGE', `There is no experiment "${name}". ${advice}`)
}
