/** The language of a text by its letters (eld), or as the page declares it if the text is too short to tell. */
import { eld } from 'eld/small'

/** More text does not change the answer. */
const charsMax = 5000
const charsMin = 40

export interface DetectedLanguage {
  readonly language: string | undefined
  /** From 0 to 1; undefined if the language is the declared one. */
  readonly score: number | undefined
}

export function languageOfText(text: string, declared: string | undefined): DetectedLanguage {
  const primary = declared?.toLowerCase().split('-')[0]
  if (text.length < charsMin) return { language: primary, score: undefined }
  const result = eld.detect(text.slice(0, charsMax))
  if (result.language === '' || !result.isReliable()) return { language: primary, score: undefined }
  return { language: result.language, score: result.getScores()[result.language] }
}
