/**
 * Stems by language, so that `connections` finds `connected`. The stemmers are Snowball's; the library of a
 * language is loaded on first use. English has a library of its own, because the one for the other languages
 * strips a letter too much ("connection": "connec"). Two of its languages are excluded: Bulgarian throws at
 * words in -ен, and Sanskrit strips almost nothing.
 */
import { RankwardError } from '../../lib/errors.ts'
import { nearest } from '../../lib/nearest.ts'

export type Stemmer = (word: string) => string

const languages: Record<string, { name: string; load: () => Promise<Stemmer> }> = {
  ar: { name: 'arabic', load: async () => (await import('@orama/stemmers/arabic')).stemmer },
  da: { name: 'danish', load: async () => (await import('@orama/stemmers/danish')).stemmer },
  de: { name: 'german', load: async () => (await import('@orama/stemmers/german')).stemmer },
  el: { name: 'greek', load: async () => (await import('@orama/stemmers/greek')).stemmer },
  en: { name: 'english', load: async () => (await import('porter2')).stem },
  es: { name: 'spanish', load: async () => (await import('@orama/stemmers/spanish')).stemmer },
  fi: { name: 'finnish', load: async () => (await import('@orama/stemmers/finnish')).stemmer },
  fr: { name: 'french', load: async () => (await import('@orama/stemmers/french')).stemmer },
  ga: { name: 'irish', load: async () => (await import('@orama/stemmers/irish')).stemmer },
  hi: { name: 'hindi', load: async () => (await import('@orama/stemmers/indian')).stemmer },
  hu: { name: 'hungarian', load: async () => (await import('@orama/stemmers/hungarian')).stemmer },
  hy: { name: 'armenian', load: async () => (await import('@orama/stemmers/armenian')).stemmer },
  id: { name: 'indonesian', load: async () => (await import('@orama/stemmers/indonesian')).stemmer },
  it: { name: 'italian', load: async () => (await import('@orama/stemmers/italian')).stemmer },
  lt: { name: 'lithuanian', load: async () => (await import('@orama/stemmers/lithuanian')).stemmer },
  ne: { name: 'nepali', load: async () => (await import('@orama/stemmers/nepali')).stemmer },
  nl: { name: 'dutch', load: async () => (await import('@orama/stemmers/dutch')).stemmer },
  no: { name: 'norwegian', load: async () => (await import('@orama/stemmers/norwegian')).stemmer },
  pt: { name: 'portuguese', load: async () => (await import('@orama/stemmers/portuguese')).stemmer },
  ro: { name: 'romanian', load: async () => (await import('@orama/stemmers/romanian')).stemmer },
  ru: { name: 'russian', load: async () => (await import('@orama/stemmers/russian')).stemmer },
  sr: { name: 'serbian', load: async () => (await import('@orama/stemmers/serbian')).stemmer },
  sv: { name: 'swedish', load: async () => (await import('@orama/stemmers/swedish')).stemmer },
  ta: { name: 'tamil', load: async () => (await import('@orama/stemmers/tamil')).stemmer },
  tr: { name: 'turkish', load: async () => (await import('@orama/stemmers/turkish')).stemmer },
  uk: { name: 'ukrainian', load: async () => (await import('@orama/stemmers/ukrainian')).stemmer },
}

/** The codes of the languages that have stems (ISO 639-1), in order. */
export const stemmedLanguages: readonly string[] = Object.keys(languages)

/**
 * The code of a language with a stemmer, given a tag as pages declare it ("en-GB", "eng") or a name
 * ("English").
 */
export function stemmedLanguage(language: string): string | undefined {
  const typed = language.trim().toLowerCase()
  for (const code of stemmedLanguages) if (typed === code || typed === languages[code].name) return code
  let code: string
  try {
    code = new Intl.Locale(typed.replaceAll('_', '-')).language
  } catch {
    return undefined // no language tag
  }
  if (code === 'nb' || code === 'nn') code = 'no'
  return Object.hasOwn(languages, code) ? code : undefined
}

/** Returns the stemmer of this language for words in lower case (see words.ts). A stem is never empty. */
export async function loadStemmer(language: string): Promise<Stemmer> {
  const code = stemmedLanguage(language)
  if (code === undefined) throw unknownLanguage(language)
  const stem = await languages[code].load()
  return (word) => stem(word) || word
}

function unknownLanguage(language: string): RankwardError {
  const meant = nearest(
    language,
    stemmedLanguages.map((code) => languages[code].name),
  )
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`
  const known = stemmedLanguages.join(', ')
  return new RankwardError('USAGE', `no stems for the language "${language}".${advice} Known are: ${known}.`)
}
