/** The topic of a crawl, and the scorer of its pages. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { entriesOf } from '../../../engine/strategies/index.ts'
import {
  choiceChecks,
  inlineName,
  isInline,
  type ScorerChoice,
} from '../../../engine/user-code/inline-code.ts'
import { isModulePath } from '../../../engine/user-code/strategy-module.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { unreadable } from '../../../lib/files/byte-source.ts'
import { checkOptions, instanceOf, ofKind, type OptionChecks } from '../../../lib/option-checks.ts'
import { anyText, atLeast, durationValue, oneOf, whole } from '../../../lib/value-kinds.ts'
import { topicOf, type TopicSettings } from '../../../web/topic/topic.ts'
import type { CrawlCliOptions, CrawlOptions } from '../../options/crawl-options.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { path, typed, value, workerFile } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import { defaultPatience } from '../../options/scope-options.ts'

declare module '../../options/crawl-options.ts' {
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
      read: readFrequencies,
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
    ...topicStrategy(options),
  }),
  check: ({ strategy, topic, scorer }: CrawlOptions): void => {
    if (topic !== undefined || scorer !== undefined) return
    if (typeof strategy !== 'string' || isModulePath(strategy)) return
    const entry = entriesOf(strategy).find(({ needs }) => needs?.includes('topic') === true)
    if (entry !== undefined)
      throw new RankwardError('USAGE', `Strategy ${entry.name} needs a topic or a scorer.`)
  },
  onShards: (settings) => {
    if (isInline(settings, 'scorer'))
      throw new RankwardError(
        'USAGE',
        'A crawl on a cluster needs its scorer as a module: each worker loads it from a file.',
      )
  },
  workerFiles: { scorer: workerFile('scorer') },
  typed: async ({ cli, shown }) => {
    const { topic, scorer, language } = cli
    if (topic === undefined && scorer === undefined) {
      const belonging = ['topicHot', 'likeness', 'titleWeight', 'language', 'idf'] as const
      const given = belonging.find((name) => cli[name] !== undefined)
      if (given !== undefined)
        throw new RankwardError('USAGE', `${shown(given)} belongs to a topic: give --topic WORDS too.`)
    }
    if (scorer === undefined && cli.scorerTime !== undefined)
      throw new RankwardError('USAGE', '--set scorerTime belongs to a scorer: give --scorer FILE too.')
    if (scorer !== undefined && !existsSync(scorer))
      throw new RankwardError('BAD_SCORER', `Cannot use the scorer ${scorer}: there is no such file.`)
    if (language !== undefined) await stemmerOf(language)
  },
}

/** A crawl with a topic learns where its pages are, unless it has a coverage goal, which needs a strategy that proves coverage. */
function topicStrategy(options: CrawlOptions): Partial<CrawlSettings> {
  const isTopical = options.topic !== undefined || options.scorer !== undefined
  if (!isTopical || options.strategy !== undefined || options.coverage !== undefined) return {}
  const strategy = 'learned-topic'
  return { strategy, patience: options.patience ?? defaultPatience({ ...options, strategy }) }
}

/** The words of the file, in the form that is counted. */
async function readFrequencies(file: string, { language }: CrawlCliOptions): Promise<WordFrequencies> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error)
  })
  const { wordFrequencies } = await import('../../../web/topic/document-frequencies.ts')
  return wordFrequencies(text, file, language === undefined ? undefined : await stemmerOf(language))
}

async function stemmerOf(language: string): Promise<(word: string) => string> {
  const { loadStemmer } = await import('../../../web/text/stem.ts')
  return loadStemmer(language)
}
