/** Reads the word frequencies that a topic is compared with. */
import { readFile } from 'node:fs/promises'
import { unreadable } from '../lib/files/byte-source.ts'
import { loadStemmer } from '../web/text/stem.ts'
import { wordFrequencies } from '../web/topic/document-frequencies.ts'

/** The reference file for the idf, with words in the form that is counted. */
export async function readIdf({
  idf,
  language,
}: {
  readonly idf?: string | undefined
  readonly language?: string | undefined
}): Promise<ReturnType<typeof wordFrequencies> | undefined> {
  if (idf === undefined) return undefined
  const text = await readFile(idf, 'utf8').catch((error: unknown) => {
    throw unreadable(idf, error)
  })
  return wordFrequencies(text, idf, language === undefined ? undefined : await loadStemmer(language))
}
