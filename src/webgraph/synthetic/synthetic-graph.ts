/** A synthetic web as a graph in memory, compressed during generation, with its sites. */
import { sharedUint32 } from '../../lib/shared-memory.ts'
import { type CompressedGraph, CompressedGraphBuilder } from '../compressed-graph.ts'
import type { Sites } from '../sites.ts'
import type { Farms } from './farms.ts'
import type { SyntheticWebOptions } from './synthetic-options.ts'
import { SyntheticWeb } from './synthetic-web.ts'

export interface SyntheticGraph {
  readonly graph: CompressedGraph
  readonly sites: Sites
  /** Farm pages and their farms. */
  readonly farms: Farms
}

export function syntheticGraph(options: SyntheticWebOptions): SyntheticGraph {
  const web = new SyntheticWeb(options)
  return { graph: graphOfSynthetic(web), sites: sitesOfSynthetic(web), farms: web.farms }
}

export function graphOfSynthetic(web: SyntheticWeb): CompressedGraph {
  const builder = new CompressedGraphBuilder()
  const links = new Uint32Array(web.degreeMax)
  for (let page = 0; page < web.pages; page++) builder.append(links, 0, web.linksOf(page, links))
  return builder.finish()
}

export function sitesOfSynthetic(web: SyntheticWeb): Sites {
  const keys = Uint32Array.from({ length: web.sites }, (_, site) => site)
  return { count: web.sites, ofPage: sitesOfPages(web), keys }
}

/** The site of every page, 4 bytes per page. */
export function sitesOfPages(web: SyntheticWeb): Uint32Array<SharedArrayBuffer> {
  const ofPage = sharedUint32(web.pages)
  for (let site = 0; site < web.sites; site++) ofPage.fill(site, web.siteStart(site), web.siteStart(site + 1))
  return ofPage
}
