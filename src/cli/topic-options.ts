/** The options of a crawl with a topic, for both worlds. */
import { Option, type Command } from 'commander'
import { titleWeightDefault, topicOf, type TopicSettings } from '../web/topic/topic.ts'
import { RankwardError } from '../lib/errors.ts'
import { durationValue } from '../lib/value-kinds.ts'
import { numberFrom, parserOf } from './options.ts'

export interface TopicCliOptions {
  readonly topic?: string
  readonly topicHot?: string
  readonly likeness?: 'cosine' | 'inner'
  readonly titleWeight?: number
  readonly language?: string
  readonly idf?: string
  readonly scorer?: string
  readonly scorerTime?: number
}

export function withTopicOptions(command: Command): Command {
  return command
    .option('--topic <words>', 'the topic of the crawl, such as "solar energy"; required by topic strategies')
    .option(
      '--topic-hot <rule>',
      "which pages count as hot, such as 'title:solar or body:solar>=5' (default: a word of the topic in the title, or ten in the body)",
    )
    .addOption(
      new Option('--likeness <measure>', 'similarity of page and topic, as tf-idf vectors of words')
        .choices(['cosine', 'inner'])
        .default('cosine'),
    )
    .option('--title-weight <x>', 'weight of a word in the title', numberFrom(0), titleWeightDefault)
    .option('--language <code>', 'compare words by their stems in this language: en, de, fr, …')
    .option(
      '--idf <file>',
      '"word<TAB>pages" lines after "# Documents: N": document frequencies (default: of the pages fetched so far)',
    )
    .option(
      '--scorer <file>',
      './score.ts or .js: a module that gives each page a score, used instead of its similarity',
    )
    .option('--scorer-time <t>', 'time limit of the scorer per page (default: 10s)', parserOf(durationValue))
}

/** The topic according to the options; undefined if there is none. */
export function topicSettings(
  cli: TopicCliOptions,
  watchedRules: readonly string[],
): TopicSettings | undefined {
  const { topic, scorer, topicHot } = cli
  if (topic === undefined && scorer === undefined) {
    for (const [name, value] of [
      ['--topic-hot', topicHot],
      ['--language', cli.language],
      ['--idf', cli.idf],
    ]) {
      if (value !== undefined)
        throw new RankwardError('USAGE', `${name} belongs to a topic: give --topic WORDS too.`)
    }
    return undefined
  }
  return topicOf({
    query: topic,
    scored: scorer !== undefined,
    hot: topicHot,
    language: cli.language,
    likeness: cli.likeness,
    titleWeight: cli.titleWeight,
    watchedRules,
  })
}
