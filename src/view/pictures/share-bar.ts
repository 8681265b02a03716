/**
 * A bar of the parts of a whole, with a legend. A part that is not in the whole can stand beside it. Parts are identified by
 * order, which is that of the legend, by colour and by pattern.
 */
import { certainPercent, partPercent } from './amounts.ts'
import { styled, tag, type Tag } from './tags.ts'

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

export interface ShareBar {
  /** What the bar shows, for screen readers. */
  readonly label: string
  readonly parts: readonly SharePart[]
  /** At the same scale. */
  readonly beside?: SharePart | undefined
}

/** The parts of the importance of a crawl; docs/coverage.md defines them. */
interface ImportanceParts {
  readonly held: number
  readonly robots: number
  readonly failed: number
  readonly scope: number
  readonly waiting: number
  /** robots.txt and failures together, where they are not counted separately. */
  readonly unobtainable?: number | undefined
  /** Beside the bar. */
  readonly outOfScope?: number | undefined
}

export function importanceBar(parts: ImportanceParts): ShareBar {
  const { held, robots, failed, scope, waiting, unobtainable, outOfScope = 0 } = parts
  return {
    label: 'Importance',
    parts: [
      { name: 'held', colour: 'held', share: held, hint: 'on fetched pages' },
      ...(unobtainable === undefined
        ? ([
            {
              name: 'robots.txt',
              colour: 'robots',
              share: robots,
              hint: 'on pages that robots.txt disallows',
            },
            { name: 'failed', colour: 'failed', share: failed, hint: 'on pages that failed for good' },
          ] as const)
        : ([
            {
              name: 'robots.txt or failed',
              colour: 'failed',
              share: unobtainable,
              hint: 'on pages that robots.txt disallows or that failed for good',
            },
          ] as const)),
      {
        name: 'refused by scope',
        colour: 'scope',
        share: scope,
        hint: 'on pages that the scope excludes',
        isRare: true,
      },
      {
        name: 'waiting',
        colour: 'waiting',
        share: waiting,
        hint: 'on pages that wait, that a limit excludes or that failed for a temporary reason',
      },
    ],
    beside: {
      name: 'out of scope, beside it',
      colour: 'outside',
      share: outOfScope,
      hint: 'of the importance if links out of scope counted',
      isRare: true,
    },
  }
}

const textOf = ({ percent, colour, share }: SharePart): string =>
  percent ?? (share === 0 ? '0%' : colour === 'held' ? certainPercent(share) : partPercent(share))

export function shareBarTag({ label, parts, beside }: ShareBar): Tag {
  const isBeside = beside !== undefined && beside.share > 0
  const all = isBeside ? [...parts, beside] : parts
  const said = all
    .filter(({ share }) => share > 0)
    .map((part) => `${part.name} ${textOf(part)}`)
    .join(', ')
  return tag(
    'div',
    { class: 'importance' },
    tag(
      'div',
      { class: 'bars', role: 'img', 'aria-label': said === '' ? label : `${label}: ${said}` },
      styled(
        tag('div', { class: 'bar' }, ...parts.filter(({ share }) => share > 0).map((part) => segment(part))),
        {
          'flex-grow': isBeside ? rounded(Math.max(0.05, 1 - beside.share)) : 1,
        },
      ),
      isBeside &&
        styled(tag('div', { class: 'bar outside' }, segment({ ...beside, share: 1 }, textOf(beside))), {
          'flex-grow': rounded(beside.share),
        }),
    ),
    tag(
      'ul',
      { class: 'legend' },
      ...all
        .filter(({ share, isRare }) => share > 0 || isRare !== true)
        .map((part) =>
          tag(
            'li',
            { title: `${textOf(part)} ${part.hint}` },
            tag('span', { class: `swatch is-${part.colour}`, 'aria-hidden': 'true' }),
            tag('span', { class: 'name' }, part.name),
            tag('b', {}, textOf(part)),
          ),
        ),
    ),
  )
}

/** As long as its share. Factors with a sum below 1 would leave room. */
function segment(part: SharePart, text = textOf(part)): Tag {
  const title = `${part.name}: ${text} ${part.hint}`
  return styled(tag('span', { class: `segment is-${part.colour}`, title }), {
    'flex-grow': rounded(1000 * part.share),
  })
}

const rounded = (value: number): number => Number(value.toPrecision(6))

/** The bar of a site or directory: which part of its mass is held. */
export function smallBarTag(held: number, resting: number, kind = ''): Tag {
  const all = held + resting
  if (all === 0) return tag('span', { class: `small-bar ${kind}`.trim() })
  const part = (colour: PartColour, share: number): Tag =>
    styled(tag('span', { class: `segment is-${colour}` }), { 'flex-grow': rounded(1000 * share) })
  return tag(
    'span',
    { class: `small-bar ${kind}`.trim(), title: `${certainPercent(held / all)} of its importance is held` },
    part('held', held / all),
    part('waiting', resting / all),
  )
}
