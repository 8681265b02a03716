/** The numbers of topical webs that are not options, beside `model.ts`. Changing one changes every topical web. */
export const topicModel = {
  /** Ranges from which on down the topic is another, of those that come second in theirs. */
  turnShare: 0.1,
  /** Pages with a topic of their own, of those that do not head a section. */
  strayShare: 0.12,
  /** Links to other sites that look for one of the page's topic. */
  sameTopicShare: 0.75,

  /** Pages that are about their topic, not beside it: in each section another share between these. */
  strongShareMin: 0.17,
  strongShareSpread: 0.5,
  /** Of the pages that are not, those that mention the topic's word. */
  passingShare: 0.55,
  /** Pages that mention the word of some other topic. */
  strayMentionShare: 0.08,

  /** Of the pages about their topic: its word in title and text, in the text alone, or in the title alone. */
  titleAndTextShare: 0.45,
  textOnlyShare: 0.35,
  /** How often a text about its topic has the word, from and to; and a text that mentions it. */
  mentionsMin: 10,
  mentionsMax: 22,
  passingMentionsMax: 4,
  /** Of the words of a text, those of its topic: silent, passing and strong. */
  topicWordShares: [0.1, 0.12, 0.22],
  /** Words of a text, and how many more for each mention. */
  wordsMin: 40,
  wordsMax: 160,
  wordsPerMention: 7,

  /** Sections and pages that have the word in their URL. */
  directoryWordShare: 0.12,
  fileWordShare: 0.1,

  /** Links whose text has the word of what they lead to: silent, passing and strong. */
  anchorWordShares: [0.1, 0.2, 0.35],
  /** Links whose text has the word of some topic, whatever they lead to. */
  anchorMisleadShare: 0.02,
  /** Links with the text that most links to the page have. */
  anchorUsualShare: 0.7,
} as const
