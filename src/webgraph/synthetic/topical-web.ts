/** A topical web in memory: graph, sites and URLs, and pages whose texts are generated on demand. */
import { RankwardError } from '../../lib/errors.ts'
import { UrlListBuilder } from '../url-list.ts'
import { type Web, webOf } from '../web.ts'
import { PageTexts } from './page-text.ts'
import type { Relevance } from './page-topics.ts'
import { graphOfSynthetic, sitesOfSynthetic } from './synthetic-graph.ts'
import type { SyntheticWebOptions } from './synthetic-options.ts'
import { SyntheticWeb } from './synthetic-web.ts'

const topicsUnlessGiven = 8

export interface TopicalWeb extends Web {
  readonly urls: NonNullable<Web['urls']>
  /** The name of each topic. */
  readonly topics: readonly string[]
  topicOf(page: number): number
  /** 2: about its topic; 1: mentions its name; 0: has only words of the topic. */
  relevanceOf(page: number): Relevance
  /** The HTML of a page. `hrefOf` replaces the default URLs of its links. */
  readonly html: (page: number, hrefOf?: (target: number) => string) => string
}

export function topicalWeb(options: SyntheticWebOptions): TopicalWeb {
  const web = new SyntheticWeb({ topics: topicsUnlessGiven, ...options })
  const pages = new TopicalPages(web)
  const urls = new UrlListBuilder()
  for (let page = 0; page < web.pages; page++) urls.pushString(web.urlOf(page))
  const stored = webOf({
    graph: graphOfSynthetic(web),
    givenSites: sitesOfSynthetic(web),
    urls: urls.finish(),
  })
  return Object.assign(stored, {
    urls: stored.urls!,
    topics: pages.topicNames,
    topicOf: (page: number) => pages.topics.topicOf(page),
    relevanceOf: (page: number) => pages.topics.relevanceOf(page),
    html: (page: number, hrefOf?: (target: number) => string) => pages.html(page, hrefOf),
  })
}

/** The pages of a synthetic web as HTML, in any order, without stored state. */
export class TopicalPages {
  readonly topics: NonNullable<SyntheticWeb['topics']>
  readonly #web: SyntheticWeb
  readonly #texts: PageTexts
  readonly #links: Uint32Array

  constructor(web: SyntheticWeb) {
    if (web.topics === undefined) {
      throw new RankwardError(
        'USAGE',
        'A synthetic web without topics has no texts. Set topics to 1 or more.',
      )
    }
    this.topics = web.topics
    this.#web = web
    this.#texts = new PageTexts(web.topics, web.settings.seed)
    this.#links = new Uint32Array(web.degreeMax)
  }

  get topicNames(): string[] {
    return Array.from({ length: this.topics.count }, (_, topic) => this.topics.nameOf(topic))
  }

  html(page: number, hrefOf?: (target: number) => string): string {
    const links = this.#links.subarray(0, this.#web.linksOf(page, this.#links))
    return this.#texts.html(page, links, hrefOf ?? this.#hrefsOn(page))
  }

  /** Relative to the root within the site, absolute to other sites. */
  #hrefsOn(page: number): (target: number) => string {
    const site = this.#web.siteOf(page)
    return (target) => {
      const url = this.#web.urlOf(target)
      return this.#web.siteOf(target) === site ? url.slice(url.indexOf('/', 'http://'.length)) : url
    }
  }
}
