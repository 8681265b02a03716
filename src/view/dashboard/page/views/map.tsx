/** The view Map: importance as a treemap of sites and directories, and the links between sites. */
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import {
  certainPercent,
  finePercent,
  grouped,
  partPercent,
  plural,
  shortCount,
} from '../../../../lib/amounts.ts'
import { SmallBar } from '../../../pictures/share-bar.tsx'
import { Treemap, type MapPart as Tile } from '../../../pictures/treemap.tsx'
import type { ImportanceMap, MapPart } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { useSize, type ViewProps } from '../context.ts'
import { plain } from '../format.ts'
import { ListTable, number, type Column } from '../list.tsx'
import { Card, Choices, Time, UrlText, ViewFrame } from '../parts.tsx'
import { hrefOf } from '../route.ts'
import { SiteGraphFrame } from '../site-graph.tsx'

const tiles = 150
const graphSites = 200

export function MapView({ route }: ViewProps): VNode {
  const isGraph = route.params['show'] === 'links'
  const choices = [
    { text: 'Importance', isChosen: !isGraph },
    { text: 'Links between sites', params: { show: 'links' }, isChosen: isGraph },
  ]
  return (
    <ViewFrame title="Map" beside={<Choices name="Maps" view="map" choices={choices} />}>
      {isGraph ? <GraphMap /> : <TileMap route={route} />}
    </ViewFrame>
  )
}

function GraphMap(): VNode {
  return (
    <Pending name="map" answer={useAnswer('map/graph', { limit: graphSites })}>
      {(graph) =>
        graph.sites.length === 0 ? (
          <Empty text="No site is known yet." />
        ) : (
          <Card class="flush">
            <SiteGraphFrame graph={graph} />
          </Card>
        )
      }
    </Pending>
  )
}

function TileMap({ route }: ViewProps): VNode {
  const { site, path = '/' } = route.params
  const answer = useAnswer('map', { ...(site === undefined ? {} : { site, path }), limit: tiles })
  return (
    <>
      {answer.body?.site !== undefined && <Crumbs map={answer.body} site={answer.body.site} />}
      <Pending name="map" answer={answer}>
        {(map) =>
          map.parts.length === 0 || map.held + map.resting === 0 ? (
            <Empty text="Nothing is known here yet." />
          ) : (
            <>
              <Card class="flush">
                <MapHead map={map} />
                <TreemapFrame parts={map.parts.map((part) => tileOf(part, map))} />
              </Card>
              <details class="card flush as-table">
                <summary>The same as a table</summary>
                <ListTable
                  name="Parts by importance"
                  columns={columnsOf(map)}
                  rows={map.parts}
                  keyOf={({ name }) => name ?? ''}
                />
              </details>
            </>
          )
        }
      </Pending>
    </>
  )
}

/** All sites › site › directory › directory. The last one is what is shown. */
function Crumbs({ map: { path = '/', isOneSite }, site }: { map: ImportanceMap; site: string }): VNode {
  const folders = path.split('/').filter((name) => name !== '')
  const steps = [
    ...(isOneSite ? [] : [{ text: 'All sites', href: hrefOf('map') }]),
    { text: <UrlText text={site} max={64} />, href: hrefOf('map', { site }) },
    ...folders.map((name, i) => ({
      text: <UrlText text={name} max={40} />,
      href: hrefOf('map', { site, path: `/${folders.slice(0, i + 1).join('/')}/` }),
    })),
  ]
  return (
    <p class="crumbs">
      {steps.map(({ text, href }, i) => (
        <>
          {i > 0 && ' › '}
          {i === steps.length - 1 ? <span aria-current="page">{text}</span> : <a href={href}>{text}</a>}
        </>
      ))}
    </p>
  )
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
  if (name === undefined) return `${shortCount(pages + waiting)} other pages`
  return name.startsWith(path) && name.length > path.length ? name.slice(path.length) : name
}

function MapHead({ map: { held, resting, asOfMs } }: { map: ImportanceMap }): VNode {
  return (
    <div class="row map-head">
      <ul class="legend">
        <li>
          <span class="swatch is-tile" />
          held <b>{certainPercent(held)}</b>
        </li>
        <li>
          <span class="swatch is-waiting" />
          not fetched <b>{partPercent(resting)}</b>
        </li>
      </ul>
      <span class="soft">
        <Time ms={asOfMs} />
      </span>
    </div>
  )
}

function columnsOf({ site, path = '/' }: ImportanceMap): readonly Column<MapPart>[] {
  return [
    {
      title: site === undefined ? 'Site' : 'Directory or page',
      isWide: true,
      cell: (part) => {
        const href = hrefOfPart(part, site)
        const text = <UrlText text={nameOf(part, path)} max={80} />
        return href === undefined ? text : <a href={href}>{text}</a>
      },
    },
    { title: 'Importance', cell: ({ held, resting }) => <SmallBar held={held} resting={resting} /> },
    number('Held', ({ held }) => finePercent(held)),
    number('Not fetched', ({ resting }) => finePercent(resting)),
    number('Pages', ({ pages }) => grouped(pages), { priority: 2 }),
    number('Waiting', ({ waiting }) => grouped(waiting), { priority: 2 }),
  ]
}

/** The treemap in the size of its place. Its tiles are links; the arrow keys move between them. */
function TreemapFrame({ parts }: { parts: readonly Tile[] }): VNode {
  const frame = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(frame)
  const shown = parts.filter(({ held, waiting }) => held + waiting > 0)
  return (
    <div ref={frame} class="map-frame" onKeyDown={(event) => move(event, frame.current!)}>
      {width > 0 && height > 0 && (
        <Treemap parts={shown} id="map" title="Tiles by importance" width={width} height={height} />
      )}
    </div>
  )
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** To the nearest tile in the direction of an arrow key. */
function move(event: KeyboardEvent, frame: HTMLElement): void {
  const direction = directions[event.key]
  const from = document.activeElement?.closest<SVGElement>('.tile') ?? undefined
  if (direction === undefined || from === undefined) return
  event.preventDefault()
  const [dx, dy] = direction
  const start = centre(from)
  const tiles = [...frame.querySelectorAll<SVGElement>('a.tile')]
  const [best] = tiles
    .map((tile) => {
      const { x, y } = centre(tile)
      const along = (x - start.x) * dx + (y - start.y) * dy
      const across = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx)
      return { tile, along, cost: along + 2 * across }
    })
    .filter(({ tile, along }) => tile !== from && along > 0)
    .toSorted((a, b) => a.cost - b.cost)
  if (best === undefined) return
  for (const tile of tiles) tile.tabIndex = tile === best.tile ? 0 : -1
  best.tile.focus()
}

function centre(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
