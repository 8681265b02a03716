/** Webs with words for the experiments: from a file, or generated. */
import type { TopicalWords, TrialsOptions } from '../experiments/trials.ts'
import { topicalWeb } from '../graph/synthetic/topical-web.ts'
import type { Web } from '../graph/web.ts'
import { webWords, type WordsOfPage } from '../simulation/web-words.ts'
import type { TopicSettings } from '../topic/topic.ts'
import { extractText } from '../worlds/real/html/page.ts'
import { grouped } from './terminal.ts'

export function topicalFile(
  web: Web,
  file: string,
  { pagesContent }: { readonly pagesContent?: string },
): Pick<TrialsOptions, 'topical'> {
  if (pagesContent === undefined) return {}
  return {
    topical: async (topic) => {
      const { readWebWords } = await import('../contents/web-contents.ts')
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
