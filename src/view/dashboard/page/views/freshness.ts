/** The view Freshness of a crawl that fetches pages again: requests, changes, intervals, newest changes. */
import type { ChangeCount, Freshness } from '../../api/index.ts'
import { Chart } from '../chart.ts'
import { html } from '../element.ts'
import { count, duration, percent, short } from '../format.ts'
import { barList, card, pageLink, timeElement, urlText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { hrefOf } from '../route.ts'
import { Table } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

export function freshnessView(context: ViewContext): View {
  const { client, signal } = context
  const pending = new Pending('freshness')
  const charts = {
    fresh: new Chart(
      {
        title: 'Expected fresh share of the importance',
        colour: 'held',
        format: percent,
        max: 1,
        isFilled: true,
      },
      signal,
    ),
    looks: new Chart({ title: 'Requests', colour: 's3', format: short, isBars: true }, signal),
    yield: new Chart(
      { title: 'Share of requests that found a change', colour: 's2', format: percent },
      signal,
    ),
    discoveries: new Chart({ title: 'New pages found', colour: 's4', format: short, isBars: true }, signal),
  }
  const content = html(
    'div',
    { class: 'charts four' },
    ...Object.values(charts).map(({ element }) => element),
  )
  const load = (isRefresh: boolean): Promise<void> =>
    pending.load(
      () => client.get('freshness', {}, signal),
      (freshness) => {
        queueMicrotask(() => showCourse(charts, freshness))
        return [html('div', { class: 'stack' }, figures(freshness), content, lists(freshness))]
      },
      { isRefresh },
    )
  refreshWhileRunning(context, 5, () => load(true))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Freshness')),
      pending.element,
    ),
    show: () => void load(false),
    repaint: () => {
      for (const chart of Object.values(charts)) chart.repaint()
    },
  }
}

function figures({ looks, changes, gone, failed, policy, perDay }: Freshness): HTMLElement {
  const figure = (name: string, value: string, note: string): HTMLElement =>
    html(
      'div',
      { class: 'figure' },
      html('dt', {}, name),
      html('dd', { class: 'value' }, value),
      html('dd', { class: 'note' }, note),
    )
  return html(
    'dl',
    { class: 'figures' },
    figure(
      'Requests',
      short(looks),
      perDay === undefined ? `policy ${policy}` : `policy ${policy}, ${short(perDay)} a day`,
    ),
    figure(
      'Changes found',
      short(changes),
      looks === 0 ? '–' : `${percent(changes / looks)} of the requests`,
    ),
    figure('Missing', short(gone), 'requests that found no page (404, 410)'),
    figure('Failed', short(failed), 'requests'),
  )
}

function showCourse(
  charts: Record<'fresh' | 'looks' | 'yield' | 'discoveries', Chart>,
  { course }: Freshness,
): void {
  const times = course.looks.map((_, i) => course.startMs + 1000 * course.binSeconds * i)
  charts.looks.show(times, course.looks)
  charts.discoveries.show(times, course.discoveries)
  charts.yield.show(
    times,
    course.looks.map((looks, i) => (looks === 0 ? null : course.changes[i] / looks)),
  )
  charts.fresh.show(
    course.fresh.map(([seconds]) => course.startMs + 1000 * seconds),
    course.fresh.map(([, share]) => share),
  )
}

function lists({ intervals, newest, sites, pages }: Freshness): HTMLElement {
  return html(
    'div',
    { class: 'columns pair' },
    card(
      'Pages by time between two requests',
      {},
      intervals.length === 0
        ? empty('No interval has been estimated yet.')
        : barList(
            intervals.map(({ daysMax, pages: number }) => ({
              name: daysMax === undefined ? 'never again' : `up to ${duration(daysMax * 86_400)}`,
              value: number,
              text: short(number),
            })),
          ),
    ),
    card(
      'Newest changes',
      {},
      newest.length === 0
        ? empty('No change found yet.')
        : html(
            'ol',
            { class: 'feed long', tabindex: 0 },
            ...newest.map(({ page, url, atMs, verdict }) =>
              html(
                'li',
                {},
                html('span', { class: 'answer' }, verdict),
                html('span', {}, pageLink(page, url, 64), ' ', timeElement(atMs)),
              ),
            ),
          ),
    ),
    card(
      'Sites that change most',
      { class: 'flush' },
      changesTable('Site', sites, (name) => hrefOf('site', { site: name })),
    ),
    card(
      'Pages that change most',
      { class: 'flush' },
      changesTable('Page', pages, (name) => hrefOf('page', { url: name })),
    ),
  )
}

function changesTable(
  title: string,
  rows: readonly ChangeCount[],
  href: (name: string) => string,
): HTMLElement {
  if (rows.length === 0) return empty('Nothing has changed yet.')
  const table = new Table<ChangeCount>({
    name: `${title}s by changes`,
    key: ({ name }) => name,
    columns: [
      { title, isWide: true, cell: ({ name }) => html('a', { href: href(name) }, urlText(name)) },
      { title: 'Requests', isNumber: true, cell: ({ looks }) => count(looks) },
      { title: 'Changes', isNumber: true, cell: ({ changes }) => count(changes) },
      {
        title: 'A day',
        isNumber: true,
        hint: 'Estimated changes a day',
        cell: ({ perDay }) => (perDay === undefined ? '–' : short(perDay)),
      },
    ],
  })
  table.fill(rows)
  return table.element
}
