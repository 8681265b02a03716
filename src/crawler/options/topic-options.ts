/** The topic of a crawl, and the scorer of its pages. */
import { resolve } from 'node:path'
import { choiceChecks, inlineName, type ScorerChoice } from '../../engine/user-code/inline-code.ts'
import { checkOptions, instanceOf, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { anyText, atLeast, durationValue, oneOf, whole } from '../../lib/value-kinds.ts'
import { topicOf, type TopicSettings } from '../../web/topic/topic.ts'
import type { CrawlOptions } from './crawl-options.ts'
import { path, typed, value } from './option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from './option-row.ts'

declare module './crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {
    /** Absent without a topic. */
    readonly topic?: TopicSettings | undefined
  }
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** The number of documents, and how many have each word. */
interface WordFrequencies {
  readonly documents: number
  readonly counts: Uint32Array
}

const frequencyChecks: OptionChecks<WordFrequencies> = {
  documents: ofKind(whole(0)),
  counts: instanceOf(Uint32Array, 'a Uint32Array'),
}

const rows = {
  /** The topic of the crawl, such as "solar energy"; required by topic strategies. */
  topic: value('words', anyText('some words'), 'fetch pages about this topic first, such as "solar energy"', {
    level: 'common',
    isSetting: false,
    isLocal: true,
    example: 'solar energy',
  }),
  /** Which pages are hot; by default those with a word of the topic in the title, or ten in the body. */
  topicHot: value(
    'rule',
    anyText('a rule'),
    "which pages count as hot: 'title:solar or body:solar>=5' (default: a word of the topic in the title, or ten in the body)",
    { level: 'config', isSetting: false, example: 'title:solar or body:solar>=5' },
  ),
  /** Default cosine. */
  likeness: value(
    'measure',
    oneOf(['cosine', 'inner'] as const),
    'similarity of page and topic as tf-idf vectors: cosine (default), inner',
    { level: 'config', isSetting: false, example: 'cosine' },
  ),
  /** The weight of a word in the title; default 4. */
  titleWeight: value('x', atLeast(0), 'weight of a word in the title', {
    level: 'config',
    isSetting: false,
    usual: 4,
  }),
  /** Compare words by their stems in this language. */
  language: value('code', anyText('a language'), 'compare words by their stems: en, de, fr, …', {
    isSetting: false,
    example: 'en',
  }),
  /**
   * Document frequencies of words: the number of documents, and how many have each word; by default those of
   * the pages fetched so far.
   */
  wordFrequencies: path(
    'file',
    '"word<TAB>pages" lines: document frequencies (default: of the pages fetched so far)',
    {
      cli: 'idf',
      level: 'config',
      check: typed<WordFrequencies>((given) =>
        checkOptions('crawl: wordFrequencies', given as WordFrequencies, frequencyChecks),
      ),
      isFile: true,
      isSetting: false,
      example: 'idf.tsv',
    },
  ),
  /**
   * Scores each page, in place of its similarity to the topic. A module runs in its own thread, code in the
   * calling thread.
   */
  scorer: path('file', './score.ts or .js: scores each page, in place of its similarity to the topic', {
    check: typed<ScorerChoice>(choiceChecks.scorer),
    becomes: (given: ScorerChoice) =>
      typeof given === 'string' ? resolve(given) : inlineName('scorer', given),
    isLocal: true,
    example: './score.ts',
  }),
  /** Time limit of the scorer per page; default 10. */
  scorerSeconds: value('t', durationValue, 'time limit of the scorer per page', {
    cli: 'scorerTime',
    level: 'config',
    default: 10,
    usual: '10s',
  }),
} satisfies Rows

export const topicOptions: OptionSet = {
  heading: 'What to look for:',
  rows,
  settings: (options: CrawlOptions) => ({
    topic: topicOf({
      query: options.topic,
      scored: options.scorer !== undefined,
      hot: options.topicHot,
      language: options.language,
      likeness: options.likeness,
      titleWeight: options.titleWeight,
    }),
  }),
}
