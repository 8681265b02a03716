/** What a page shows, as one text: all between its tags, without scripts, styles and the title. */
import { decodeReferences } from './character-references.ts'
import type { Marks } from './marks.ts'
import type { TextSource } from './text.ts'

/** Ranges of text become one with a blank between them; of more than about `charsMax` characters the beginning. */
export function visibleText(source: TextSource, { texts, textsLength }: Marks, charsMax: number): string {
  const pieces: string[] = []
  let chars = 0
  for (let range = 0; range < textsLength && chars < charsMax; range += 2) {
    const piece = source.piece(texts[range], Math.min(texts[range + 1], texts[range] + charsMax - chars))
    chars += piece.length
    pieces.push(piece)
  }
  return decodeReferences(pieces.join(' '), false)
}
