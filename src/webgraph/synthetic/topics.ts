/**
 * The topics of the pages of a topical web, as a function of the seed and the page. Every site has a main
 * topic. On the path to a section (`section-path.ts`) the topic sometimes changes, for the whole range from
 * there on; a few pages have a topic of their own. Most links are short, so most lead to pages of the same
 * topic, and links to other sites are drawn among the sites of the topic (`site-links.ts`).
 *
 * Topics are not equally large: the topic of rank r has a share of 1/√r. To keep this true in every web,
 * although its largest site has a seventh of all pages, sites are assigned to topics by size, each to a topic
 * that lacks pages. 6 bytes per site.
 */
import { Draws, part, siteKey, subkey, unitOf } from './draws.ts'
import type { SectionPath } from './section-path.ts'
import type { SiteTable } from './site-table.ts'
import { topicModel } from './topic-model.ts'

export class Topics {
  readonly count: number
  readonly #key: number
  /** Cumulative shares. */
  readonly #cumulated: Float64Array
  readonly #ofSite: Uint16Array
  /** The sites of each topic, most popular first; those of topic t start at #firsts[t]. */
  readonly #byTopic: Uint32Array
  readonly #firsts: Uint32Array

  constructor(count: number, sites: SiteTable, webKey: number) {
    this.count = count
    this.#key = subkey(webKey, part.topic)
    this.#cumulated = cumulatedShares(count)
    this.#ofSite = this.#siteTopics(sites)
    this.#firsts = new Uint32Array(count + 1)
    for (const topic of this.#ofSite) this.#firsts[topic + 1]++
    for (let topic = 0; topic < count; topic++) this.#firsts[topic + 1] += this.#firsts[topic]
    this.#byTopic = new Uint32Array(sites.sites)
    const next = this.#firsts.slice()
    for (let rank = 0; rank < sites.sites; rank++) {
      const site = sites.ofPopularity(rank)
      this.#byTopic[next[this.#ofSite[site]]++] = site
    }
  }

  ofSite(site: number): number {
    return this.#ofSite[site]
  }

  /** Draws a topic in proportion to its share; `unit` is between 0 and 1. */
  at(unit: number): number {
    let topic = 0
    while (topic < this.count - 1 && this.#cumulated[topic] <= unit) topic++
    return topic
  }

  share(topic: number): number {
    return this.#cumulated[topic] - (topic === 0 ? 0 : this.#cumulated[topic - 1])
  }

  /** The topic of the section that `path` leads to, in this site. */
  ofSection(path: SectionPath, site: number): number {
    let topic = this.#ofSite[site]
    for (let depth = 1; depth < path.depth; depth++) {
      if (path.starts[depth] === path.starts[depth - 1]) continue
      const key = subkey(path.keys[depth], part.topic)
      if (unitOf(key) < topicModel.turnShare) topic = this.at(unitOf(subkey(key, part.topic)))
    }
    return topic
  }

  /** The topic of a page in a section of this topic. */
  ofPage(page: number, path: SectionPath, sectionTopic: number): number {
    if (page === path.sectionStart) return sectionTopic
    const key = this.pageKey(page)
    return unitOf(key) < topicModel.strayShare ? this.at(unitOf(subkey(key, part.topic))) : sectionTopic
  }

  /** The key for a page's other properties, independent of its links. */
  pageKey(page: number): number {
    return subkey(this.#key, page)
  }

  /**
   * The site at the relative position `place` (0 to 1) among those of the topic; undefined if it has none.
   */
  siteAbout(topic: number, place: number): number | undefined {
    const first = this.#firsts[topic]
    const sites = this.#firsts[topic + 1] - first
    return sites === 0 ? undefined : this.#byTopic[first + Math.floor(sites * place)]
  }

  /** Largest sites first, each to a topic that lacks pages. */
  #siteTopics(sites: SiteTable): Uint16Array {
    const size = (site: number): number => sites.end(site) - sites.start(site)
    const bySize = new Uint32Array(sites.sites)
      .map((_, site) => site)
      .sort((a, b) => size(b) - size(a) || a - b)
    const lacking = Float64Array.from(
      { length: this.count },
      (_, topic) => this.share(topic) * sites.end(sites.sites - 1),
    )
    const ofSite = new Uint16Array(sites.sites)
    const draws = new Draws()
    for (const site of bySize) {
      draws.restart(siteKey(this.#key, site))
      let most = Number.NEGATIVE_INFINITY
      for (let topic = 0; topic < this.count; topic++) {
        const lacks = lacking[topic] * (0.5 + draws.unit())
        if (lacks <= most) continue
        most = lacks
        ofSite[site] = topic
      }
      lacking[ofSite[site]] -= size(site)
    }
    return ofSite
  }
}

function cumulatedShares(count: number): Float64Array {
  const cumulated = new Float64Array(count)
  let sum = 0
  for (let topic = 0; topic < count; topic++) cumulated[topic] = sum += 1 / Math.sqrt(topic + 1)
  return cumulated.map((value) => value / sum)
}
