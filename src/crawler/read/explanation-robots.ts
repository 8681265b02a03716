/**
 * Finds the line of a robots.txt that disallows a page. The parser only answers yes or no. So each matching
 * line is tested alone, with all other rules emptied, and the longest one that disallows the page is
 * reported: the most specific rule decides (RFC 9309, 2.2.2), and if a longer rule allowed the page, it would
 * not be disallowed.
 */
import { robotsOfStatus } from '../../web/robots/robots-answer.ts'
import { parseRobots } from '../../web/robots/robots-file.ts'
import { robotsLines, type RobotsLine } from '../../web/robots/robots-lines.ts'
import { matches, readPath, readPattern } from '../../web/robots/robots-pattern.ts'
import { robotsBytes } from '../desk/robots-cache.ts'
import type { RobotsRecord } from '../record/group.ts'

export interface RobotsVerdict {
  /** When robots.txt was fetched; undefined if it is not stored. */
  readonly readAt?: string | undefined
  readonly status?: number | undefined
  /** Whether the stored file disallows the page. */
  readonly forbids: boolean
  /** `Disallow: /private/`, and the user agents that it applies to. */
  readonly rule?: string | undefined
  readonly agents?: readonly string[] | undefined
}

export function robotsVerdict(
  record: RobotsRecord | undefined,
  pathAndQuery: string,
  userAgent: string,
): RobotsVerdict {
  if (record === undefined) return { forbids: false }
  const { status } = record
  const read = { readAt: new Date(1000 * record.at).toISOString(), status }
  const answer = robotsOfStatus(status)
  if (answer !== 'parse') return { ...read, forbids: answer === 'disallow-all' }
  if (parseRobots(robotsBytes(record), userAgent).allows(pathAndQuery)) return { ...read, forbids: false }
  const lines = [...robotsLines(robotsBytes(record))]
  const path = readPath(pathAndQuery)
  let best: { index: number; octets: number } | undefined
  lines.forEach(({ key, value }, index) => {
    if (key !== 'disallow' || value === '') return
    const pattern = readPattern(value)
    if (pattern.octets <= (best?.octets ?? -1) || !matches(pattern, path)) return
    if (!parseRobots(withOneRule(lines, index), userAgent).allows(pathAndQuery)) {
      best = { index, octets: pattern.octets }
    }
  })
  if (best === undefined) return { ...read, forbids: true }
  const { index } = best
  return {
    ...read,
    forbids: true,
    rule: `Disallow: ${shown(lines[index].value)}`,
    agents: agentsOf(lines, index),
  }
}

/** Rules without a value still end a group's list of agents, and disallow nothing. */
function withOneRule(lines: readonly RobotsLine[], index: number): Uint8Array {
  const text = lines.map(({ key, value }, i) => {
    const isEmptied = (key === 'allow' || key === 'disallow') && i !== index
    return `${key}: ${isEmptied ? '' : value}\n`
  })
  return Buffer.from(text.join(''), 'latin1')
}

/** The agents named before the group of rules that contains this one. */
function agentsOf(lines: readonly RobotsLine[], index: number): string[] {
  const agents: string[] = []
  for (let i = index; i >= 0; i--) {
    const { key, value } = lines[i]
    if (key === 'user-agent') agents.unshift(shown(value))
    else if (agents.length > 0 && (key === 'allow' || key === 'disallow')) break
  }
  return agents
}

/** Lines are bytes, one per character. */
function shown(value: string): string {
  return Buffer.from(value, 'latin1').toString()
}
