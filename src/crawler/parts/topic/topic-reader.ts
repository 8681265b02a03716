/** Reads the words of pages and of their links in a fetch thread. */
import { pageLanguage } from '../../../web/html/text.ts'
import { visibleText } from '../../../web/html/visible-text.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { PageDigester } from '../../../web/topic/page-digest.ts'
import { Topic, type TopicSettings } from '../../../web/topic/topic.ts'
import type { PartReader } from '../part-reader.ts'

export interface TopicThread {
  readonly topic: TopicSettings
  /** Include the text of pages and their language, for a scorer. */
  readonly wantsText: boolean
}

/** Only the beginning of longer texts is read for words. */
const textCharsMax = 1 << 20

/** Stemmers are loaded on demand. */
export async function makeReader({ topic, wantsText }: TopicThread): Promise<PartReader> {
  const stem = topic.language === undefined ? undefined : await loadStemmer(topic.language)
  const digester = new PageDigester(new Topic(topic, stem))
  return {
    readsAnchors: true,
    page({ url, source, marks, title = '', links, anchors = [] }) {
      const text = visibleText(source, marks, textCharsMax)
      const linked = links.map((link, i) => ({ url: link, anchor: anchors[i] ?? '' }))
      const digest = digester.digest({ url, title, body: text, links: linked })
      return wantsText ? { digest, text, language: pageLanguage(source) } : { digest }
    },
    redirect: ({ url, links }) => ({
      digest: digester.digest({
        url,
        title: '',
        body: '',
        links: links.map((link) => ({ url: link, anchor: '' })),
      }),
    }),
  }
}
