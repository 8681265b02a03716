/**
 * The page contents of a stored web, prepared for a crawl with a topic: assigns each content to its page, and
 * extracts its text and the anchors of its links.
 */
import { pageOfId, type Web } from '../../webgraph/web.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/progress.ts'
import { webWords, type WebWords, type WordsOfPage } from '../web-words.ts'
import type { TopicSettings } from '../../web/topic/topic.ts'
import { extractText } from '../../web/html/page.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { readPageContents } from './page-contents.ts'
import type { PageScorer } from '../../engine/user-code/page-scorer.ts'

export interface WebContentsOptions {
  readonly topic: TopicSettings
  readonly reference?: WebWords['reference']
  /** Scores each page, in place of its similarity to the topic. */
  readonly scorer?: PageScorer | undefined
  readonly progress?: Progress | undefined
}

export async function readWebWords(web: Web, path: string, options: WebContentsOptions): Promise<WebWords> {
  if (web.urls === undefined) {
    throw new RankwardError(
      'USAGE',
      'The links of pages are matched by their URLs, and this web has none. Read the graph with the option urls (--urls FILE).',
    )
  }
  const { scorer, progress } = options
  const scores = scorer === undefined ? undefined : new Float64Array(web.graph.pages).fill(NaN)
  let found = 0
  async function* contents(): AsyncGenerator<WordsOfPage> {
    let pageOfUrl: Map<string, number> | undefined
    for await (const { id, url, content } of readPageContents(path, progress)) {
      const page = id === undefined ? (pageOfUrl ??= urlIndex(web)).get(urlKey(url)) : pageOfId(web, id)
      if (page === undefined) continue
      found++
      const { title, text, language, links } = extractText(content, url)
      if (scores !== undefined && scorer !== undefined)
        scores[page] = (await scorer.score({ url, title, text, language, links })) ?? NaN
      yield { page, words: { url, title, body: text, links } }
    }
  }
  const { topic, reference } = options
  const words = await webWords(web, contents(), { topic, reference, scores, urlKey })
  if (found === 0) {
    throw new RankwardError(
      'BAD_PAGE_CONTENTS',
      `${path} has no page of this graph: neither ids nor URLs match.`,
    )
  }
  return words
}

/** A URL without its scheme: stored webs do not distinguish http and https. */
function urlKey(url: string): string {
  return (canonicalUrl(url) ?? url).replace(/^https?:\/\//, '')
}

function urlIndex(web: Web): Map<string, number> {
  const index = new Map<string, number>()
  const { urls } = web
  if (urls !== undefined)
    for (let page = 0; page < urls.length; page++) index.set(urlKey(urls.at(page)), page)
  return index
}
