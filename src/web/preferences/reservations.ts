/**
 * `/.well-known/tdmrep.json` (TDMRep): a list of rules, each with a pattern of paths and whether text and data mining is reserved
 * there. The first rule that matches a path counts.
 */
import { matches, readPath, readPattern, type RobotsPattern } from '../robots/robots-pattern.ts'
import { statement } from './statement.ts'

/** More rules are not read. */
const rulesMax = 1000

interface ReservationRule {
  readonly pattern: RobotsPattern
  readonly reservation: string
  readonly policy: string | undefined
}

export class Reservations {
  readonly #rules: readonly ReservationRule[]

  /** Anything but a list of rules has none. */
  constructor(json: string) {
    this.#rules = listOf(json).slice(0, rulesMax).flatMap(ruleOf)
  }

  statementsOf(pathAndQuery: string): string[] {
    const path = readPath(pathAndQuery)
    const rule = this.#rules.find(({ pattern }) => matches(pattern, path))
    if (rule === undefined) return []
    return [
      statement('tdmrep.json tdm-reservation', rule.reservation),
      ...(rule.policy === undefined ? [] : [statement('tdmrep.json tdm-policy', rule.policy)]),
    ]
  }
}

function listOf(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json.replace(/^\uFEFF/, ''))
    return Array.isArray(list) ? list : [list]
  } catch {
    return []
  }
}

function ruleOf(rule: unknown): ReservationRule[] {
  if (typeof rule !== 'object' || rule === null) return []
  const { location, 'tdm-reservation': reservation, 'tdm-policy': policy } = rule as Record<string, unknown>
  const reserved = String(reservation)
  if (typeof location !== 'string' || (reserved !== '0' && reserved !== '1')) return []
  const bytes = Buffer.from(location).toString('latin1')
  return [
    {
      pattern: readPattern(bytes),
      reservation: reserved,
      policy: typeof policy === 'string' ? policy : undefined,
    },
  ]
}
