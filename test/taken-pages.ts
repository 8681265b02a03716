import type { Engine } from '../src/engine/engine.ts'

/** The pages that the engine takes at this time, one for each connection. */
export function takenAt(engine: Engine, seconds: number): number[] {
  const taken: number[] = []
  engine.dispatch({
    now: () => seconds,
    fetch: (_site, pages) => void taken.push(pages[0]),
    deliver: () => {},
    wait: () => undefined,
  })
  return taken
}
