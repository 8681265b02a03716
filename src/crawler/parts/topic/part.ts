/** Topic: pages are compared with what the crawl looks for: words, or the judgement of a user's scorer. */
import { durationText, percentText, plural } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import { wordsOf } from '../../../web/text/words.ts'
import { defaultHotRule } from '../../../web/topic/topic.ts'
import { safe } from '../../read/words.ts'
import type { Part } from '../part.ts'
import { topicOptions } from './options.ts'
import type { ShownCounts } from '../shown.ts'
import type { TopicThread } from './topic-reader.ts'

/** Counts of a crawl with a topic. */
export interface TopicCounts {
  readonly hot: number
  /** Pages without a score, with a scorer. */
  readonly scorerFailures: number
}

declare module '../../options/crawl-options.ts' {
  interface CrawlProgress {
    /** Hot pages fetched; undefined without a topic. */
    readonly hot?: number | undefined
  }
  interface CrawlTotals {
    /** Hot pages, with a topic; pages without a score, with a scorer. */
    readonly hot?: number | undefined
    readonly scorerFailures?: number | undefined
  }
  interface PartEvents {
    /** The user's scorer returned no number. */
    readonly unscored: { readonly kind: 'unscored'; readonly url: string; readonly why: string }
  }
}

export const topic: Part = {
  name: 'topic',
  options: topicOptions,
  isUsed: ({ topic: wanted }) => wanted !== undefined,
  reader: workerEntry(import.meta.url, './topic-reader'),
  thread({ topic: wanted, scorer }): TopicThread | undefined {
    return wanted === undefined ? undefined : { topic: wanted, wantsText: scorer !== undefined }
  },

  work: () => import('./crawl-topic.ts'),

  shows: {
    row: (counts) => (counts.hot === undefined ? undefined : ['found', foundText(counts.hot, counts)]),

    planRow({ topic: wanted, scorer, scorerSeconds }) {
      if (wanted === undefined) return undefined
      const { query, language, hot = defaultHotRule(wordsOf(query)) } = wanted
      const stems = language === undefined ? '' : `, words compared by their stems (${language})`
      const limit = `at most ${durationText(scorerSeconds)} per page`
      return [
        'Looks for',
        [
          ...(query === '' ? [] : [`pages about ${safe(query)}${stems}`]),
          ...(scorer === undefined ? [] : [`pages with a high score by ${safe(scorer)}, ${limit}`]),
          `relevant: ${safe(hot)}`,
        ],
      ]
    },
  },
}

/** "12 hot pages (40% of the pages fetched); the scorer returned no number for 3 pages" */
function foundText(hot: number, { pages = 0, scorerFailures = 0 }: ShownCounts): string {
  const share = pages === 0 ? '' : ` (${percentText(hot / pages)} of the pages fetched)`
  const unscored =
    scorerFailures === 0 ? '' : `; the scorer returned no number for ${plural(scorerFailures, 'page')}`
  return `${plural(hot, 'hot page')}${share}${unscored}`
}
