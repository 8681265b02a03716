/** One site: its counts, importance, politeness timeline, kinds of pages, robots.txt. */
import type { PageKind, SiteDetail } from '../../api/index.ts'
import { html, replace } from '../element.ts'
import { bytes, count, duration, percent, short } from '../format.ts'
import { smallBar } from '../importance-bar.ts'
import { barList, card, choices, facts, timeElement, urlText, webText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { choiceIn, hrefOf, numberIn, type Route } from '../route.ts'
import { Table, type Column } from '../table.ts'
import { Timeline } from '../timeline.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'
import { robotsNames, shareText, stateOfSite } from './sites.ts'

export function siteView(context: ViewContext): View {
  const { client, signal } = context
  const detail = new Pending('site')
  const requests = new Pending('requests')
  const timeline = new Timeline(signal)
  const timelineHead = html('div')
  const heading = html('h1')
  const actions = html('p', { class: 'actions' })
  let route: Route = { view: 'site', params: {} }
  let shownSite = ''

  const load = async (isRefresh: boolean): Promise<void> => {
    const site = route.params['site'] ?? ''
    await detail.load(
      () => client.get('site', { site }, signal),
      (body) => {
        void loadRequests(body, isRefresh)
        return [siteCards(body)]
      },
      { isRefresh },
    )
  }
  const loadRequests = async (body: SiteDetail, isRefresh: boolean): Promise<void> => {
    const { site } = body
    const limit = Number(choiceIn(route, 'n', ['40', '15', '100', '300']))
    const beforeMs = numberIn(route, 'before')
    // A page of the past does not change.
    if (isRefresh && beforeMs !== undefined) return
    await requests.load(
      () =>
        client.get('site/requests', { site, limit, ...(beforeMs === undefined ? {} : { beforeMs }) }, signal),
      ({ requests: shown, hasOlder }) => {
        replace(timelineHead, timelineChoices(route, limit, shown[0]?.startMs, hasOlder))
        if (shown.length === 0) return [empty('No request to this site is kept.')]
        timeline.show(shown, body.politeness)
        return timeline.element.parentElement === requests.element ? undefined : [timeline.element]
      },
      { isRefresh },
    )
  }
  refreshWhileRunning(context, 5, () => load(true))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('p', { class: 'crumbs' }, html('a', { href: hrefOf('sites') }, '‹ All sites')),
      html('header', { class: 'head' }, heading, actions),
      card('Requests and the gaps between them', {}, timelineHead, requests.element),
      detail.element,
    ),
    show(next) {
      route = next
      const site = route.params['site'] ?? ''
      replace(heading, urlText(site, 120))
      replace(
        actions,
        html('a', { href: hrefOf('pages', { site }) }, 'its pages'),
        html('a', { href: hrefOf('map', { site }) }, 'its map'),
      )
      void load(shownSite === site)
      shownSite = site
    },
  }
}

function timelineChoices(
  route: Route,
  limit: number,
  firstMs: number | undefined,
  hasOlder: boolean,
): HTMLElement {
  const { before } = route.params
  return html(
    'div',
    { class: 'row' },
    choices(
      'Number of requests',
      ['15', '40', '100', '300'].map((n) => ({
        text: n,
        view: 'site',
        params: { ...route.params, n },
        isChosen: Number(n) === limit,
      })),
    ),
    html(
      'span',
      { class: 'steps' },
      hasOlder &&
        firstMs !== undefined &&
        html('a', { href: hrefOf('site', { ...route.params, before: Math.floor(firstMs) }) }, '‹ older'),
      before !== undefined &&
        html('a', { href: hrefOf('site', { ...route.params, before: undefined }) }, 'newest'),
    ),
    html(
      'ul',
      { class: 'legend' },
      html('li', {}, html('span', { class: 'swatch is-held' }), 'response'),
      html('li', {}, html('span', { class: 'swatch is-failed' }), 'error'),
      html('li', {}, html('span', { class: 'swatch is-rest' }), 'gap to keep'),
    ),
  )
}

function siteCards(site: SiteDetail): HTMLElement {
  const columns = html(
    'div',
    { class: 'columns' },
    card(
      'Pages',
      {},
      smallBar(site.held, site.resting),
      facts([
        ['importance held', shareText(site.held)],
        ['importance waiting', shareText(site.resting)],
        ['fetched', count(site.pages)],
        ['waiting', count(site.waiting)],
        ['redirects', count(site.redirects)],
        ['failed', count(site.errors)],
        ['refused by robots.txt', count(site.robots)],
        ['refused by limits', count(site.limits)],
        ['bytes', bytes(site.bytes)],
        ['duplicates', percent(site.duplicateShare)],
        ['near-duplicates', percent(site.nearDuplicateShare)],
      ]),
    ),
    card('Politeness', {}, politenessFacts(site), robotsText(site)),
    card(
      'Responses',
      {},
      site.answers.length === 0
        ? empty('No response yet.')
        : barList(
            site.answers.map(({ answer, count: number }) => ({
              name: webText(answer),
              value: number,
              text: short(number),
            })),
          ),
    ),
  )
  return html(
    'div',
    { class: 'stack' },
    columns,
    card('Kinds of pages', { class: 'flush' }, kindsTable(site)),
  )
}

function politenessFacts(site: SiteDetail): HTMLElement {
  const { waitSeconds, waitFactor, crawlDelaySeconds } = site.politeness
  return facts([
    ['gap between requests', `${duration(waitSeconds)}, at least ${waitFactor} × the last download`],
    ['crawl-delay', crawlDelaySeconds === undefined ? undefined : duration(crawlDelaySeconds)],
    ['last gap', site.gapSeconds === undefined ? undefined : duration(site.gapSeconds)],
    ['next due', stateOfSite(site)],
    [
      'last response',
      site.last === undefined
        ? undefined
        : [
            webText(site.last.answer),
            ' ',
            timeElement(site.last.atMs),
            ` in ${duration(site.last.durationMs / 1000)}`,
          ],
    ],
    ['robots.txt', robotsNames[site.robotsTxt]],
  ])
}

function robotsText({ robotsText }: SiteDetail): HTMLElement | undefined {
  if (robotsText === undefined) return undefined
  return html(
    'details',
    {},
    html('summary', {}, 'Show its robots.txt'),
    html('pre', { tabindex: 0 }, robotsText),
  )
}

const standings = { good: 'good', poor: 'poor', closed: 'closed: a trap' }

function kindsTable({ kinds, hasMoreKinds }: SiteDetail): HTMLElement {
  if (kinds.length === 0) return empty('No kinds of pages yet.')
  const hasAccounts = kinds.some(({ account }) => account !== undefined)
  const table = new Table<PageKind>({
    name: 'Kinds of pages',
    key: ({ kind }) => kind,
    columns: [
      { title: 'URL pattern', isWide: true, cell: ({ kind }) => urlText(kind) },
      { title: 'Pages', isNumber: true, cell: ({ pages }) => count(pages) },
      ...(hasAccounts ? accountColumns : []),
    ],
  })
  table.fill(kinds)
  const note = [
    ...(hasMoreKinds ? ['There are more kinds.'] : []),
    ...(hasAccounts ? [] : ['Trap accounts are shown while the crawl runs.']),
  ]
  return html('div', {}, table.element, note.length > 0 && html('p', { class: 'soft note' }, note.join(' ')))
}

const accountColumns: readonly Column<PageKind>[] = [
  {
    title: 'Earned',
    isNumber: true,
    priority: 2,
    hint: 'Credit of the trap account',
    cell: ({ account }) => (account === undefined ? '–' : short(account.earned)),
  },
  {
    title: 'Spent',
    isNumber: true,
    priority: 2,
    cell: ({ account }) => (account === undefined ? '–' : short(account.spent)),
  },
  {
    title: 'Standing',
    cell: ({ account }) =>
      account === undefined
        ? '–'
        : html('span', { class: `badge of-${account.standing}` }, standings[account.standing]),
  },
]
