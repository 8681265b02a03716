/**
 * The texts of a topical web: every page as HTML, a function of the seed, the page and its links. Words come
 * from the general vocabulary and from the page's topic (`topic-words.ts`). The topic's name appears in title
 * and text depending on how much the page is about it. Some anchor texts describe the link's target, a few
 * mislead, and most are neutral.
 */
import { Draws, part, subkey, webKey } from './draws.ts'
import { relevance, type PageTopics } from './page-topics.ts'
import { topicModel } from './topic-model.ts'
import { capitalized, drawTopicWord, drawWord } from './topic-words.ts'

const sayingNothing = ['more', 'next', 'here', 'back', 'details', 'read on', 'overview', 'see also']
const nothingShare = 0.35
const sentenceWordsMin = 6
const sentenceWordsSpread = 9
const paragraphSentences = 4

/** The plan of a text: how often it has the topic's name, and which other topic it mentions. */
interface Plan {
  readonly topic: number
  readonly inTitle: boolean
  readonly mentions: number
  readonly topicWordShare: number
  readonly otherTopic: number
  readonly otherMentions: number
}

export class PageTexts {
  readonly #topics: PageTopics
  readonly #textKey: number
  readonly #anchorKey: number
  readonly #draws = new Draws()
  readonly #anchorDraws = new Draws()

  constructor(topics: PageTopics, seed: number) {
    this.#topics = topics
    this.#textKey = subkey(webKey(seed), part.text)
    this.#anchorKey = subkey(webKey(seed), part.anchor)
  }

  /** The HTML of a page with these links, in their order. */
  html(page: number, links: Uint32Array, hrefOf: (target: number) => string): string {
    this.#draws.restart(subkey(this.#textKey, page))
    const plan = this.#plan(page)
    const title = this.#title(plan)
    const text = this.#paragraphs(plan)
    let items = ''
    for (const target of links) {
      items += `<li><a href="${hrefOf(target)}">${this.anchor(page, target)}</a></li>\n`
    }
    return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
${text}${items === '' ? '' : `<ul>\n${items}</ul>\n`}</body>
</html>
`
  }

  /** The text of the link from `page` to `target`. */
  anchor(page: number, target: number): string {
    const draws = this.#anchorDraws
    const linkKey = subkey(subkey(this.#anchorKey, page), target)
    draws.restart(linkKey)
    if (draws.unit() < topicModel.anchorUsualShare) draws.restart(subkey(this.#anchorKey, target))
    const topic = this.#topics.topicOf(target)
    const wordShare = topicModel.anchorWordShares[this.#topics.relevanceOf(target)]
    const kind = draws.unit()
    if (kind < wordShare) return around(this.#topics.nameOf(topic), draws)
    if (kind < wordShare + topicModel.anchorMisleadShare) {
      return around(this.#topics.nameOf(this.#topics.at(draws.unit())), draws)
    }
    if (draws.unit() < nothingShare) return sayingNothing[draws.below(sayingNothing.length)]
    const word = draws.unit() < 0.3 ? drawTopicWord(topic, draws) : drawWord(draws)
    return around(word, draws)
  }

  #plan(page: number): Plan {
    const draws = this.#draws
    const topics = this.#topics
    const topic = topics.topicOf(page)
    const relevant = topics.relevanceOf(page)
    const isStrong = relevant === relevance.strong
    const form = draws.unit()
    const inText = isStrong && form < topicModel.titleAndTextShare + topicModel.textOnlyShare
    const inTitle = isStrong && (form < topicModel.titleAndTextShare || !inText)
    const few = 1 + draws.below(topicModel.passingMentionsMax)
    const many = topicModel.mentionsMin + draws.below(topicModel.mentionsMax - topicModel.mentionsMin + 1)
    const mentions = inText ? many : relevant === relevance.silent ? 0 : few
    const otherTopic = topics.at(draws.unit())
    const mentionsOther = draws.unit() < topicModel.strayMentionShare && otherTopic !== topic
    return {
      topic,
      inTitle,
      mentions,
      topicWordShare: topicModel.topicWordShares[relevant],
      otherTopic,
      otherMentions: mentionsOther ? 1 + draws.below(2) : 0,
    }
  }

  #title({ topic, inTitle }: Plan): string {
    const draws = this.#draws
    const words = [drawTopicWord(topic, draws), drawWord(draws), drawWord(draws)]
    if (inTitle) words[draws.below(words.length)] = this.#topics.nameOf(topic)
    return words.map(capitalized).join(' ')
  }

  #paragraphs(plan: Plan): string {
    const draws = this.#draws
    const { wordsMin, wordsMax, wordsPerMention } = topicModel
    let left = wordsMin + draws.below(wordsMax - wordsMin + 1) + plan.mentions * wordsPerMention
    let { mentions, otherMentions } = plan
    let html = ''
    for (let sentence = 0; left > 0; sentence++) {
      const length = Math.min(left, sentenceWordsMin + draws.below(sentenceWordsSpread))
      let text = ''
      for (let i = 0; i < length; i++, left--) {
        // Every position is equally likely to have one of the remaining mentions.
        const u = draws.unit() * left
        let word: string
        if (u < mentions) {
          word = this.#topics.nameOf(plan.topic)
          mentions--
        } else if (u < mentions + otherMentions) {
          word = this.#topics.nameOf(plan.otherTopic)
          otherMentions--
        } else if (draws.unit() < plan.topicWordShare) word = drawTopicWord(plan.topic, draws)
        else word = drawWord(draws)
        text += i === 0 ? capitalized(word) : ` ${word}`
      }
      const place = sentence % paragraphSentences
      html += `${place === 0 ? '<p>' : ' '}${text}.`
      if (place === paragraphSentences - 1 || left === 0) html += '</p>\n'
    }
    return html
  }
}

/** The word, alone or next to another word. */
function around(word: string, draws: Draws): string {
  const form = draws.below(3)
  if (form === 0) return capitalized(word)
  const other = drawWord(draws)
  return form === 1 ? `${capitalized(other)} ${word}` : `${capitalized(word)} ${other}`
}
