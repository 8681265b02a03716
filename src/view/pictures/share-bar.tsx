/**
 * A bar of the parts of a whole, with a legend. A part that is not in the whole can stand beside it. Parts are identified by
 * order, which is that of the legend, by colour and by pattern.
 */
import type { VNode } from 'preact'
import { certainPercent, partPercent } from '../../lib/amounts.ts'

/** The same part has the same colour everywhere. */
export type PartColour = 'held' | 'unspent' | 'robots' | 'failed' | 'scope' | 'waiting' | 'moving' | 'outside'

export interface SharePart {
  readonly name: string
  readonly colour: PartColour
  /** Share of the whole, from 0 to 1. */
  readonly share: number
  /** The share as displayed; by default in percent, that of the held part rounded down. */
  readonly percent?: string | undefined
  /** Where it is, after the share. */
  readonly hint: string
  /** Left out of the legend while it is nothing. */
  readonly isRare?: boolean | undefined
}

export interface ShareParts {
  /** What the bar shows, for screen readers. */
  readonly label: string
  readonly parts: readonly SharePart[]
  /** At the same scale. */
  readonly beside?: SharePart | undefined
}

const textOf = ({ percent, colour, share }: SharePart): string =>
  percent ?? (share === 0 ? '0%' : colour === 'held' ? certainPercent(share) : partPercent(share))

export function ShareBar({ label, parts, beside }: ShareParts): VNode {
  const isBeside = beside !== undefined && beside.share > 0
  const all = isBeside ? [...parts, beside] : parts
  const said = all
    .filter(({ share }) => share > 0)
    .map((part) => `${part.name} ${textOf(part)}`)
    .join(', ')
  return (
    <div class="importance">
      <div class="bars" role="img" aria-label={said === '' ? label : `${label}: ${said}`}>
        <div class="bar" style={{ flexGrow: isBeside ? rounded(Math.max(0.05, 1 - beside.share)) : 1 }}>
          {parts
            .filter(({ share }) => share > 0)
            .map((part) => (
              <Segment key={part.name} {...part} />
            ))}
        </div>
        {isBeside && (
          <div class="bar outside" style={{ flexGrow: rounded(beside.share) }}>
            <Segment {...beside} percent={textOf(beside)} share={1} />
          </div>
        )}
      </div>
      <ul class="legend">
        {all
          .filter(({ share, isRare }) => share > 0 || isRare !== true)
          .map((part) => (
            <li key={part.name} title={`${textOf(part)} ${part.hint}`}>
              <span class={`swatch is-${part.colour}`} aria-hidden="true" />
              <span class="name">{part.name}</span>
              <b>{textOf(part)}</b>
            </li>
          ))}
      </ul>
    </div>
  )
}

/** As long as its share. Factors with a sum below 1 would leave room. */
function Segment(part: SharePart): VNode {
  return (
    <span
      class={`segment is-${part.colour}`}
      title={`${part.name}: ${textOf(part)} ${part.hint}`}
      style={{ flexGrow: rounded(1000 * part.share) }}
    />
  )
}

const rounded = (value: number): number => Number(value.toPrecision(6))

interface SmallBarProps {
  /** Masses; undefined until they are computed. */
  readonly held?: number | undefined
  readonly resting?: number | undefined
  readonly kind?: string
}

/** The bar of a site or directory: which part of its mass is held. */
export function SmallBar({ held = 0, resting = 0, kind = '' }: SmallBarProps): VNode {
  const all = held + resting
  const name = `small-bar ${kind}`.trim()
  if (all === 0) return <span class={name} />
  return (
    <span class={name} title={`${certainPercent(held / all)} of its importance is held`}>
      <span class="segment is-held" style={{ flexGrow: rounded((1000 * held) / all) }} />
      <span class="segment is-waiting" style={{ flexGrow: rounded((1000 * resting) / all) }} />
    </span>
  )
}

/** The parts of the importance of a crawl, in the order of the bar; docs/theory/coverage.md defines them. Rare ones may be left out. */
const importanceParts = {
  held: { name: 'held', colour: 'held', hint: 'on fetched pages', isRare: false },
  robots: { name: 'robots.txt', colour: 'robots', hint: 'on pages that robots.txt disallows', isRare: false },
  failed: { name: 'failed', colour: 'failed', hint: 'on pages that failed for good', isRare: false },
  /** Where robots.txt and failures are not counted separately. */
  unobtainable: {
    name: 'robots.txt or failed',
    colour: 'failed',
    hint: 'on pages that robots.txt disallows or that failed for good',
    isRare: false,
  },
  scope: {
    name: 'refused by scope',
    colour: 'scope',
    hint: 'on pages that the scope excludes',
    isRare: true,
  },
  excluded: { name: 'excluded', colour: 'scope', hint: 'on pages that a limit excludes', isRare: true },
  moving: {
    name: 'between shards',
    colour: 'moving',
    hint: 'in messages, or about to be sent',
    isRare: false,
  },
  waiting: { name: 'waiting', colour: 'waiting', hint: 'on pages that wait', isRare: false },
  /** Beside the bar: what links out of scope would take if they counted. */
  outOfScope: {
    name: 'out of scope',
    colour: 'outside',
    hint: 'of the importance if links out of scope counted',
    isRare: true,
  },
} as const

/** Their shares; absent ones are not parts of this crawl's bar. */
type ImportanceShares = Readonly<Partial<Record<keyof typeof importanceParts, number | undefined>>>

/** Numbers of pages behind the part `waiting`, by cause. */
interface RestCounts {
  readonly waiting: number
  readonly temporary: number
  readonly unreachable: number
  readonly refusedByLimits: number
}

/** What is true of these pages: names, such as `waiting`, and clauses, such as `wait`. */
const restCauses: readonly (readonly [name: string, clause: string, count: (rest: RestCounts) => number])[] =
  [
    ['waiting', 'wait', ({ waiting }) => waiting],
    ['failed for now', 'failed for now', ({ temporary, unreachable }) => temporary + unreachable],
    ['over a limit', 'are over a limit', ({ refusedByLimits }) => refusedByLimits],
  ]

/** `waiting or failed for now`: the pages that no other part of the importance has. */
export function restWords(rest: RestCounts): { readonly name: string; readonly clause: string } {
  const causes = restCauses.filter(([, , count]) => count(rest) > 0)
  const shown = causes.length === 0 ? restCauses.slice(0, 1) : causes
  return {
    name: orList(shown.map(([name]) => name)),
    clause: orList(shown.map(([, clause]) => clause)),
  }
}

const orList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)!].filter((part) => part !== '').join(' or ')

/** `rest`: of the pages behind the part `waiting`; without, all of them wait. */
export function importanceBar(shares: ImportanceShares, rest?: RestCounts): ShareParts {
  const names = Object.keys(importanceParts) as (keyof typeof importanceParts)[]
  const parts = names.flatMap((name): SharePart[] => {
    const share = shares[name]
    if (share === undefined) return []
    if (name !== 'waiting' || rest === undefined) return [{ ...importanceParts[name], share }]
    const { name: shown, clause } = restWords(rest)
    return [{ ...importanceParts.waiting, name: shown, hint: `on pages that ${clause}`, share }]
  })
  const isBeside = ({ colour }: SharePart): boolean => colour === 'outside'
  return {
    label: 'Importance',
    parts: parts.filter((part) => !isBeside(part)),
    beside: parts.find(isBeside),
  }
}

/**
 * The style of bars of importance, in reports and on the dashboard. The page defines the colours: --held, --robots, --failed,
 * --scope, --waiting, --waiting-line, --outside, --card, --tint, --soft. The parts also differ in lightness and pattern, for people
 * who cannot distinguish the hues.
 */
export const shareBarStyle = `
.importance{display:grid;gap:0.6rem}
.bars{display:flex;gap:8px}
.bar{display:flex;gap:2px;flex:1 1 0;block-size:clamp(1.9rem,1.6rem + 0.8vw,2.75rem);border-radius:6px;overflow:clip;background:var(--tint);min-width:0}
.bar.outside{min-inline-size:10px;background:none}
.segment{flex:1 1 0;min-inline-size:3px;transition:flex-grow 0.5s}
.bar.outside .segment{border-radius:6px}
ul.legend{margin:0;display:flex;flex-wrap:wrap;gap:0.3rem 1.4rem;padding:0;list-style:none;font-size:0.875rem}
ul.legend li{display:inline-flex;align-items:center;gap:0.45rem}
ul.legend .name{color:var(--soft)}
.swatch{inline-size:0.85rem;block-size:0.85rem;border-radius:3px;flex:none}
.small-bar{display:flex;inline-size:100%;min-inline-size:4.5rem;block-size:0.6rem;border-radius:3px;overflow:clip;background:var(--tint)}
.small-bar .segment{min-inline-size:0}
.is-held{background:var(--held)}
.is-moving{background:repeating-linear-gradient(90deg,var(--waiting-line) 0 4px,var(--waiting) 4px 8px)}
.is-robots{background:repeating-linear-gradient(45deg,var(--robots) 0 5px,color-mix(in srgb,var(--robots) 65%,var(--card)) 5px 8px)}
.is-failed{background:repeating-linear-gradient(-45deg,var(--failed) 0 5px,color-mix(in srgb,var(--failed) 65%,var(--card)) 5px 8px)}
.is-scope{background:repeating-linear-gradient(90deg,var(--scope) 0 3px,color-mix(in srgb,var(--scope) 60%,var(--card)) 3px 6px)}
.is-waiting,.is-rest{background:var(--waiting)}
.is-outside{background:repeating-linear-gradient(45deg,transparent 0 5px,color-mix(in srgb,var(--outside) 50%,transparent) 5px 6px);box-shadow:inset 0 0 0 1.5px var(--outside)}
`
