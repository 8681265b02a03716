/** The view Sites: a table that the server sorts, searches and pages. */
import { siteSorts, type SiteRow, type SiteSort } from '../../api/index.ts'
import { html } from '../element.ts'
import { bytes, duration, mass, short } from '../format.ts'
import { smallBar } from '../importance-bar.ts'
import { siteLink, timeElement } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { choiceIn, hrefOf, numberIn, type Route } from '../route.ts'
import { pager, Table } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

const limit = 50

export const robotsNames: Readonly<Record<SiteRow['robotsTxt'], string>> = {
  unknown: 'not read yet',
  ignored: 'ignored',
  none: 'none',
  'allows-all': 'allows all',
  'has-rules': 'has rules',
  refused: 'refused',
}

export function stateOfSite({ state, dueMs }: SiteRow): (HTMLElement | string)[] {
  if (state === 'resting' && dueMs !== undefined) return [timeElement(dueMs)]
  return [
    { busy: 'requested now', due: 'due', resting: 'rests', idle: '–', 'given-up': 'unreachable' }[state],
  ]
}

export function sitesView(context: ViewContext): View {
  const { client, signal } = context
  const search = html('input', {
    type: 'search',
    id: 'site-search',
    placeholder: 'part of a name',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const pending = new Pending('sites')
  const foot = html('div')
  const table = new Table<SiteRow>({
    name: 'Sites',
    key: ({ site }) => site,
    columns: [
      {
        title: 'Site',
        sort: 'site',
        firstOrder: 'up',
        isWide: true,
        cell: ({ site, held, resting }) => [siteLink(site), smallBar(held, resting, 'narrow')],
      },
      {
        title: 'Importance',
        priority: 2,
        cell: ({ held, resting }) => smallBar(held, resting),
        hint: 'Which part of the site’s importance is held',
      },
      { title: 'Held', sort: 'held', isNumber: true, cell: ({ held }) => shareText(held) },
      {
        title: 'Waiting',
        sort: 'resting',
        isNumber: true,
        priority: 2,
        hint: 'Importance on pages that are not fetched',
        cell: ({ resting }) => shareText(resting),
      },
      { title: 'Pages', sort: 'pages', isNumber: true, cell: ({ pages }) => short(pages) },
      {
        title: 'Queued',
        sort: 'waiting',
        isNumber: true,
        priority: 2,
        hint: 'Pages that wait',
        cell: ({ waiting }) => short(waiting),
      },
      { title: 'Errors', sort: 'errors', isNumber: true, priority: 2, cell: ({ errors }) => short(errors) },
      { title: 'Bytes', sort: 'bytes', isNumber: true, priority: 3, cell: (row) => bytes(row.bytes) },
      { title: 'robots.txt', priority: 3, cell: ({ robotsTxt }) => robotsNames[robotsTxt] },
      {
        title: 'Gap',
        sort: 'gap',
        isNumber: true,
        priority: 3,
        hint: 'Between the last two requests',
        cell: ({ gapSeconds }) => (gapSeconds === undefined ? '–' : duration(gapSeconds)),
      },
      { title: 'Next due', sort: 'due', firstOrder: 'up', isNumber: true, priority: 2, cell: stateOfSite },
      {
        title: 'Last response',
        sort: 'last',
        priority: 3,
        cell: ({ last }) =>
          last === undefined
            ? '–'
            : [html('span', { class: 'answer' }, last.answer), ' ', timeElement(last.atMs)],
      },
    ],
  })
  let route: Route = { view: 'sites', params: {} }
  const load = async (isRefresh: boolean): Promise<void> => {
    const sort: SiteSort = choiceIn(route, 'sort', ['held', ...siteSorts])
    const order = choiceIn(
      route,
      'order',
      sort === 'site' || sort === 'due' ? ['up', 'down'] : ['down', 'up'],
    )
    const offset = numberIn(route, 'offset') ?? 0
    const q = route.params['q'] ?? ''
    table.setSort(route, sort, order)
    await pending.load(
      () => client.get('sites', { sort, order, offset, limit, ...(q === '' ? {} : { q }) }, signal),
      ({ rows, total, massesAsOfMs }) => {
        foot.replaceChildren(pager({ route, offset, limit, total, shown: rows.length, massesAsOfMs }))
        if (rows.length === 0)
          return [empty(q === '' ? 'No site is known yet.' : 'No site has this in its name.')]
        table.fill(rows)
        return table.element.parentElement === pending.element ? undefined : [table.element]
      },
      { isRefresh },
    )
  }
  refreshWhileRunning(context, 5, () => load(true))
  const form = html(
    'form',
    {
      role: 'search',
      class: 'filters',
      onsubmit: (event) => {
        event.preventDefault()
        const { offset: _, ...params } = route.params
        location.hash = hrefOf('sites', { ...params, q: search.value.trim() })
      },
    },
    html('label', { for: 'site-search' }, 'Search'),
    search,
    html('button', { type: 'submit' }, 'Search'),
  )
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Sites'), form),
      html('section', { class: 'card flush' }, pending.element, foot),
    ),
    show(next) {
      route = next
      search.value = route.params['q'] ?? ''
      void load(false)
    },
  }
}

export function shareText(share: number | undefined): string {
  return share === undefined ? '–' : mass(share)
}
