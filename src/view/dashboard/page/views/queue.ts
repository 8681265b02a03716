/** The view Queue: what is fetched next and why, which sites rest, and the best pages that were not fetched. */
import type { MissedPage, PageState, Queue, QueuedPage, RestingSite } from '../../api/index.ts'
import { html, type Child } from '../element.ts'
import { count, mass, percent, plural, short } from '../format.ts'
import { card, choices, pageLink, siteLink, stateBadge, stateName, timeElement } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { choiceIn, numberIn, type Route } from '../route.ts'
import { pager, Table } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

const limit = 50
const lists = ['next', 'resting', 'missed'] as const
type ListName = (typeof lists)[number]

const titles: Readonly<Record<ListName, string>> = {
  next: 'Fetched next',
  resting: 'Resting sites',
  missed: 'Best pages not fetched',
}

export function queueView(context: ViewContext): View {
  const { client, signal } = context
  const pending = new Pending('queue')
  const head = html('div')
  let route: Route = { view: 'queue', params: {} }
  let shown: string | undefined
  const tables = {
    next: undefined as Table<QueuedPage> | undefined,
    resting: restingTable(),
    missed: missedTable(),
  }
  let isMass: boolean | undefined

  const load = async (isRefresh: boolean): Promise<void> => {
    const list = choiceIn(route, 'list', lists)
    const offset = numberIn(route, 'offset') ?? 0
    const load = { next: loadNext, resting: loadResting, missed: loadMissed }[list]
    await load(offset, isRefresh)
  }
  const loadNext = (_offset: number, isRefresh: boolean): Promise<void> =>
    pending.load(
      () => client.get('queue', { limit }, signal),
      (queue) => {
        if (tables.next === undefined || isMass !== queue.score.isMass) tables.next = nextTable(queue)
        isMass = queue.score.isMass
        if (queue.next.length === 0) return [card(undefined, {}, empty('No page waits.'))]
        return tableCard(tables.next, queue.next, [html('p', { class: 'soft note' }, nextNote(queue))])
      },
      { isRefresh },
    )
  const loadResting = (offset: number, isRefresh: boolean): Promise<void> =>
    pending.load(
      () => client.get('queue/resting', { offset, limit }, signal),
      ({ rows, total }) =>
        rows.length === 0
          ? [card(undefined, {}, empty('No site rests.'))]
          : tableCard(tables.resting, rows, [pager({ route, offset, limit, total, shown: rows.length })]),
      { isRefresh },
    )
  const loadMissed = (offset: number, isRefresh: boolean): Promise<void> => {
    const state = route.params['state'] as Exclude<PageState, 'fetched' | 'redirect'> | undefined
    return pending.load(
      () => client.get('queue/missed', { offset, limit, ...(state === undefined ? {} : { state }) }, signal),
      ({ rows, total, causes }) => [
        choices('Cause', [
          { text: 'all', view: 'queue', params: { list: 'missed' }, isChosen: state === undefined },
          ...causes
            .filter(({ pages }) => pages > 0)
            .map((cause) => ({
              text: `${stateName(cause.state)} · ${percent(cause.mass)} on ${short(cause.pages)}`,
              view: 'queue',
              params: { list: 'missed', state: cause.state },
              isChosen: state === cause.state,
            })),
        ]),
        ...(rows.length === 0
          ? [card(undefined, {}, empty('Every known page was fetched.'))]
          : tableCard(tables.missed, rows, [pager({ route, offset, limit, total, shown: rows.length })])),
      ],
      { isRefresh },
    )
  }
  refreshWhileRunning(context, 5, () => load(true))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Queue'), head),
      pending.element,
    ),
    show(next) {
      route = next
      const list = choiceIn(route, 'list', lists)
      head.replaceChildren(
        choices(
          'Lists',
          lists.map((name) => ({
            text: titles[name],
            view: 'queue',
            params: { list: name === 'next' ? undefined : name },
            isChosen: name === list,
          })),
        ),
      )
      void load(shown === list)
      shown = list
    },
  }
}

function tableCard<Row>(table: Table<Row>, rows: readonly Row[], foot: readonly Child[]): HTMLElement[] {
  table.fill(rows)
  return [html('section', { class: 'card flush' }, table.element, ...foot)]
}

function nextNote({ next, waiting, dueAgain, score }: Queue): string {
  if (dueAgain === undefined)
    return `The first ${count(next.length)} of ${plural(waiting, 'waiting page')}, in the order of ${score.strategy} and of the gaps of the sites.`
  return `The first ${count(next.length)} of ${plural(waiting, 'new page')} and ${plural(dueAgain, 'page')} to fetch again, in the order of the value of a fetch and of the gaps of the sites.`
}

function nextTable({ score }: Queue): Table<QueuedPage> {
  return new Table<QueuedPage>({
    name: titles.next,
    key: ({ page }) => String(page),
    columns: [
      { title: '#', isNumber: true, cell: (_, index) => index + 1 },
      { title: 'Page', isWide: true, cell: ({ page, url }) => pageLink(page, url) },
      {
        title: score.isMass ? 'Mass' : 'Score',
        isNumber: true,
        hint: `Score of ${score.strategy}`,
        cell: (row) => (row.score === undefined ? '–' : score.isMass ? mass(row.score) : short(row.score)),
      },
      { title: 'When', cell: whenOf },
      {
        title: 'Why',
        hint: 'The pages whose links give it the most mass, or the page it was found on',
        priority: 2,
        isWide: true,
        cell: ({ givers, foundOn, again }) =>
          again !== undefined
            ? againText(again)
            : givers.length > 0
              ? givers
                  .slice(0, 3)
                  .map(({ page, url }) => html('div', { class: 'giver' }, pageLink(page, url, 48)))
              : foundOn !== undefined && pageLink(foundOn.page, foundOn.url, 48),
      },
      {
        title: 'On its site',
        isNumber: true,
        priority: 3,
        hint: 'Position among the waiting pages of its site',
        cell: ({ placeOnSite }) => count(placeOnSite),
      },
      { title: 'Depth', isNumber: true, priority: 3, hint: 'Links from a seed', cell: ({ depth }) => depth },
    ],
  })
}

function againText({ looks, lastLookMs, freshProbability }: NonNullable<QueuedPage['again']>): Child[] {
  return [
    html('span', { class: 'badge of-fetched' }, 'again'),
    ` fetched ${plural(looks, 'time')}, last `,
    timeElement(lastLookMs),
    freshProbability === undefined ? '' : `; current with ${percent(freshProbability)}`,
  ]
}

function whenOf({ because, dueMs, isDemoted }: QueuedPage): Child[] {
  const when =
    because === 'due'
      ? 'now'
      : because === 'busy'
        ? 'site busy'
        : dueMs === undefined
          ? 'rests'
          : timeElement(dueMs)
  return [
    when,
    isDemoted &&
      html(
        'span',
        { class: 'badge of-poor', title: 'Probably worthless: queued behind all others' },
        'demoted',
      ),
  ]
}

function restingTable(): Table<RestingSite> {
  return new Table<RestingSite>({
    name: titles.resting,
    key: ({ site }) => site,
    columns: [
      { title: 'Site', isWide: true, cell: ({ site }) => siteLink(site) },
      { title: 'Free', isNumber: true, cell: ({ untilMs }) => timeElement(untilMs) },
      { title: 'Waiting pages', isNumber: true, cell: ({ waiting }) => count(waiting) },
      {
        title: 'Failures',
        isNumber: true,
        priority: 2,
        hint: 'Consecutive failures to reach it',
        cell: ({ failures }) => count(failures),
      },
      {
        title: 'Its best page',
        isWide: true,
        priority: 2,
        cell: ({ best }) => best !== undefined && pageLink(best.page, best.url),
      },
    ],
  })
}

function missedTable(): Table<MissedPage> {
  return new Table<MissedPage>({
    name: titles.missed,
    key: ({ page }) => String(page),
    columns: [
      { title: 'Page', isWide: true, cell: ({ page, url }) => pageLink(page, url) },
      { title: 'Mass', isNumber: true, cell: (row) => mass(row.mass) },
      {
        title: 'Cause',
        cell: ({ state, error }) => [
          stateBadge(state),
          error !== undefined && error !== state && html('span', { class: 'answer p2' }, ` ${error}`),
        ],
      },
    ],
  })
}
