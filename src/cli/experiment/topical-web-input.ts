/** Webs with words for the experiments: from a file, or generated. */
import type { TopicalWords, TrialsOptions } from '../../papers/trials.ts'
import { topicalWeb } from '../../webgraph/synthetic/topical-web.ts'
import type { Web } from '../../webgraph/web.ts'
import { webWords, type WordsOfPage } from '../../simulator/web-words.ts'
import type { TopicSettings } from '../../web/topic/topic.ts'
import { extractText } from '../../web/html/page.ts'
import { grouped } from '../terminal.ts'

export function topicalFile(
  web: Web,
  file: string,
  { pagesContent }: { readonly pagesContent?: string },
): Pick<TrialsOptions, 'topical'> {
  if (pagesContent === undefined) return {}
  return {
    topical: async (topic) => {
      const { readWebWords } = await import('../../simulator/contents/web-contents.ts')
      return { web, about: file, words: await readWebWords(web, pagesContent, { topic }) }
    },
  }
}

export async function generatedTopical(
  topic: TopicSettings,
  pages: number,
  seed: number,
): Promise<TopicalWords> {
  const web = topicalWeb({ pages, seed })
  async function* contents(): AsyncGenerator<WordsOfPage> {
    for (let page = 0; page < web.graph.pages; page++) {
      const url = web.urls.at(page)
      const { title, text, links } = extractText(web.html(page), url)
      yield { page, words: { url, title, body: text, links } }
    }
  }
  const words = await webWords(web, contents(), { topic, urlKey: (url) => url })
  return { web, about: `a generated web with topics, ${grouped(pages)} pages, seed ${seed}`, words }
}
