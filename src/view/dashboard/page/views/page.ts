/** One page: what happened to it and why, its links, versions, headers and archived text. */
import type { PageDetail, PageLink, PageLinks, PageVersion } from '../../api/index.ts'
import { addressOf } from '../client.ts'
import { html, replace, type Child } from '../element.ts'
import { bytes, count, dateTime, duration, mass, percent, short } from '../format.ts'
import {
  card,
  facts,
  outsideLink,
  pageLink,
  siteLink,
  stateBadge,
  timeElement,
  urlText,
  webText,
} from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { numberIn, type Route } from '../route.ts'
import { pager, Table } from '../table.ts'
import type { View, ViewContext } from '../view.ts'

const limit = 25

export function pageView(context: ViewContext): View {
  const { client, signal } = context
  const pending = new Pending('page')
  const links = { in: new LinkList(context, 'in'), out: new LinkList(context, 'out') }
  let shown: string | undefined
  let detail: PageDetail | undefined
  return {
    element: html('div', { class: 'stack' }, pending.element),
    show(route) {
      const { url = '' } = route.params
      const page = numberIn(route, 'page')
      const isOther = shown !== `${page} ${url}`
      shown = `${page} ${url}`
      if (!isOther && detail !== undefined) {
        for (const list of Object.values(links)) list.show(route, detail)
        return
      }
      detail = undefined
      void pending.load(
        () => client.get('page', page === undefined ? { url } : { page }, signal),
        (body) => {
          detail = body
          for (const list of Object.values(links)) list.show(route, body)
          return pageParts(context, body, links)
        },
      )
    },
  }
}

function pageParts(context: ViewContext, page: PageDetail, links: Record<'in' | 'out', LinkList>): Child[] {
  return [
    html(
      'header',
      { class: 'head of-page' },
      html(
        'h1',
        {},
        page.title === undefined || page.title === '' ? urlText(page.url, 160) : webText(page.title, 160),
      ),
      html(
        'p',
        {},
        stateBadge(page.state),
        ' ',
        html('bdi', { class: 'web url whole', dir: 'ltr' }, page.url.slice(0, 2000)),
        ' ',
        outsideLink(page.url, 'open ↗'),
      ),
    ),
    html(
      'div',
      { class: 'columns aside' },
      card('What happened', {}, outcomeFacts(page)),
      card('Why', {}, explanation(context, page)),
    ),
    html(
      'div',
      { class: 'columns pair' },
      card(`Links in, ${count(page.linksIn)}`, { class: 'flush' }, links.in.element),
      card(`Links out, ${count(page.linksOut)}`, { class: 'flush' }, links.out.element),
    ),
    page.versions.length > 0 && card('Archive', {}, archive(context, page)),
    page.looks.length > 0 && card('Requests', {}, looks(page)),
  ]
}

function outcomeFacts(page: PageDetail): HTMLElement {
  const { outcome } = page
  const copy = outcome?.duplicateOf
  const nearCopy = outcome?.nearDuplicateOf
  return facts([
    ['site', siteLink(page.site)],
    ['importance', `${percent(page.mass)}, ${page.state === 'fetched' ? 'held' : 'waiting'}`],
    ['status', page.status === undefined ? undefined : String(page.status)],
    [
      'error',
      page.error === undefined
        ? undefined
        : webText([page.error, outcome?.failureText].filter(Boolean).join(': ')),
    ],
    ['fetched', page.atMs === undefined ? undefined : [timeElement(page.atMs), `, ${dateTime(page.atMs)}`]],
    ['order', outcome === undefined ? undefined : `page ${count(outcome.order)} of the crawl`],
    ['duration', outcome === undefined ? undefined : duration(outcome.durationMs / 1000)],
    ['attempts', outcome?.attempts === undefined ? undefined : count(outcome.attempts)],
    [
      'size',
      page.bytes === undefined
        ? undefined
        : `${bytes(page.bytes)}${outcome?.truncated === undefined ? '' : `, cut: ${outcome.truncated}`}`,
    ],
    ['type', outcome?.contentType === undefined ? undefined : webText(outcome.contentType)],
    ['redirects to', outcome?.location === undefined ? undefined : urlText(outcome.location)],
    [
      'meta robots',
      outcome !== undefined &&
        (outcome.noindex || outcome.nofollow) &&
        [outcome.noindex && 'noindex', outcome.nofollow && 'nofollow'].filter(Boolean).join(', '),
    ],
    ['duplicate of', copy === undefined ? undefined : pageLink(copy.page, copy.url)],
    ['near-duplicate of', nearCopy === undefined ? undefined : pageLink(nearCopy.page, nearCopy.url)],
    ['relevance', outcome?.relevance === undefined ? undefined : short(outcome.relevance)],
    ['score', page.score === undefined ? undefined : page.score.toPrecision(4)],
    ['depth', count(page.depth)],
    ['found on', page.foundOn === undefined ? 'a seed' : pageLink(page.foundOn.page, page.foundOn.url)],
    ['found', page.foundMs === undefined ? undefined : timeElement(page.foundMs)],
  ])
}

/** On request: the server replays the crawl for it. */
function explanation({ client, signal }: ViewContext, { page }: PageDetail): HTMLElement {
  const pending = new Pending('explanation')
  const load = (): void =>
    void pending.load(
      () => client.get('page/explanation', { page }, signal),
      ({ text }) => [html('pre', { class: 'explanation', tabindex: 0 }, text)],
    )
  replace(
    pending.element,
    html(
      'p',
      { class: 'soft' },
      'Its score, its rank and what gave it, from a replay of the crawl. This takes a while for large crawls.',
    ),
    html('button', { type: 'button', onclick: load }, 'Explain'),
  )
  return pending.element
}

/** Links in or out, with what they carry. */
class LinkList {
  readonly element = html('div')
  readonly #pending: Pending
  readonly #foot = html('div')
  readonly #context: ViewContext
  readonly #direction: 'in' | 'out'
  readonly #table: Table<PageLink>

  constructor(context: ViewContext, direction: 'in' | 'out') {
    this.#context = context
    this.#direction = direction
    this.#pending = new Pending(`links-${direction}`)
    this.element.append(this.#pending.element, this.#foot)
    this.#table = new Table<PageLink>({
      name: direction === 'in' ? 'Links in' : 'Links out',
      key: ({ page }) => String(page),
      columns: [
        { title: 'Page', isWide: true, cell: ({ page, url }) => pageLink(page, url, 72) },
        {
          title: 'Carries',
          isNumber: true,
          hint: 'Importance that the link carries',
          cell: ({ carries }) => mass(carries),
        },
        { title: 'State', priority: 2, cell: ({ state }) => stateBadge(state) },
      ],
    })
  }

  show(route: Route, { page }: PageDetail): void {
    const { client, signal } = this.#context
    const direction = this.#direction
    const offset = numberIn(route, direction) ?? 0
    void this.#pending.load(
      () => client.get('page/links', { page, direction, offset, limit }, signal),
      ({ rows, total }: PageLinks) => {
        replace(
          this.#foot,
          total > limit && pager({ route, offset, limit, total, shown: rows.length, param: direction }),
        )
        if (rows.length === 0)
          return [empty(direction === 'in' ? 'No fetched page links to it.' : 'No links.')]
        this.#table.fill(rows)
        return [this.#table.element]
      },
    )
  }
}

/** Versions, and the headers and the text of the chosen one. */
function archive({ client, signal }: ViewContext, { page, versions }: PageDetail): HTMLElement {
  const headers = new Pending('headers')
  const text = html('div')
  const show = ({ version, isArchived }: PageVersion): void => {
    if (!isArchived) {
      replace(headers.element, empty('This version is not in the archive.'))
      replace(text)
      return
    }
    void headers.load(
      () => client.get('page/headers', { page, version }, signal),
      ({ statusLine, headers: entries }) => [
        html('p', {}, html('code', {}, statusLine)),
        html(
          'dl',
          { class: 'headers', tabindex: 0, 'aria-label': 'Headers' },
          ...entries.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))),
        ),
      ],
    )
    replace(
      text,
      // Without permissions: no scripts, no forms, an origin of its own.
      html('iframe', {
        class: 'archived',
        sandbox: '',
        referrerpolicy: 'no-referrer',
        title: 'Text of the archived page',
        src: addressOf('page/archived', { page, version }),
      }),
    )
  }
  const choice = html(
    'select',
    { id: 'version', onchange: () => show(versions[choice.selectedIndex]) },
    ...versions.map(({ version, atMs, status, bytes: size }) =>
      html('option', { value: version }, `${dateTime(atMs)} · ${status} · ${bytes(size)}`),
    ),
  )
  show(versions[0])
  return html(
    'div',
    { class: 'archive' },
    html(
      'p',
      { class: 'row' },
      html(
        'label',
        { for: 'version' },
        versions.length === 1 ? 'Version' : `Versions, ${count(versions.length)}`,
      ),
      choice,
    ),
    html(
      'div',
      { class: 'two' },
      html('div', {}, html('h3', {}, 'Headers'), headers.element),
      html('div', {}, html('h3', {}, 'Text'), text),
    ),
  )
}

function looks({ looks: entries }: PageDetail): HTMLElement {
  return html(
    'ol',
    { class: 'feed long', tabindex: 0, 'aria-label': 'Requests' },
    ...entries.map(({ atMs, verdict, status, error, isConditional }) =>
      html(
        'li',
        {},
        html('span', { class: 'answer' }, verdict),
        html('span', {}, timeElement(atMs), ` · ${error ?? status}${isConditional ? ' · conditional' : ''}`),
      ),
    ),
  )
}
