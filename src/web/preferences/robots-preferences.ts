/**
 * What a robots.txt says about the use of pages: Content-Usage and Content-Signal lines of the group for our agent, AI agents that may
 * not fetch a page, and the licence that it names. Parsed once for each origin.
 *
 * Rules are grouped as for fetching (robots-file.ts). A Content-Usage or Content-Signal line ends the list of agents before it, as the
 * draft has it, for such lines alone: which pages may be fetched does not depend on them. A line before the first group is for everyone.
 */
import { agentTokens, isEveryone, pathRules, productToken } from '../robots/robots-file.ts'
import { robotsLines, type RobotsLine } from '../robots/robots-lines.ts'
import { matches, readPath, readPattern, type RobotsPattern } from '../robots/robots-pattern.ts'
import { RobotsRules, type RobotsRule } from '../robots/robots-rules.ts'
import { aiAgents } from './known-signals.ts'
import { statement } from './statement.ts'

/** More lines with preferences are not read. */
const linesMax = 1000

interface UsageLine {
  readonly source: 'robots.txt content-usage' | 'robots.txt content-signal'
  readonly pattern: RobotsPattern
  readonly text: string
}

/** AI agents with the same rules. */
interface ClosedAgents {
  readonly names: readonly string[]
  readonly rules: RobotsRules
}

export class RobotsPreferences {
  /** The most specific first. */
  readonly #lines: readonly UsageLine[]
  readonly #agents: readonly ClosedAgents[]
  /** URLs of RSL licences, as written. */
  readonly licences: readonly string[]

  constructor(lines: readonly UsageLine[], agents: readonly ClosedAgents[], licences: readonly string[]) {
    this.#lines = lines.toSorted((a, b) => b.pattern.octets - a.pattern.octets)
    this.#agents = agents
    this.licences = licences
  }

  get isSilent(): boolean {
    return this.#lines.length + this.#agents.length + this.licences.length === 0
  }

  /** The statements about a path with its query. */
  statementsOf(pathAndQuery: string): string[] {
    if (this.isSilent) return []
    const path = readPath(pathAndQuery)
    const closed = this.#agents.flatMap(({ names, rules }) => (rules.allows(pathAndQuery) ? [] : names))
    return [
      ...this.#linesOf('robots.txt content-usage', path),
      ...this.#linesOf('robots.txt content-signal', path),
      ...(closed.length === 0 ? [] : [statement('robots.txt disallows', closed.toSorted().join(', '))]),
      ...this.licences.slice(0, 1).map((url) => statement('robots.txt license', url)),
    ]
  }

  /** Of the lines that match, those with the longest pattern. */
  #linesOf(source: UsageLine['source'], path: string): string[] {
    let octets = -1
    const found: string[] = []
    for (const { source: of, pattern, text } of this.#lines) {
      if (of !== source || pattern.octets < octets || !matches(pattern, path)) continue
      octets = pattern.octets
      found.push(statement(source, text))
    }
    return found
  }
}

const everyone = '*'
/** By the token in a user-agent line. */
const agentByToken = new Map(Object.keys(aiAgents).map((name) => [name.toLowerCase(), name]))
const everyPath = readPattern('/')

/** For the crawler with this product token or User-Agent. */
export function parseRobotsPreferences(robotsTxt: string | Uint8Array, userAgent: string): RobotsPreferences {
  const groups = new Groups(productToken(userAgent))
  for (const line of robotsLines(robotsTxt)) groups.take(line)
  return groups.preferences()
}

class Groups {
  readonly #token: string
  readonly #lines: (UsageLine & { readonly agents: ReadonlySet<string> | undefined })[] = []
  readonly #licences = new Set<string>()
  /** The rules of groups that name AI agents, and the groups of each agent. */
  readonly #rules: RobotsRule[][] = []
  readonly #groupsOf = new Map<string, number[]>()
  /** Agents of the rules that follow: names of AI agents. */
  #ruled = new Set<string>()
  /** Agents of the preferences that follow; undefined before the first group. */
  #signalled: Set<string> | undefined
  #isRuleSeen = false
  #isAnySeen = false
  /** Whether a group names our agent. */
  #isOurs = false

  constructor(token: string) {
    this.#token = token
  }

  take({ key, value }: RobotsLine): void {
    switch (key) {
      case 'user-agent':
        this.#address(value)
        break
      case 'allow':
      case 'disallow':
        this.#rule(key === 'allow', value)
        break
      case 'content-usage':
      case 'content-signal':
        this.#line(`robots.txt ${key}`, value)
        break
      case 'license':
        if (value !== '' && this.#licences.size < linesMax)
          this.#licences.add(Buffer.from(value, 'latin1').toString())
        break
      default:
    }
  }

  preferences(): RobotsPreferences {
    const us = this.#isOurs ? this.#token : everyone
    const lines = this.#lines.filter(({ agents }) => agents?.has(us) !== false)
    const shared = new Map<string, { readonly names: string[]; readonly groups: readonly number[] }>()
    for (const [name, groups] of this.#groupsOf) {
      const key = groups.join(' ')
      if (!shared.has(key)) shared.set(key, { names: [], groups })
      shared.get(key)!.names.push(name)
    }
    const agents = [...shared.values()].map(({ names, groups }) => ({
      names,
      rules: new RobotsRules(groups.flatMap((group) => this.#rules[group])),
    }))
    return new RobotsPreferences(lines, agents, [...this.#licences])
  }

  #address(value: string): void {
    if (this.#isRuleSeen) this.#ruled = new Set()
    if (this.#isAnySeen || this.#signalled === undefined) this.#signalled = new Set()
    this.#isRuleSeen = this.#isAnySeen = false
    if (isEveryone(value)) this.#signalled.add(everyone)
    for (const token of agentTokens(value)) {
      const agent = agentByToken.get(token)
      if (agent !== undefined) this.#ruled.add(agent)
      if (token !== this.#token || token === '') continue
      this.#isOurs = true
      this.#signalled.add(token)
    }
  }

  #rule(allow: boolean, path: string): void {
    const isFirst = !this.#isRuleSeen
    this.#isRuleSeen = this.#isAnySeen = true
    if (this.#ruled.size === 0) return
    if (isFirst) {
      for (const agent of this.#ruled) {
        if (!this.#groupsOf.has(agent)) this.#groupsOf.set(agent, [])
        this.#groupsOf.get(agent)!.push(this.#rules.length)
      }
      this.#rules.push([])
    }
    if (path !== '') this.#rules.at(-1)!.push(...pathRules(allow, path))
  }

  /** `/path train-ai=n`, or without a path. */
  #line(source: UsageLine['source'], value: string): void {
    this.#isAnySeen = true
    if (this.#lines.length >= linesMax) return
    const [, path, rest] = /^([/*]\S*)(?:[ \t]+(.*))?$/.exec(value) ?? []
    const pattern = path === undefined ? everyPath : readPattern(path)
    this.#lines.push({
      source,
      pattern,
      text: path === undefined ? value : (rest ?? ''),
      agents: this.#signalled,
    })
  }
}
