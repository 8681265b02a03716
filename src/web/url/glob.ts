/**
 * Patterns for URLs: `*` matches any characters within a path segment, `**` any characters at all, `?` one
 * character except a slash; a backslash makes the next character literal. The whole text must match.
 *
 * Matching tracks the set of positions in the pattern that the text so far can have reached. Each character
 * of the text advances that set once, so the cost is at most text × pattern for any pattern, without
 * backtracking. Most texts are refused before that by the literal start and end of the pattern.
 */
const one = -1
const some = -2
const any = -3
const slash = 0x2f

export class Glob {
  readonly #start: string
  readonly #end: string
  /** The middle: a character code or one of the marks above at each position. */
  readonly #places: Int32Array
  #reached: Uint8Array
  #next: Uint8Array

  constructor(pattern: string) {
    const places = placesOf(pattern)
    const first = places.findIndex((place) => place < 0)
    const plain = first < 0 ? places.length : first
    const last = places.findLastIndex((place) => place < 0)
    this.#start = String.fromCharCode(...places.slice(0, plain))
    this.#end = first < 0 ? '' : String.fromCharCode(...places.slice(last + 1))
    this.#places = Int32Array.from(first < 0 ? [] : places.slice(plain, last + 1))
    this.#reached = new Uint8Array(this.#places.length + 1)
    this.#next = new Uint8Array(this.#places.length + 1)
  }

  matches(text: string): boolean {
    const from = this.#start.length
    const to = text.length - this.#end.length
    if (to < from || !text.startsWith(this.#start) || !text.endsWith(this.#end)) return false
    if (this.#places.length === 0) return from === to
    if (this.#places.length === 1 && this.#places[0] === any) return true
    this.#reached.fill(0)
    this.#reached[0] = 1
    this.#skipStars()
    for (let i = from; i < to; i++) if (!this.#step(text.charCodeAt(i))) return false
    return this.#reached[this.#places.length] === 1
  }

  /** Advances all reached positions by one character; false if none is left. */
  #step(code: number): boolean {
    const places = this.#places
    const reached = this.#reached
    const next = this.#next
    next.fill(0)
    let isAny = false
    for (let i = 0; i < places.length; i++) {
      if (reached[i] === 0) continue
      const place = places[i]
      if (place === any || (place === some && code !== slash)) next[i] = 1
      else if (place === code || (place === one && code !== slash)) next[i + 1] = 1
      else continue
      isAny = true
    }
    this.#reached = next
    this.#next = reached
    this.#skipStars()
    return isAny
  }

  /** A star may match nothing. */
  #skipStars(): void {
    for (let i = 0; i < this.#places.length; i++) {
      if (this.#reached[i] === 1 && this.#places[i] <= some) this.#reached[i + 1] = 1
    }
  }
}

function placesOf(pattern: string): number[] {
  const places: number[] = []
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '\\' && i + 1 < pattern.length) places.push(pattern.charCodeAt(++i))
    else if (char === '?') places.push(one)
    else if (char === '*') {
      let stars = 1
      for (; pattern[i + 1] === '*'; i++) stars++
      places.push(stars > 1 ? any : some)
    } else places.push(pattern.charCodeAt(i))
  }
  return places
}
