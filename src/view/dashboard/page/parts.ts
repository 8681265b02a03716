/** Small parts that views share. */
import type { PageState } from '../api/index.ts'
import { html, setText, type Child } from './element.ts'
import { cutMiddle, dateTime, fromNow, plain } from './format.ts'
import { hrefOf, type Params } from './route.ts'

/** A text from the web, isolated so that it cannot reorder the text around it. */
export function webText(text: string, max = 200): HTMLElement {
  const clean = plain(text)
  const shown = cutMiddle(clean, max)
  return html('bdi', { class: 'web', title: shown === clean ? undefined : cutMiddle(clean, 2000) }, shown)
}

/** A URL without its scheme if that is http(s); the whole one as tooltip. */
export function urlText(url: string, max = 96): HTMLElement {
  const clean = plain(url)
  const shown = cutMiddle(clean.replace(/^https?:\/\//, ''), max)
  return html('bdi', { class: 'web url', dir: 'ltr', title: cutMiddle(clean, 2000) }, shown)
}

export function pageLink(page: number, url: string, max?: number): HTMLElement {
  return html('a', { href: hrefOf('page', { page }) }, urlText(url, max))
}

export function siteLink(site: string): HTMLElement {
  return html('a', { href: hrefOf('site', { site }) }, urlText(site, 64))
}

/** A link to the live web. Only for http(s): other schemes may run code. */
export function outsideLink(url: string, text: string): HTMLElement | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined
  return html('a', { href: url, target: '_blank', rel: 'noreferrer noopener' }, text)
}

const stateNames: Readonly<Record<PageState, string>> = {
  fetched: 'fetched',
  redirect: 'redirect',
  waiting: 'waiting',
  robots: 'robots.txt',
  scope: 'out of scope',
  limit: 'limit',
  unreachable: 'site unreachable',
  failed: 'failed',
  temporary: 'failed for now',
}
export const pageStates = Object.keys(stateNames) as PageState[]
export const stateName = (state: PageState): string => stateNames[state] ?? state

export function stateBadge(state: PageState): HTMLElement {
  return html('span', { class: `badge of-${state}` }, stateName(state))
}

/** A time as its distance from now; exact as tooltip. */
export function timeElement(ms: number): HTMLElement {
  return html('time', { datetime: new Date(ms).toISOString(), title: dateTime(ms) }, fromNow(ms, Date.now()))
}

export function card(
  title: string | undefined,
  attributes: { class?: string; id?: string },
  ...children: readonly Child[]
): HTMLElement {
  return html(
    'section',
    { ...attributes, class: `card ${attributes.class ?? ''}` },
    title !== undefined && html('h2', {}, title),
    ...children,
  )
}

/** A large figure with its name and a note. */
export class Figure {
  readonly element: HTMLElement
  readonly #value = html('dd', { class: 'value' }, '–')
  readonly #note = html('dd', { class: 'note' })

  constructor(name: string, kind: string) {
    this.element = html('div', { class: `figure is-${kind}` }, html('dt', {}, name), this.#value, this.#note)
  }

  show(value: string, note: string): void {
    setText(this.#value, value)
    setText(this.#note, note)
  }
}

/** Names and values; entries without a value are left out. */
export function facts(
  entries: readonly (readonly [name: string, value: Child | readonly Child[]])[],
  kind: '' | 'numbers' = '',
): HTMLElement {
  return html(
    'dl',
    { class: `facts ${kind}`.trim() },
    ...entries
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) =>
        html(
          'div',
          {},
          html('dt', {}, name),
          html('dd', {}, ...(Array.isArray(value) ? (value as Child[]) : [value as Child])),
        ),
      ),
  )
}

/** Links that choose a part of a view; the chosen one is marked. */
export function choices(
  name: string,
  entries: readonly {
    readonly text: string
    readonly view: string
    readonly params?: Params
    readonly isChosen: boolean
  }[],
): HTMLElement {
  return html(
    'nav',
    { class: 'choices', 'aria-label': name },
    ...entries.map(({ text, view, params, isChosen }) =>
      html('a', { href: hrefOf(view, params), 'aria-current': isChosen ? 'true' : undefined }, text),
    ),
  )
}

/** A list of names with bars, the largest first. */
export function barList(
  entries: readonly { readonly name: Child; readonly value: number; readonly text: string }[],
): HTMLElement {
  const max = Math.max(...entries.map(({ value }) => value), 1e-300)
  return html(
    'ul',
    { class: 'bar-list' },
    ...entries.map(({ name, value, text }) => {
      const bar = html('span', { class: 'length', 'aria-hidden': 'true', hidden: value === 0 })
      bar.style.inlineSize = `${(100 * value) / max}%`
      return html(
        'li',
        {},
        html('span', { class: 'name' }, name),
        html('span', { class: 'value' }, text),
        bar,
      )
    }),
  )
}
