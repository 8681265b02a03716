/**
 * Adds link farms to any stored web. The web's own pages keep their numbers and their links, and some get
 * hijacked links.
 */
import { sharedUint32 } from '../../lib/shared-memory.ts'
import { CompressedGraphBuilder } from '../compressed-graph.ts'
import { webOf, type Web } from '../web.ts'
import { webKey } from './draws.ts'
import { type FarmSettings, Farms } from './farms.ts'

/** Ids become page numbers, and URLs are dropped: farms have none. Each farm is a site. */
export function farmedWeb(honest: Web, settings: FarmSettings, seed: number): { web: Web; farms: Farms } {
  const { graph, sites } = honest
  const cursor = graph.cursor()
  const linksOf = (page: number): Uint32Array => {
    cursor.seek(page)
    return cursor.targets.subarray(cursor.start, cursor.end)
  }
  const farms = new Farms(settings, { pages: graph.pages, linksOf }, webKey(seed))
  const builder = new CompressedGraphBuilder()
  let list = new Uint32Array(farms.degreeMax)
  for (let page = 0; page < farms.start; page++) {
    const links = linksOf(page)
    const room = links.length + farms.hijackedMax
    if (list.length < room) list = new Uint32Array(2 * room)
    list.set(links)
    builder.append(list, 0, farms.addHijacked(page, list, links.length))
  }
  for (let page = farms.start; page < farms.end; page++) builder.append(list, 0, farms.write(page, list))
  const ofPage = sharedUint32(farms.end)
  ofPage.set(sites.ofPage)
  for (let page = farms.start; page < farms.end; page++) ofPage[page] = sites.count + farms.farmOf(page)
  const keys = Uint32Array.from(
    { length: sites.count + settings.farms },
    (_, site) => sites.keys[site] ?? site,
  )
  const givenSites = { count: keys.length, ofPage, keys }
  return { web: webOf({ graph: builder.finish(), givenSites }), farms }
}
