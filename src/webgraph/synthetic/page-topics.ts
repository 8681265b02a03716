/** The topic of each page and how much the page is about it. The last section is cached for speed only. */
import { part, siteKey, subkey, unitOf } from './draws.ts'
import type { Farms } from './farms.ts'
import type { UrlWords } from './page-url.ts'
import { SectionPath } from './section-path.ts'
import type { SiteTable } from './site-table.ts'
import { topicModel } from './topic-model.ts'
import { topicName } from './topic-words.ts'
import type { Topics } from './topics.ts'

/** silent: has the topic's words but not its name; passing: mentions the name; strong: is about the topic. */
export const relevance = { silent: 0, passing: 1, strong: 2 } as const
export type Relevance = (typeof relevance)[keyof typeof relevance]

export class PageTopics {
  readonly #topics: Topics
  readonly #sites: SiteTable
  readonly #farms: Farms
  readonly #webKey: number
  readonly #path = new SectionPath()
  #start = 0
  #end = 0
  #sectionTopic = 0
  #strongShare = 0

  constructor(topics: Topics, sites: SiteTable, farms: Farms, webKey: number) {
    this.#topics = topics
    this.#sites = sites
    this.#farms = farms
    this.#webKey = webKey
  }

  get count(): number {
    return this.#topics.count
  }

  /** The name of a topic, used as query word. */
  nameOf(topic: number): string {
    return topicName(topic)
  }

  /** Draws a topic in proportion to its share; `unit` is between 0 and 1. */
  at(unit: number): number {
    return this.#topics.at(unit)
  }

  topicOf(page: number): number {
    if (this.#farms.isFarmPage(page)) return this.#farmTopic(page)
    this.#enter(page)
    return this.#topics.ofPage(page, this.#path, this.#sectionTopic)
  }

  /** The names of topics in the URL of an honest page. */
  urlWords(page: number): UrlWords {
    this.#enter(page)
    const hasDirectory = unitOf(subkey(this.#path.sectionKey, part.urlWord)) < topicModel.directoryWordShare
    const hasFile = unitOf(subkey(this.#topics.pageKey(page), part.urlWord)) < topicModel.fileWordShare
    return {
      directory: hasDirectory ? topicName(this.#sectionTopic) : undefined,
      file: hasFile ? topicName(this.topicOf(page)) : undefined,
    }
  }

  relevanceOf(page: number): Relevance {
    let strongShare: number = topicModel.strongShareMin + topicModel.strongShareSpread / 2
    if (!this.#farms.isFarmPage(page)) {
      this.#enter(page)
      strongShare = this.#strongShare
    }
    const u = unitOf(subkey(this.#topics.pageKey(page), part.relevance))
    if (u < strongShare) return relevance.strong
    return u < strongShare + (1 - strongShare) * topicModel.passingShare
      ? relevance.passing
      : relevance.silent
  }

  #enter(page: number): void {
    if (page >= this.#start && page < this.#end) return
    const path = this.#path
    const site = this.#sites.siteOf(page)
    const start = this.#sites.start(site)
    path.descend(page, start, this.#sites.end(site) - start, siteKey(this.#webKey, site))
    this.#start = path.sectionStart
    this.#end = this.#start + path.sectionSize
    this.#sectionTopic = this.#topics.ofSection(path, site)
    this.#strongShare =
      topicModel.strongShareMin +
      topicModel.strongShareSpread * unitOf(subkey(path.sectionKey, part.relevance))
  }

  /** All pages of a farm claim the same topic. */
  #farmTopic(page: number): number {
    const target = this.#farms.target(this.#farms.farmOf(page))
    return this.#topics.at(unitOf(subkey(this.#topics.pageKey(target), part.topic)))
  }
}
