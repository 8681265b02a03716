/** The view Map: importance as a treemap of sites and directories, and the links between sites. */
import type { MapPart as Tile } from '../../../pictures/treemap.ts'
import type { ImportanceMap, MapPart } from '../../api/index.ts'
import { html, replace, type Child } from '../element.ts'
import { certainPercent, count, mass, plain, plural, short } from '../format.ts'
import { smallBar } from '../importance-bar.ts'
import { card, choices, timeElement, urlText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { hrefOf, type Route } from '../route.ts'
import { SiteGraphElement } from '../site-graph.ts'
import { Table } from '../table.ts'
import { Treemap } from '../treemap.ts'
import type { View, ViewContext } from '../view.ts'

const tiles = 150
const graphSites = 200

export function mapView(context: ViewContext): View {
  const { client, signal } = context
  const pending = new Pending('map')
  const head = html('div')
  const crumbs = html('p', { class: 'crumbs' })
  const treemap = new Treemap(signal)
  const graph = new SiteGraphElement(signal)

  const showCrumbs = (map: ImportanceMap): void => {
    crumbs.hidden = map.site === undefined
    replace(crumbs, ...crumbsOf(map))
  }
  const showTreemap = (route: Route): void => {
    const { site, path = '/' } = route.params
    const query = site === undefined ? {} : { site, path }
    void pending.load(
      () => client.get('map', { ...query, limit: tiles }, signal),
      (map) => {
        showCrumbs(map)
        if (map.parts.length === 0 || map.held + map.resting === 0)
          return [empty('Nothing is known here yet.')]
        treemap.show(map.parts.map((part) => tileOf(part, map)))
        return [
          card(undefined, { class: 'flush' }, mapHead(map), treemap.element),
          html(
            'details',
            { class: 'card flush as-table' },
            html('summary', {}, 'The same as a table'),
            partsTable(map),
          ),
        ]
      },
    )
  }
  const showGraph = (): void =>
    void pending.load(
      () => client.get('map/graph', { limit: graphSites }, signal),
      (body) => {
        if (body.sites.length === 0) return [empty('No site is known yet.')]
        graph.show(body)
        return [card(undefined, { class: 'flush' }, graph.element)]
      },
    )
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Map'), head),
      crumbs,
      pending.element,
    ),
    show(route) {
      const isGraph = route.params['show'] === 'links'
      replace(
        head,
        choices('Maps', [
          { text: 'Importance', view: 'map', isChosen: !isGraph },
          { text: 'Links between sites', view: 'map', params: { show: 'links' }, isChosen: isGraph },
        ]),
      )
      crumbs.hidden = isGraph
      if (isGraph) showGraph()
      else showTreemap(route)
    },
  }
}

/** All sites › site › directory › directory. The last one is what is shown. */
function crumbsOf({ site, path = '/', isOneSite }: ImportanceMap): Child[] {
  if (site === undefined) return []
  const folders = path.split('/').filter((name) => name !== '')
  const steps = [
    ...(isOneSite ? [] : [{ text: 'All sites', href: hrefOf('map') }]),
    { text: urlText(site, 64), href: hrefOf('map', { site }) },
    ...folders.map((name, i) => ({
      text: urlText(name, 40),
      href: hrefOf('map', { site, path: `/${folders.slice(0, i + 1).join('/')}/` }),
    })),
  ]
  return steps.flatMap(({ text, href }, i) => {
    const isLast = i === steps.length - 1
    return [
      i > 0 && ' › ',
      isLast ? html('span', { 'aria-current': 'page' }, text) : html('a', { href }, text),
    ]
  })
}

/** A page has no parts: its tile leads to the page. */
function hrefOfPart({ name, isFolder }: MapPart, site: string | undefined): string | undefined {
  if (name === undefined) return undefined
  if (site === undefined) return hrefOf('map', { site: name })
  return isFolder ? hrefOf('map', { site, path: name }) : hrefOf('pages', { site, q: name })
}

function tileOf(part: MapPart, { site, path = '/' }: ImportanceMap): Tile {
  const { held, resting, pages, waiting } = part
  return {
    name: plain(nameOf(part, path)),
    held,
    waiting: resting,
    isRest: part.name === undefined,
    href: hrefOfPart(part, site),
    key: part.name ?? '',
    more: `, ${plural(pages, 'page')} fetched, ${plural(waiting, 'page')} waiting`,
  }
}

/** Without the directory that is shown. */
function nameOf({ name, pages, waiting }: MapPart, path: string): string {
  if (name === undefined) return `${short(pages + waiting)} other pages`
  return name.startsWith(path) && name.length > path.length ? name.slice(path.length) : name
}

function mapHead({ held, resting, asOfMs }: ImportanceMap): HTMLElement {
  return html(
    'div',
    { class: 'row map-head' },
    html(
      'ul',
      { class: 'legend' },
      html('li', {}, html('span', { class: 'swatch is-tile' }), 'held ', html('b', {}, certainPercent(held))),
      html(
        'li',
        {},
        html('span', { class: 'swatch is-waiting' }),
        'not fetched ',
        html('b', {}, certainPercent(resting)),
      ),
    ),
    html('span', { class: 'soft' }, timeElement(asOfMs)),
  )
}

function partsTable({ parts, site, path = '/' }: ImportanceMap): HTMLElement {
  const table = new Table<MapPart>({
    name: 'Parts by importance',
    key: ({ name }) => name ?? '',
    columns: [
      {
        title: site === undefined ? 'Site' : 'Directory or page',
        isWide: true,
        cell: (part) => {
          const href = hrefOfPart(part, site)
          const text = urlText(nameOf(part, path), 80)
          return href === undefined ? text : html('a', { href }, text)
        },
      },
      { title: 'Importance', cell: ({ held, resting }) => smallBar(held, resting) },
      { title: 'Held', isNumber: true, cell: ({ held }) => mass(held) },
      { title: 'Not fetched', isNumber: true, cell: ({ resting }) => mass(resting) },
      { title: 'Pages', isNumber: true, priority: 2, cell: ({ pages }) => count(pages) },
      { title: 'Waiting', isNumber: true, priority: 2, cell: ({ waiting }) => count(waiting) },
    ],
  })
  table.fill(parts)
  return table.element
}
