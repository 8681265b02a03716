/**
 * Judges kinds of pages and regions of sites by their text (fresh-text.ts). Stale kinds and mazes are put last, never refused.
 */
import type { StateCodec } from '../../lib/state.ts'
import { FreshText, kindRules, mazeRules, parameterRules, type PageText } from './fresh-text.ts'
import {
  actionKindOf,
  familyOf,
  folderKindsOf,
  hostIn,
  kindOf,
  parametersOf,
  siblingsOf,
} from './page-kind.ts'

/** A page with fewer pairs that are looked at, about 16 words, says nothing about its kind. */
const pairsMin = 4
/** A kind is stale with less than this part of the new text that is usual on its site, within limits. */
const usualPart = 1 / 4
const freshMinMax = 0.1
const freshMinMin = 0.01

export class TextWatch {
  /** By kind, by folder with all kinds in it or by siblings, and by parameter on any path. */
  readonly #kinds = new FreshText(kindRules)
  readonly #folders = new FreshText(kindRules)
  readonly #parameters = new FreshText(parameterRules)
  readonly #regions = new FreshText(mazeRules)

  /** Records a fetched page. `foundOn`: the URL of the page that it was found on. */
  fetched(url: string, foundOn: string | undefined, given: PageText): void {
    const hasText = given.pairs >= pairsMin
    const text = hasText ? given : { ...given, pairs: 0, freshPairs: 0 }
    const kind = kindOf(url)
    const action = actionKindOf(url, kind)
    this.#kinds.fetchedAll(action === kind ? [kind] : [kind, action], text)
    this.#parameters.fetchedAll(parametersOf(url), text)
    this.#folders.fetchedAll(groupsOf(url), text)
    this.#regions.fetchedAll([hostIn(url), familyOf(url)], text)
    if (foundOn !== undefined && text.freshPairs > 0) this.#credit(url, kind, foundOn, text.freshPairs)
  }

  /** The kind and the folders of the page that it was found on have led to its text, unless they are its own. */
  #credit(url: string, kind: string, foundOn: string, fresh: number): void {
    const other = kindOf(foundOn)
    if (other !== kind) this.#kinds.led(other, fresh)
    const action = actionKindOf(foundOn, other)
    if (action !== other && action !== actionKindOf(url, kind)) this.#kinds.led(action, fresh)
    const same = parametersOf(url)
    for (const parameter of parametersOf(foundOn))
      if (!same.includes(parameter)) this.#parameters.led(parameter, fresh)
    const own = groupsOf(url)
    for (const folder of groupsOf(foundOn)) if (!own.includes(folder)) this.#folders.led(folder, fresh)
  }

  /**
   * Whether pages of this kind, or else of its folder, bring new text. Or else pages with its parameters: not if its siblings or
   * those with one of its parameters bring none. Undefined: that is not known yet.
   */
  isFresh(url: string, kind: string): boolean | undefined {
    const usual = usualPart * this.#regions.usualShare(hostIn(url))
    const freshMin = Math.min(freshMinMax, Math.max(freshMinMin, usual))
    const action = actionKindOf(url, kind)
    const ofAction = action === kind ? undefined : this.#kinds.isFresh(action, freshMin)
    const ofKind = ofAction ?? this.#kinds.isFresh(kind, freshMin)
    if (ofKind !== undefined) return ofKind
    for (const folder of folderKindsOf(url)) {
      const ofFolder = this.#folders.isFresh(folder, freshMin)
      if (ofFolder !== undefined) return ofFolder
    }
    // Siblings with new text prove nothing: the names of a maze are siblings.
    const siblings = siblingsOf(url)
    if (siblings !== undefined && this.#folders.isFresh(siblings, freshMin) === false) return false
    const ofParameters = parametersOf(url).map((parameter) => this.#parameters.isFresh(parameter, freshMin))
    return ofParameters.includes(false) ? false : ofParameters.find((isFresh) => isFresh)
  }

  /** Whether a page is put last. */
  waits(url: string, kind: string): boolean {
    if (this.#regions.isOnwardOnly(hostIn(url)) || this.#regions.isOnwardOnly(familyOf(url))) return true
    const isFresh = this.isFresh(url, kind)
    if (isFresh !== undefined) return !isFresh
    return this.#regions.isFresh(hostIn(url)) === false || this.#regions.isFresh(familyOf(url)) === false
  }

  transfer(state: StateCodec): void {
    state.section('text watch', 2)
    this.#kinds.transfer(state)
    this.#parameters.transfer(state)
    this.#folders.transfer(state)
    this.#regions.transfer(state)
  }
}

function groupsOf(url: string): readonly string[] {
  const siblings = siblingsOf(url)
  return siblings === undefined ? folderKindsOf(url) : [...folderKindsOf(url), siblings]
}
