/**
 * Which pages are rendered, in `auto`. Pages of one kind (web/traps/page-kind.ts) that look the same are tested together: is the share
 * of them that gain by rendering 5% or 30%? That is Wald's sequential test, with an error of 5% on both sides. A kind that never gains is
 * decided after 10 samples, one that always gains after 2, any after 24 at the latest.
 *
 * Plain pages are not sampled but audited, at random: a few of each site. An audit that gains starts the test of its kind.
 */
import type { StateCodec } from '../../../lib/state.ts'
import type { Look } from './evidence.ts'

/** Why a page was rendered. `kind`: others of its kind gained. `again`: a check of a kind that was decided against. */
export const reasons = ['asked', 'sample', 'kind', 'audit', 'again'] as const
export type Reason = (typeof reasons)[number]

const withGain = Math.log(0.3 / 0.05)
const withoutGain = Math.log(0.7 / 0.95)
const decidedAt = Math.log(0.95 / 0.05)
const samplesMax = 24
const shellStart = 1.5
const siteShiftMax = 1.5
const checkedShare = 1 / 64
/** Of the first plain pages of a site, and of the others. */
const auditedFirst = { pages: 100, share: 3 / 100 }
const auditedShare = 1 / 256

const undecided = 0
const rendered = 1
const plain = 2

interface Kind {
  score: number
  samples: number
  verdict: typeof undecided | typeof rendered | typeof plain
}

interface Site {
  /** Plain pages so far. */
  plain: number
  /** Sum and number of the verdicts of its kinds: 1 for each that is rendered, -1 for each that is not. */
  balance: number
  decided: number
}

export class KindTests {
  readonly #kinds = new Map<string, Kind>()
  readonly #sites = new Map<string, Site>()

  /** Why this page is to be rendered; undefined: it is not. `chance`: a number of its URL from 0 to 1. */
  reasonFor(kind: string, host: string, look: Look, chance: number): Reason | undefined {
    const known = this.#kinds.get(keyOf(kind, look))
    if (known?.verdict === rendered) return 'kind'
    if (known?.verdict === plain) return chance < checkedShare ? 'again' : undefined
    if (known !== undefined || look !== 'plain') return 'sample'
    const before = this.#sites.get(host)?.plain ?? 0
    return chance < (before < auditedFirst.pages ? auditedFirst.share : auditedShare) ? 'audit' : undefined
  }

  /** A page was rendered. */
  sampled(kind: string, host: string, look: Look, reason: Reason, hasGained: boolean): void {
    if (look === 'plain') this.#siteOf(host).plain++
    if (reason === 'asked' || (reason === 'audit' && !hasGained)) return
    const key = keyOf(kind, look)
    const known = this.#kinds.get(key)
    const test = known ?? { score: this.#start(host, look), samples: 0, verdict: undecided }
    if (known === undefined) this.#kinds.set(key, test)
    test.samples++
    test.score += hasGained ? withGain : withoutGain
    if (test.verdict === undecided) {
      if (Math.abs(test.score) >= decidedAt || test.samples >= samplesMax)
        this.#decide(test, host, test.score > 0)
      return
    }
    // A decided kind changes its verdict if as much speaks against it as was needed for it.
    test.score = Math.min(decidedAt, Math.max(-decidedAt, test.score))
    if (test.verdict === plain ? test.score >= decidedAt : test.score <= -decidedAt)
      this.#decide(test, host, test.score > 0)
  }

  /** A plain page was not rendered. */
  passed(host: string): void {
    this.#siteOf(host).plain++
  }

  /** For people. */
  verdictOf(
    kind: string,
    look: Look,
  ): { verdict: 'open' | 'rendered' | 'static'; samples: number } | undefined {
    const known = this.#kinds.get(keyOf(kind, look))
    if (known === undefined) return undefined
    return { verdict: (['open', 'rendered', 'static'] as const)[known.verdict], samples: known.samples }
  }

  /** A new kind starts where the decided kinds of its site point to. */
  #start(host: string, look: Look): number {
    const { balance, decided } = this.#siteOf(host)
    const shift = decided === 0 ? 0 : siteShiftMax * (balance / decided)
    return shift + (look === 'shell' ? shellStart : 0)
  }

  #decide(test: Kind, host: string, isRendered: boolean): void {
    const site = this.#siteOf(host)
    if (test.verdict === undecided) site.decided++
    else site.balance -= test.verdict === rendered ? 1 : -1
    test.verdict = isRendered ? rendered : plain
    site.balance += isRendered ? 1 : -1
  }

  #siteOf(host: string): Site {
    const known = this.#sites.get(host)
    if (known !== undefined) return known
    const site = { plain: 0, balance: 0, decided: 0 }
    this.#sites.set(host, site)
    return site
  }

  transfer(state: StateCodec): void {
    state.section('render-kinds', 1)
    const kinds = [...this.#kinds]
    const keys = state.texts(kinds.map(([key]) => key))
    const kindNumbers = state.array(
      Float64Array.from(kinds.flatMap(([, { score, samples, verdict }]) => [score, samples, verdict])),
    )
    const sites = [...this.#sites]
    const hosts = state.texts(sites.map(([host]) => host))
    const siteNumbers = state.array(
      Float64Array.from(sites.flatMap(([, site]) => [site.plain, site.balance, site.decided])),
    )
    if (!state.isReading) return
    this.#kinds.clear()
    this.#sites.clear()
    keys.forEach((key, i) => {
      const [score, samples, verdict] = kindNumbers.subarray(3 * i, 3 * i + 3)
      this.#kinds.set(key, { score, samples, verdict: verdict as Kind['verdict'] })
    })
    hosts.forEach((host, i) => {
      const [before, balance, decided] = siteNumbers.subarray(3 * i, 3 * i + 3)
      this.#sites.set(host, { plain: before, balance, decided })
    })
  }
}

function keyOf(kind: string, look: Look): string {
  return `${look} ${kind}`
}
