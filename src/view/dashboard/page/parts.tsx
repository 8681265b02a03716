/** Small parts that views share. */
import type { ComponentChildren, VNode } from 'preact'
import type { PageState } from '../api/index.ts'
import { cutMiddle, dateTime, fromNow, plain } from './format.ts'
import { hrefOf, type Params } from './route.ts'

interface WebTextProps {
  readonly text: string
  readonly max?: number
}

/** A text from the web, isolated so that it cannot reorder the text around it. */
export function WebText({ text, max = 200 }: WebTextProps): VNode {
  const clean = plain(text)
  const shown = cutMiddle(clean, max)
  return (
    <bdi class="web" title={shown === clean ? undefined : cutMiddle(clean, 2000)}>
      {shown}
    </bdi>
  )
}

/** A URL without its scheme if that is http(s); the whole one as tooltip. */
export function UrlText({ text, max = 96 }: WebTextProps): VNode {
  const clean = plain(text)
  return (
    <bdi class="web url" dir="ltr" title={cutMiddle(clean, 2000)}>
      {cutMiddle(clean.replace(/^https?:\/\//, ''), max)}
    </bdi>
  )
}

export function PageLink({ page, url, max = 96 }: { page: number; url: string; max?: number }): VNode {
  return (
    <a href={hrefOf('page', { page })}>
      <UrlText text={url} max={max} />
    </a>
  )
}

export function SiteLink({ site }: { site: string }): VNode {
  return (
    <a href={hrefOf('site', { site })}>
      <UrlText text={site} max={64} />
    </a>
  )
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

export function Badge({ kind, text, hint }: { kind: string; text: string; hint?: string }): VNode {
  return (
    <span class={`badge of-${kind}`} title={hint}>
      {text}
    </span>
  )
}

/** The state of a page, and the error if that says more. */
export function StateBadge({
  state,
  error = state,
}: {
  state: PageState
  error?: string | undefined
}): VNode {
  return (
    <>
      <Badge kind={state} text={stateName(state)} />
      {error !== state && <span class="answer p2"> {error}</span>}
    </>
  )
}

/** A time as its distance from now; exact as tooltip. */
export function Time({ ms }: { ms: number | undefined }): VNode {
  if (ms === undefined) return <>–</>
  return (
    <time datetime={new Date(ms).toISOString()} title={dateTime(ms)}>
      {fromNow(ms, Date.now())}
    </time>
  )
}

interface ViewFrameProps {
  readonly title: ComponentChildren
  /** Beside the title. */
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A view: its title, and its cards below one another. */
export function ViewFrame({ title, beside, children }: ViewFrameProps): VNode {
  return (
    <div class="stack">
      <header class="head">
        <h1>{title}</h1>
        {beside}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: string
  readonly class?: string
  readonly children: ComponentChildren
}

export function Card({ title, class: name = '', children }: CardProps): VNode {
  return (
    <section class={`card ${name}`}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  )
}

/** A large figure: its name, its kind for the style sheet, value and note. */
export type LargeFigure = readonly [name: string, kind: string, value: string, note: string]

export function Figures({ figures }: { figures: readonly LargeFigure[] }): VNode {
  return (
    <dl class="figures">
      {figures.map(([name, kind, value, note]) => (
        <div class={`figure is-${kind}`}>
          <dt>{name}</dt>
          <dd class="value">{value}</dd>
          <dd class="note">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values; entries without a value are left out. */
export function Facts({ facts, kind = '' }: { facts: readonly Fact[]; kind?: '' | 'numbers' }): VNode {
  return (
    <dl class={`facts ${kind}`.trim()}>
      {facts
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface Choice {
  readonly text: string
  readonly params?: Params
  readonly isChosen: boolean
}

/** Links that choose a part of a view; the chosen one is marked. */
export function Choices(props: { name: string; view: string; choices: readonly Choice[] }): VNode {
  const { name, view, choices } = props
  return (
    <nav class="choices" aria-label={name}>
      {choices.map(({ text, params, isChosen }) => (
        <a href={hrefOf(view, params)} aria-current={isChosen ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

interface BarEntry {
  readonly name: ComponentChildren
  readonly value: number
  readonly text: string
}

/** A list of names with bars, the largest first. */
export function BarList({ entries }: { entries: readonly BarEntry[] }): VNode {
  const max = Math.max(...entries.map(({ value }) => value), 1e-300)
  return (
    <ul class="bar-list">
      {entries.map(({ name, value, text }) => (
        <li>
          <span class="name">{name}</span>
          <span class="value">{text}</span>
          <span
            class="length"
            aria-hidden="true"
            hidden={value === 0}
            style={{ inlineSize: `${(100 * value) / max}%` }}
          />
        </li>
      ))}
    </ul>
  )
}

/** Events, the newest first: what each was, and of what. */
export function Feed({ entries, label }: { entries: readonly Fact[]; label?: string }): VNode {
  const long = label === undefined ? {} : { tabindex: 0, 'aria-label': label }
  return (
    <ol class={label === undefined ? 'feed' : 'feed long'} {...long}>
      {entries.map(([answer, what]) => (
        <li>
          <span class="answer">{answer}</span>
          <span>{what}</span>
        </li>
      ))}
    </ol>
  )
}
