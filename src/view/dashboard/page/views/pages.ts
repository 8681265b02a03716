/** The view Pages: pages by their URL, or by their text. */
import { pageSorts, type PageRow, type PageState, type SearchHit } from '../../api/index.ts'
import { html } from '../element.ts'
import { bytes, count, mass, percent, plural } from '../format.ts'
import { pageLink, pageStates, stateBadge, stateName, timeElement, urlText, webText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { choiceIn, hrefOf, numberIn, type Route } from '../route.ts'
import { pager, Table } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

const limit = 50
const sortNames: Readonly<Record<(typeof pageSorts)[number], string>> = {
  mass: 'importance',
  discovered: 'discovery',
  fetched: 'time fetched',
  bytes: 'size',
}

export function pagesView(context: ViewContext): View {
  const { client, signal, info } = context
  const pending = new Pending('pages')
  const foot = html('div')
  const form = new SearchForm(info().has.archive)
  const table = pagesTable()
  let route: Route = { view: 'pages', params: {} }

  const loadText = (q: string): Promise<void> =>
    pending.load(
      () => client.get('search', { q, limit: 30 }, signal),
      ({ hits, matches, pages, match }) => {
        foot.replaceChildren()
        if (hits.length === 0) return [empty(`None of ${plural(pages, 'archived page')} matches.`)]
        const words = match === 'all' ? '' : ` (${match} of the words)`
        return [
          html(
            'p',
            { class: 'soft note' },
            `${count(hits.length)} of ${plural(matches, 'matching page')}${words}, ${plural(pages, 'page')} searched`,
          ),
          html('ol', { class: 'hits' }, ...hits.map(hitItem)),
        ]
      },
    )
  const loadList = (isRefresh: boolean): Promise<void> => {
    const { q, site, state } = route.params
    const offset = numberIn(route, 'offset') ?? 0
    const sort = choiceIn(route, 'sort', ['mass', ...pageSorts])
    const query = {
      sort,
      offset,
      limit,
      ...(q === undefined ? {} : { q }),
      ...(site === undefined ? {} : { site }),
      ...(state === undefined ? {} : { state: state as PageState }),
    }
    return pending.load(
      () => client.get('pages', query, signal),
      ({ rows, total, isComplete, massesAsOfMs }) => {
        foot.replaceChildren(
          pager({ route, offset, limit, total, shown: rows.length, isComplete, massesAsOfMs }),
        )
        if (rows.length === 0) return [empty('No page matches.')]
        table.fill(rows)
        return table.element.parentElement === pending.element ? undefined : [table.element]
      },
      { isRefresh },
    )
  }
  refreshWhileRunning(context, 10, () => (route.params['in'] === 'text' ? Promise.resolve() : loadList(true)))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Pages'), form.element),
      html('section', { class: 'card flush' }, pending.element, foot),
    ),
    show(next) {
      route = next
      form.show(route)
      const q = route.params['q'] ?? ''
      if (route.params['in'] === 'text' && q !== '') void loadText(q)
      else void loadList(false)
    },
  }
}

class SearchForm {
  readonly element: HTMLElement
  readonly #q = html('input', {
    type: 'search',
    id: 'q',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 2000,
  })
  readonly #in: HTMLSelectElement
  readonly #state: HTMLSelectElement
  readonly #sort: HTMLSelectElement
  readonly #site = html('span', { class: 'chosen-site' })
  #route: Route = { view: 'pages', params: {} }

  constructor(hasArchive: boolean) {
    const submit = (event?: Event): void => {
      event?.preventDefault()
      location.hash = this.#href()
    }
    const choice = (
      id: string,
      options: readonly (readonly [value: string, text: string])[],
    ): HTMLSelectElement =>
      html(
        'select',
        { id, onchange: () => submit() },
        ...options.map(([value, text]) => html('option', { value }, text)),
      )
    this.#in = choice('in', [['', 'URL'], ...(hasArchive ? [['text', 'text'] as const] : [])])
    this.#state = choice('state', [
      ['', 'any'],
      ...pageStates.map((state) => [state, stateName(state)] as const),
    ])
    this.#sort = choice('sort', Object.entries(sortNames))
    const field = (label: string, input: HTMLElement): HTMLElement =>
      html('span', { class: 'field' }, html('label', { for: input.id }, label), input)
    this.element = html(
      'form',
      { role: 'search', class: 'filters', onsubmit: submit },
      field('Search', this.#q),
      field('in', this.#in),
      html('button', { type: 'submit' }, 'Search'),
      field('State', this.#state),
      field('Sort by', this.#sort),
      this.#site,
    )
  }

  show(route: Route): void {
    this.#route = route
    const { q = '', state = '', site } = route.params
    this.#q.value = q
    this.#in.value = route.params['in'] ?? ''
    this.#state.value = state
    this.#sort.value = choiceIn(route, 'sort', ['mass', ...pageSorts])
    // The full-text search has an order of its own.
    const isText = route.params['in'] === 'text'
    this.#state.disabled = isText
    this.#sort.disabled = isText
    this.#site.replaceChildren(
      ...(site === undefined
        ? []
        : [
            'on ',
            urlText(site, 40),
            ' ',
            html('a', { href: hrefOf('pages', { ...route.params, site: undefined }) }, 'all sites'),
          ]),
    )
  }

  #href(): string {
    const { site } = this.#route.params
    const sort = this.#sort.value === 'mass' ? undefined : this.#sort.value
    const q = this.#q.value.trim()
    if (this.#in.value === 'text') return hrefOf('pages', { q, in: 'text' })
    return hrefOf('pages', { q, site, state: this.#state.value, sort })
  }
}

function hitItem({ page, url, title, snippet, pageRank, copies }: SearchHit): HTMLElement {
  return html(
    'li',
    {},
    html(
      'h2',
      {},
      html('a', { href: hrefOf('page', { page }) }, title === '' ? urlText(url) : webText(title, 120)),
    ),
    urlText(url, 120),
    html('p', {}, ...snippet.map(({ text, isMatch }) => (isMatch ? html('mark', {}, text) : text))),
    html(
      'p',
      { class: 'soft' },
      `PageRank ${percent(pageRank)}${copies > 0 ? `, ${plural(copies, 'copy')}`.replace('copys', 'copies') : ''}`,
    ),
  )
}

function pagesTable(): Table<PageRow> {
  return new Table<PageRow>({
    name: 'Pages',
    key: ({ page }) => String(page),
    columns: [
      {
        title: 'Page',
        isWide: true,
        cell: ({ page, url, title }) => [
          pageLink(page, url),
          title !== undefined && title !== '' && html('div', { class: 'soft title' }, webText(title, 110)),
        ],
      },
      {
        title: 'Mass',
        isNumber: true,
        hint: 'Held if it was fetched, waiting otherwise',
        cell: (row) => mass(row.mass),
      },
      {
        title: 'State',
        cell: ({ state, error }) => [
          stateBadge(state),
          error !== undefined && error !== state && html('span', { class: 'answer p2' }, ` ${error}`),
        ],
      },
      {
        title: 'Fetched',
        isNumber: true,
        priority: 2,
        cell: ({ atMs }) => (atMs === undefined ? '–' : timeElement(atMs)),
      },
      {
        title: 'Size',
        isNumber: true,
        priority: 2,
        cell: (row) => (row.bytes === undefined || row.state !== 'fetched' ? '–' : bytes(row.bytes)),
      },
      { title: 'Depth', isNumber: true, priority: 3, hint: 'Links from a seed', cell: ({ depth }) => depth },
    ],
  })
}
