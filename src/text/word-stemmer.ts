/** Makes one of the forms of a word: `computers` and `computer` become the same. */
export type WordStemmer = (word: string) => string
