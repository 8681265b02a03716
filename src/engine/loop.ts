import type { Engine } from './engine.ts'
import type { World } from './world.ts'

/** Runs a crawl to its end. The same lines run in the virtual and in the real world. */
export async function crawl(engine: Engine, world: World): Promise<void> {
  for (;;) {
    world.deliver(engine)
    if (engine.finished) return
    engine.dispatch(world)
    // The choice itself may have shown that no more is needed: then nothing is under way that would wake us.
    if (engine.finished) return
    const pause = world.wait(engine.nextDue())
    // The virtual world never makes us wait.
    if (pause !== undefined) await pause
  }
}
