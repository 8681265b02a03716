/** The treemap in the size of its place. Its tiles are links; the arrow keys move between them. */
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { Treemap, type MapPart } from '../../pictures/treemap.tsx'
import { useSize } from './context.ts'

export function TreemapFrame({ parts }: { parts: readonly MapPart[] }): VNode {
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
