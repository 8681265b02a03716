/** Fetches the requisites that are left when the engine has finished. */
import type { SessionParts } from '../../session/session-parts.ts'

export async function fetchRequisites({
  requisites,
  world,
  engine,
  outages,
  reachability,
}: Pick<SessionParts, 'requisites' | 'world' | 'engine' | 'outages' | 'reachability'>): Promise<void> {
  if (requisites === undefined) return
  requisites.isAlone = true
  while (requisites.isBusy) {
    world.deliver(engine)
    // No site responds: the crawl does not wait for requisites longer than for pages.
    if (reachability.isNetworkDown && outages.isOver()) return
    await world.wait(Infinity)
  }
}
