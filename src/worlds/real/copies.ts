/** Is what came a copy of a page that came before, and does it lead on? */
import type { ContentSeen } from './content-seen.ts'
import type { Came } from './messages.ts'
import type { NearSeen } from './near-seen.ts'

/** What a page is a copy of. */
export interface CopyOf {
  /** The page that had the same body or text; -1: it is new. */
  readonly duplicateOf: number
  /** Is only its text the same? */
  readonly isSameText: boolean
  /** Where neither is: the page that said nearly the same, and how similar it is; -1: none did. */
  readonly nearDuplicateOf: number
  readonly similarity: number
}

export const noCopy: CopyOf = { duplicateOf: -1, isSameText: false, nearDuplicateOf: -1, similarity: 0 }

export class Copies {
  readonly #content: ContentSeen
  readonly #near: NearSeen | undefined

  /** `near`: undefined, and nobody asks for pages that are nearly the same. */
  constructor(content: ContentSeen, near: NearSeen | undefined) {
    this.#content = content
    this.#near = near
  }

  /** Looks whether this page is a copy; if not, it is now one that others may be copies of. */
  look(page: number, came: Came): CopyOf {
    // What a redirect says besides its target is the same for all of a server's.
    const isRedirect = came.location !== undefined
    const sameBody = isRedirect ? -1 : this.#content.body(page, came.bodyLow, came.bodyHigh)
    const sameText = this.#content.text(page, came.textLow, came.textHigh)
    if (sameBody >= 0) return { ...noCopy, duplicateOf: sameBody }
    if (sameText >= 0) return { ...noCopy, duplicateOf: sameText, isSameText: true }
    if (this.#near === undefined || came.sketch === undefined) return noCopy
    const nearDuplicateOf = this.#near.first(page, came.sketch)
    return nearDuplicateOf < 0 ? noCopy : { ...noCopy, nearDuplicateOf, similarity: this.#near.similarity }
  }

  /**
   * A copy leads where its original led; is what else its links resolve to from here followed too? Pages that say the same, or
   * nearly, may lead to pages that do not: the watch for traps sees to it that this has an end.
   */
  leadsOn({ duplicateOf, isSameText }: CopyOf): boolean {
    return duplicateOf < 0 || isSameText
  }
}
