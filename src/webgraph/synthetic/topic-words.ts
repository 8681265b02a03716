/**
 * The language of topical webs, the same for all of them: pseudo-words of syllables, a consonant and a vowel
 * each.
 *
 *   1 and 2 syllables   the general vocabulary: 4,096 words, the frequent ones short; frequency is 1/rank
 *   3 syllables         words that only texts of one topic have, 64 per topic
 *   4 syllables         the names of topics from the ninth on; the first eight have real names
 *
 * The real names are no pseudo-words: none of the eight ends in a vowel.
 */
import type { Draws } from './draws.ts'

const consonants = 'b d f g k l m n p r s t v z'.split(' ')
const vowels = 'a e i o u'.split(' ')
const syllables = consonants.flatMap((consonant) => vowels.map((vowel) => consonant + vowel))
const realNames = ['computer', 'admission', 'energy', 'music', 'history', 'health', 'travel', 'sport']

export const topicsMax = 1_000
const wordsOfAnyText = 4096
const wordsOfTopic = 64

/** The name of a topic, used as query word. */
export function topicName(topic: number): string {
  return realNames[topic] ?? pseudoWord(spread(topic, syllables.length ** 4), 4)
}

/** A word of the general vocabulary. */
export function drawWord(draws: Draws): string {
  const rank = ranks[draws.below(ranks.length)]
  return commonWords[rank]
}

/** A word specific to the topic, the first ones more often; never its name. */
export function drawTopicWord(topic: number, draws: Draws): string {
  const u = draws.unit()
  const index = topic * wordsOfTopic + Math.floor(u * u * wordsOfTopic)
  return pseudoWord(spread(index, syllables.length ** 3), 3)
}

export function capitalized(word: string): string {
  return word[0].toUpperCase() + word.slice(1)
}

function pseudoWord(number: number, length: number): string {
  let word = ''
  for (let i = 0, rest = number; i < length; i++, rest = Math.floor(rest / syllables.length)) {
    word = syllables[rest % syllables.length] + word
  }
  return word
}

/** Distinct numbers for distinct indices, far apart: the factor and 70 are coprime. */
function spread(index: number, below: number): number {
  return ((index + 1) * 104_729) % below
}

const commonWords = Array.from({ length: wordsOfAnyText }, (_, rank) =>
  rank < syllables.length
    ? pseudoWord((rank * 11) % syllables.length, 1)
    : pseudoWord(spread(rank, syllables.length ** 2), 2),
)

/** Each rank is repeated so that a uniform draw gives rank r with probability ~ 1/r. */
const ranks = zipfRanks()

function zipfRanks(): Uint16Array {
  const table = new Uint16Array(1 << 16)
  let total = 0
  for (let rank = 1; rank <= wordsOfAnyText; rank++) total += 1 / rank
  let sum = 0
  let from = 0
  for (let rank = 1; rank <= wordsOfAnyText; rank++) {
    sum += 1 / rank
    const to = Math.floor((sum / total) * table.length)
    table.fill(rank - 1, from, to)
    from = to
  }
  return table
}
