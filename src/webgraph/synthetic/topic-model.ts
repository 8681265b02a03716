/**
 * The constants of topical webs that are not options, in addition to `model.ts`. Changing one changes every
 * topical web.
 */
export const topicModel = {
  /** Share of second halves of ranges that start another topic. */
  turnShare: 0.1,
  /** Share of pages with a different topic, of those that do not head a section. */
  strayShare: 0.12,
  /** Share of the links to other sites that choose a site of the page's topic. */
  sameTopicShare: 0.75,

  /** Share of pages that are about their topic; drawn for each section, between these bounds. */
  strongShareMin: 0.17,
  strongShareSpread: 0.5,
  /** Of the other pages, the share that mentions the topic's name. */
  passingShare: 0.55,
  /** Share of pages that mention the name of another topic. */
  strayMentionShare: 0.08,

  /** Of the pages about their topic: name in title and text, in the text alone, or in the title alone. */
  titleAndTextShare: 0.45,
  textOnlyShare: 0.35,
  /** How often a text about its topic has the name, from and to; and a text that mentions it. */
  mentionsMin: 10,
  mentionsMax: 22,
  passingMentionsMax: 4,
  /** Share of topic words in the text of silent, passing and strong pages. */
  topicWordShares: [0.1, 0.12, 0.22],
  /** Words of a text, and additional words per mention. */
  wordsMin: 40,
  wordsMax: 160,
  wordsPerMention: 7,

  /** Shares of sections and pages with the topic's name in the URL. */
  directoryWordShare: 0.12,
  fileWordShare: 0.1,

  /** Share of links whose text has the name of the target's topic, for silent, passing and strong targets. */
  anchorWordShares: [0.1, 0.2, 0.35],
  /** Share of links whose text has the name of a random topic, regardless of the target. */
  anchorMisleadShare: 0.02,
  /** Share of links with the page's most common anchor text. */
  anchorUsualShare: 0.7,
} as const
