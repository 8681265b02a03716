/** The importance bar: where the importance of the crawled web is. The same colours stand for the same parts everywhere. */
import type { ImportanceBar } from '../api/index.ts'
import { html, replace } from './element.ts'
import { certainPercent, percent } from './format.ts'

interface BarPart {
  readonly name: string
  /** Class of the colour. */
  readonly colour: string
  readonly hint: string
  readonly share: (bar: ImportanceBar) => number
}

const parts: readonly BarPart[] = [
  { name: 'held', colour: 'held', hint: 'on fetched pages', share: ({ held }) => held },
  {
    name: 'robots.txt',
    colour: 'robots',
    hint: 'on pages that robots.txt disallows',
    share: ({ robots }) => robots,
  },
  { name: 'failed', colour: 'failed', hint: 'on pages that failed for good', share: ({ failed }) => failed },
  {
    name: 'refused by scope',
    colour: 'scope',
    hint: 'on pages that the scope excludes',
    share: ({ scope }) => scope,
  },
  {
    name: 'waiting',
    colour: 'waiting',
    hint: 'on pages that wait, that a limit excludes or that failed for a temporary reason',
    share: ({ waiting }) => waiting,
  },
]

/** The held share is certain, so it is rounded down, as the coverage is. */
function shareText(colour: string, share: number): string {
  return colour === 'held' ? certainPercent(share) : percent(share)
}

/** A segment as long as its share. */
function segment(colour: string, share: number, title: string): HTMLElement {
  const element = html('span', { class: `segment is-${colour}`, title })
  // Factors with a sum below 1 would leave room.
  element.style.flexGrow = String(1000 * share)
  return element
}

export class ImportanceBarElement {
  readonly element = html('div', { class: 'importance' })

  show(bar: ImportanceBar | undefined): void {
    if (bar === undefined) {
      replace(
        this.element,
        html(
          'div',
          { class: 'bars', role: 'img', 'aria-label': 'The importance is being computed' },
          html('div', { class: 'bar' }),
        ),
        html('p', { class: 'soft' }, 'The importance is being computed.'),
      )
      return
    }
    const shown = parts.map((part) => ({ ...part, value: part.share(bar) }))
    const visible = shown.filter(({ value }) => value > 0)
    const outside = bar.outOfScope ?? 0
    const inside = html(
      'div',
      { class: 'bar' },
      ...visible.map(({ name, colour, value, hint }) =>
        segment(colour, value, `${name}: ${shareText(colour, value)} ${hint}`),
      ),
    )
    inside.style.flexGrow = String(Math.max(0.05, 1 - outside))
    const beside = html(
      'div',
      { class: 'bar outside' },
      segment(
        'outside',
        1,
        `out of scope: ${percent(outside)} of the importance if links out of scope counted`,
      ),
    )
    beside.style.flexGrow = String(outside)
    const label = [
      ...visible.map(({ name, colour, value }) => `${name} ${shareText(colour, value)}`),
      ...(outside > 0 ? [`beside it, out of scope ${percent(outside)}`] : []),
    ].join(', ')
    replace(
      this.element,
      html(
        'div',
        { class: 'bars', role: 'img', 'aria-label': `Importance: ${label}` },
        inside,
        outside > 0 && beside,
      ),
      html(
        'ul',
        { class: 'legend' },
        ...shown
          .filter(({ value, colour }) => value > 0 || colour !== 'scope')
          .map(({ name, colour, value, hint }) => legendEntry(name, colour, value, hint)),
        outside > 0 &&
          legendEntry('out of scope, beside it', 'outside', outside, 'if links out of scope counted'),
      ),
    )
  }
}

function legendEntry(name: string, colour: string, value: number, hint: string): HTMLElement {
  return html(
    'li',
    { title: `${shareText(colour, value)} ${hint}` },
    html('span', { class: `swatch is-${colour}`, 'aria-hidden': 'true' }),
    html('span', { class: 'name' }, name),
    html('b', {}, shareText(colour, value)),
  )
}

/** The bar of a site or directory: which part of its mass is held. */
export function smallBar(held: number | undefined, resting: number | undefined, kind = ''): HTMLElement {
  const element = html('span', { class: `small-bar ${kind}` })
  if (held === undefined || resting === undefined || held + resting === 0) return element
  element.title = `${percent(held / (held + resting))} of its importance is held`
  element.append(
    segment('held', held / (held + resting), ''),
    segment('waiting', resting / (held + resting), ''),
  )
  return element
}
