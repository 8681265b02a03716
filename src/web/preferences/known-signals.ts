/**
 * What is known of the signals by which owners say how their pages may be used. Drafts and lists of agents change: this is the only
 * file to edit, and records have the raw statements, so that a later version reads them anew.
 *
 * As of 2026-11-18: draft-ietf-aipref-vocab and -attach-05 (Content-Usage), contentsignals.org (Content-Signal), the final report of
 * the W3C group on TDMRep of 2024, RSL 1.0, the agents that their operators document.
 */

/** What pages can be used for: training of models, input of models (retrieval, answers), an index of a search engine. */
export const usePurposes = ['train-ai', 'ai-input', 'search'] as const
export type UsePurpose = (typeof usePurposes)[number]

/**
 * Labels of Content-Usage that speak of a purpose, the most specific first: the first that a statement has counts. `bots`, `train-genai`
 * and `ai-output` are of earlier drafts.
 */
export const usageLabels: Readonly<Record<UsePurpose, readonly string[]>> = {
  'train-ai': ['train-ai', 'train-genai', 'bots'],
  'ai-input': ['ai-input', 'ai-output', 'ai-use', 'bots'],
  search: ['search', 'bots'],
}

/** Labels of Content-Signal. */
export const signalLabels: Readonly<Record<UsePurpose, string>> = {
  'train-ai': 'ai-train',
  'ai-input': 'ai-input',
  search: 'search',
}

/** Words in robots meta elements and X-Robots-Tag, and the purposes that they deny. */
export const robotsWords: Readonly<Record<string, readonly UsePurpose[]>> = {
  noai: ['train-ai'],
  noimageai: ['train-ai'],
  noml: ['train-ai'],
  noindex: ['search'],
  none: ['search'],
}

/** TDMRep reserves text and data mining. */
export const miningPurposes: readonly UsePurpose[] = ['train-ai', 'ai-input']

/** Usage types of RSL that include a purpose. */
export const licenceUsages: Readonly<Record<UsePurpose, readonly string[]>> = {
  'train-ai': ['train-ai', 'ai-train', 'train-genai', 'ai-all', 'all'],
  'ai-input': ['ai-input', 'ai-use', 'ai-all', 'all'],
  search: ['search', 'all'],
}

/** Payments of RSL that cost nothing. */
export const freePayments: ReadonlySet<string> = new Set(['free', 'attribution'])

/** All kinds of users in RSL. */
export const licencedUsers = ['commercial', 'non-commercial', 'education', 'government', 'personal'] as const

/**
 * Crawlers for AI, by their names in robots.txt. An owner who keeps one of them out of a page does not want the page to be used for
 * what that crawler collects. Names that no request carries, such as Google-Extended, exist for this purpose alone.
 */
export const aiAgents: Readonly<Record<string, readonly UsePurpose[]>> = {
  AI2Bot: ['train-ai'],
  'Ai2Bot-Dolma': ['train-ai'],
  Amazonbot: ['train-ai', 'ai-input'],
  'anthropic-ai': ['train-ai'],
  'Applebot-Extended': ['train-ai'],
  Bytespider: ['train-ai'],
  CCBot: ['train-ai'],
  'ChatGPT-User': ['ai-input'],
  'Claude-SearchBot': ['ai-input'],
  'Claude-User': ['ai-input'],
  'Claude-Web': ['train-ai'],
  ClaudeBot: ['train-ai'],
  'cohere-ai': ['ai-input'],
  'cohere-training-data-crawler': ['train-ai'],
  Diffbot: ['train-ai'],
  DuckAssistBot: ['ai-input'],
  FacebookBot: ['train-ai'],
  'Google-CloudVertexBot': ['ai-input'],
  'Google-Extended': ['train-ai', 'ai-input'],
  GPTBot: ['train-ai'],
  'ICC-Crawler': ['train-ai'],
  img2dataset: ['train-ai'],
  'meta-externalagent': ['train-ai'],
  'meta-externalfetcher': ['ai-input'],
  'MistralAI-User': ['ai-input'],
  'OAI-SearchBot': ['ai-input'],
  omgili: ['train-ai'],
  omgilibot: ['train-ai'],
  PanguBot: ['train-ai'],
  'Perplexity-User': ['ai-input'],
  PerplexityBot: ['ai-input'],
  PetalBot: ['train-ai'],
  TikTokSpider: ['train-ai'],
  Timpibot: ['train-ai'],
  VelenPublicWebCrawler: ['train-ai'],
  'Webzio-Extended': ['train-ai'],
  YouBot: ['ai-input'],
}
