/** The table of recrawl policies. To add one: write its file, and its line here. */
import type { RecrawlPolicy } from '../../recrawl-policy.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { nearest } from '../../../lib/nearest.ts'
import { adaptive } from './adaptive.ts'
import { changeSignals, greedy } from './greedy.ts'
import { knownRates } from './known-rates.ts'
import { mass } from './mass.ts'
import { optimal } from './optimal.ts'
import { pointEstimates } from './point-estimates.ts'
import { outdated, proportional } from './scanned.ts'
import type { RecrawlSetting } from './setting.ts'
import { uniform } from './uniform.ts'

interface RecrawlEntry {
  readonly name: string
  readonly about: string
  make(setting: RecrawlSetting): RecrawlPolicy
}

export const recrawlPolicies: readonly RecrawlEntry[] = [
  {
    name: 'greedy',
    about: 'the highest value of a fetch, new pages and refreshes alike; change rates are learnt',
    make(setting) {
      const { rateOf, estimator = 'bayes' } = setting
      if (rateOf !== undefined) return knownRates({ ...setting, rateOf })
      return estimator === 'bayes' ? greedy(setting) : pointEstimates(estimator, setting)
    },
  },
  {
    name: 'change-signals',
    about: 'greedy, with what sitemaps and feeds say (default)',
    make: changeSignals,
  },
  { name: 'mass', about: 'new pages, then the largest mass × (time since the last look)²', make: mass },
  { name: 'uniform', about: 'new pages, then the page looked at longest ago', make: uniform },
  { name: 'proportional', about: 'new pages, then the most changes expected', make: proportional },
  { name: 'outdated', about: 'the most mass expected to be out of date (Castillo 2004)', make: outdated },
  { name: 'adaptive', about: 'intervals that shrink and grow (Nutch, StormCrawler)', make: adaptive },
  { name: 'optimal', about: 'simulation only: optimal intervals from the true change rates', make: optimal },
]

export function recrawlPolicyOf(name: string, setting: RecrawlSetting = {}): RecrawlPolicy {
  const entry = recrawlPolicies.find((each) => each.name === name)
  if (entry !== undefined) return entry.make(setting)
  const names = recrawlPolicies.map((each) => each.name)
  const near = nearest(name, names)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new RankwardError(
    'USAGE',
    `There is no recrawl policy "${name}".${hint} Policies: ${names.join(', ')}.`,
  )
}
