/**
 * Statistics of a topical web, computed from its pages as a crawler would: which pages are hot for a topic,
 * how they are linked, and the anchor texts of links to them. Complements `web-shape.ts`.
 *
 * A page is hot for a word that is in its title or at least ten times in its body: Cho, Garcia-Molina and
 * Page, "Efficient Crawling Through URL Ordering", 1998, section 7.
 */
import type { TopicalWeb } from '../src/webgraph/synthetic/topical-web.ts'

const hotMentions = 10

/** Links, how many lead to a page of the same topic, and how many would if links ignored topics. */
export interface TopicLocality {
  readonly links: number
  readonly sameShare: number
  readonly baseShare: number
}

export interface HotShape {
  readonly word: string
  /** Share of all pages with this topic. */
  readonly topicShare: number
  readonly hot: number
  readonly hotShare: number
  /** Shares of the hot pages with one in-link, and with five or more. */
  readonly oneBacklinkShare: number
  readonly fiveBacklinksShare: number
  /** Of the links on hot pages, the share that leads to hot pages. */
  readonly hotToHotShare: number
  /** Of the links to hot pages, and to others, the share whose text has the word. */
  readonly anchorShare: number
  readonly anchorShareOfOthers: number
  /** Of the hot pages, and of others, the share whose URL has the word. */
  readonly urlShare: number
  readonly urlShareOfOthers: number
}

export function topicLocality(web: TopicalWeb): { inSite: TopicLocality; between: TopicLocality } {
  const { pages } = web.graph
  const topics = Uint16Array.from({ length: pages }, (_, page) => web.topicOf(page))
  const sizes = new Float64Array(web.topics.length)
  for (const topic of topics) sizes[topic]++
  const counts = [0, 1].map(() => ({ links: 0, same: 0, base: 0 }))
  const cursor = web.graph.cursor()
  for (let page = 0; page < pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      const count = counts[web.sites.ofPage[page] === web.sites.ofPage[target] ? 0 : 1]
      count.links++
      count.base += sizes[topics[page]] / pages
      if (topics[page] === topics[target]) count.same++
    }
  }
  const [inSite, between] = counts.map(({ links, same, base }) => ({
    links,
    sameShare: share(same, links),
    baseShare: share(base, links),
  }))
  return { inSite, between }
}

/** Generates all pages twice. */
export function hotShape(web: TopicalWeb, topic: number): HotShape {
  const word = web.topics[topic]
  const { pages } = web.graph
  const hot = hotPages(web, word)
  const backlinks = new Uint32Array(pages)
  const isIn = new RegExp(`\\b${word}\\b`, 'i')
  const links = [0, 0]
  const anchors = [0, 0]
  const urls = [0, 0]
  let ofHot = 0
  let hotToHot = 0
  let about = 0
  const cursor = web.graph.cursor()
  for (let page = 0; page < pages; page++) {
    cursor.seek(page)
    const texts = [...web.html(page).matchAll(/<a [^>]*>([^<]*)</g)].map((match) => match[1])
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      backlinks[target]++
      links[hot[target]]++
      if (isIn.test(texts[i - cursor.start])) anchors[hot[target]]++
      ofHot += hot[page]
      hotToHot += hot[page] * hot[target]
    }
    if (web.urls.at(page).includes(word)) urls[hot[page]]++
    if (web.topicOf(page) === topic) about++
  }
  const hotCount = count(hot, (isHot) => isHot === 1)
  return {
    word,
    topicShare: about / pages,
    hot: hotCount,
    hotShare: hotCount / pages,
    oneBacklinkShare: share(
      count(hot, (isHot, page) => isHot === 1 && backlinks[page] === 1),
      hotCount,
    ),
    fiveBacklinksShare: share(
      count(hot, (isHot, page) => isHot === 1 && backlinks[page] >= 5),
      hotCount,
    ),
    hotToHotShare: share(hotToHot, ofHot),
    anchorShare: share(anchors[1], links[1]),
    anchorShareOfOthers: share(anchors[0], links[0]),
    urlShare: share(urls[1], hotCount),
    urlShareOfOthers: share(urls[0], pages - hotCount),
  }
}

/** 1 for each page that is hot for the word. */
export function hotPages(web: TopicalWeb, word: string): Uint8Array {
  const mention = new RegExp(`\\b${word}\\b`, 'gi')
  return Uint8Array.from({ length: web.graph.pages }, (_, page) => {
    const [head, body] = web.html(page).split('<body>')
    if (mentions(head, mention) > 0) return 1
    return mentions(body.replaceAll(/<[^>]*>/g, ' '), mention) >= hotMentions ? 1 : 0
  })
}

function mentions(text: string, mention: RegExp): number {
  return text.match(mention)?.length ?? 0
}

function count(flags: Uint8Array, holds: (flag: number, page: number) => boolean): number {
  return flags.reduce((sum, flag, page) => sum + (holds(flag, page) ? 1 : 0), 0)
}

function share(some: number, all: number): number {
  return all === 0 ? 0 : some / all
}
