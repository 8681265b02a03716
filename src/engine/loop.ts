import type { Engine } from './engine.ts'
import type { World } from './world.ts'

/** Runs a crawl to its end. The virtual and the real world share this loop. */
export async function crawl(engine: Engine, world: World): Promise<void> {
  for (;;) {
    world.deliver(engine)
    if (engine.finished) return
    engine.dispatch(world)
    // The choice itself may have ended the crawl; then no outcome is pending that would end the wait.
    if (engine.finished) return
    const pause = world.wait(engine.nextDue())
    // In the virtual world, `wait` returns undefined.
    if (pause !== undefined) await pause
  }
}
