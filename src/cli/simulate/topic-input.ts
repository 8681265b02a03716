/**
 * Reads the inputs of a simulated crawl with a topic: the words of the pages, word frequencies, the user's
 * scorer.
 */
import { plural } from '../../lib/amounts.ts'
import type { Web } from '../../webgraph/web.ts'
import { RankwardError } from '../../lib/errors.ts'
import { flagOf } from '../../lib/option-table.ts'
import type { WebWords } from '../../simulator/web-words.ts'
import { topicOf, type TopicSettings } from '../../web/topic/topic.ts'
import { parseHotRules } from '../../webgraph/measures/hot-rule.ts'
import { progressBar, safe } from '../terminal.ts'
import { readIdf } from '../word-frequencies-input.ts'
import type { SimulateCliOptions } from './options.ts'

/** Undefined if there is no topic and no rule needs words. */
export async function readWords(web: Web, cli: SimulateCliOptions): Promise<WebWords | undefined> {
  const { pagesContent, hot = [] } = cli
  const rules = parseHotRules(hot)
    .filter(({ words }) => words.length > 0)
    .map(({ text }) => text)
  const topic =
    topicSettings(cli, rules) ?? (rules.length === 0 ? undefined : { query: '', watchedRules: rules })
  if (pagesContent === undefined) {
    if (topic === undefined) return undefined
    throw new RankwardError(
      'USAGE',
      'A topic needs the contents of the pages: give --pages-content FILE too.',
    )
  }
  if (topic === undefined)
    throw new RankwardError('USAGE', '--pages-content needs a topic: give --topic WORDS too.')
  const { readWebWords } = await import('../../simulator/contents/web-contents.ts')
  const bar = progressBar(`Reading ${pagesContent}`, cli.progress)
  const scorer = await openScorer(cli)
  try {
    return await readWebWords(web, pagesContent, {
      topic,
      reference: await readIdf(cli),
      scorer,
      progress: bar.progress,
    })
  } finally {
    await scorer?.close()
    bar.end()
    if (scorer !== undefined && scorer.failures > 0) {
      const last = safe(scorer.lastFailure ?? '')
      process.stderr.write(
        `rankward: note: the scorer returned no number for ${plural(scorer.failures, 'page')} (the last: ${last})\n`,
      )
    }
  }
}

async function openScorer(cli: SimulateCliOptions) {
  if (cli.scorer === undefined) return undefined
  const { ScorerThread } = await import('../../engine/user-code/scorer-thread.ts')
  return ScorerThread.open(cli.scorer, { secondsMax: cli.scorerTime ?? 10 })
}

/** The topic according to the options; undefined if there is none. */
function topicSettings(cli: SimulateCliOptions, watchedRules: readonly string[]): TopicSettings | undefined {
  const { topic, scorer, topicHot } = cli
  if (topic === undefined && scorer === undefined) {
    const given = (['topicHot', 'language', 'idf'] as const).find((name) => cli[name] !== undefined)
    if (given === undefined) return undefined
    throw new RankwardError('USAGE', `${flagOf(given)} belongs to a topic: give --topic WORDS too.`)
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
