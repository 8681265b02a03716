/**
 * The depth of pages in their sites: the number of links from the site's home page, along links within the site. Stored graphs
 * do not name home pages, so the home page is the page that most links of other sites lead to, and the first of several.
 */
import { graphOfSimulated, type SimulatedWeb } from '../simulator/simulated-web.ts'

/** Of pages that no links within the site lead to from its home page. */
export const noDepth = 0xffff_ffff

export function depthsInSites(web: SimulatedWeb): Uint32Array {
  const depths = new Uint32Array(web.pages).fill(noDepth)
  const queue = new Uint32Array(web.pages)
  let end = 0
  for (const home of homePages(web)) {
    if (home === noDepth) continue
    depths[home] = 0
    queue[end++] = home
  }
  const cursor = graphOfSimulated(web).cursor()
  for (let at = 0; at < end; at++) {
    const page = queue[at]
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (depths[target] !== noDepth || web.siteOf[target] !== web.siteOf[page]) continue
      depths[target] = depths[page] + 1
      queue[end++] = target
    }
  }
  return depths
}

/** By site; `noDepth` if it has no page. */
function homePages(web: SimulatedWeb): Uint32Array {
  const { siteOf } = web
  const fromOutside = new Uint32Array(web.pages)
  const cursor = graphOfSimulated(web).cursor()
  for (let page = 0; page < web.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (siteOf[target] !== siteOf[page]) fromOutside[target]++
    }
  }
  const homes = new Uint32Array(web.siteCount).fill(noDepth)
  siteOf.forEach((site, page) => {
    if (homes[site] === noDepth || fromOutside[page] > fromOutside[homes[site]]) homes[site] = page
  })
  return homes
}
