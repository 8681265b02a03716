/**
 * Patterns for URLs: `*` matches any characters within a path segment, `**` any characters at all, `?` one
 * character except a slash; a backslash makes the next character literal. The whole text must match.
 *
 * All patterns of a set are one automaton. A state is the set of positions in the patterns that the text so far can have
 * reached; its successors are computed when a text first needs them and then remembered, so a text costs one look-up per
 * character, however many patterns there are. Memory is bounded: past `statesMax` states the automaton starts anew. Each step is
 * then computed again, so the cost is at most text × patterns, without backtracking.
 */
const one = -1
const some = -2
const any = -3
const end = -4
const slash = 0x2f

/** Characters are treated alike, as classes, if no pattern tells them apart. */
const otherClass = 0
const slashClass = 1

/** No pattern can match any more; some pattern matches whatever follows; not computed yet. */
const none = 0
const all = 1
const unknown = -1
const start = 2
const statesMax = 2048
const statesAtFirst = 16

export class Globs {
  /** All patterns, one after the other: the class of a character or one of the marks above at each position. */
  readonly #places: Int32Array
  readonly #first: number[] = []
  /** The classes of ASCII characters, and of others that patterns name. */
  readonly #ascii = new Uint16Array(128)
  readonly #others = new Map<number, number>()
  readonly #classes: number
  /** By state and class. */
  #next: Int32Array
  #positions: (readonly number[])[] = []
  #accepts: boolean[] = []
  readonly #stateOf = new Map<string, number>()

  constructor(patterns: readonly string[]) {
    const places: number[] = []
    let classes = slashClass + 1
    this.#ascii[slash] = slashClass
    for (const pattern of patterns) {
      this.#first.push(places.length)
      for (const place of placesOf(pattern)) {
        if (place >= 0 && this.#classOf(place) === otherClass) {
          if (place < 128) this.#ascii[place] = classes++
          else this.#others.set(place, classes++)
        }
        places.push(place < 0 ? place : this.#classOf(place))
      }
      places.push(end)
    }
    this.#places = Int32Array.from(places)
    this.#classes = classes
    this.#next = new Int32Array(statesAtFirst * classes)
    this.#forget()
  }

  /** Whether a pattern matches the text from this position on. */
  matches(text: string, from = 0): boolean {
    let state = start
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const kind = code < 128 ? this.#ascii[code] : this.#classOf(code)
      const known = this.#next[state * this.#classes + kind]
      state = known === unknown ? this.#advance(state, kind) : known
      if (state <= all) return state === all
    }
    return this.#accepts[state]
  }

  #classOf(code: number): number {
    return code < 128 ? this.#ascii[code] : (this.#others.get(code) ?? otherClass)
  }

  /** The state after a character of this class. */
  #advance(state: number, kind: number): number {
    const reached: number[] = []
    for (const position of this.#positions[state]) {
      const place = this.#places[position]
      if (place === any || (place === some && kind !== slashClass)) reached.push(position)
      else if (place === kind || (place === one && kind !== slashClass)) reached.push(position + 1)
    }
    const positions = this.#withSkippedStars(reached)
    const known = this.#known(positions)
    if (known === undefined && this.#positions.length === statesMax) {
      this.#forget()
      return this.#add(positions)
    }
    const next = known ?? this.#add(positions)
    this.#next[state * this.#classes + kind] = next
    return next
  }

  /** A star may match nothing. */
  #withSkippedStars(positions: readonly number[]): readonly number[] {
    const reached = new Set<number>()
    for (let position of positions) {
      reached.add(position)
      while (this.#places[position] === some || this.#places[position] === any) reached.add(++position)
    }
    return [...reached].toSorted((a, b) => a - b)
  }

  #known(positions: readonly number[]): number | undefined {
    if (positions.length === 0) return none
    const isSure = positions.some((at) => this.#places[at] === any && this.#places[at + 1] === end)
    return isSure ? all : this.#stateOf.get(positions.join())
  }

  #add(positions: readonly number[]): number {
    const state = this.#positions.length
    this.#positions.push(positions)
    this.#accepts.push(positions.some((position) => this.#places[position] === end))
    this.#stateOf.set(positions.join(), state)
    if (this.#positions.length * this.#classes > this.#next.length) {
      const larger = new Int32Array(2 * this.#next.length)
      larger.set(this.#next)
      this.#next = larger
    }
    this.#next.fill(unknown, state * this.#classes, (state + 1) * this.#classes)
    return state
  }

  /** Leaves the three states that every automaton has. */
  #forget(): void {
    this.#positions = [[], []]
    this.#accepts = [false, true]
    this.#stateOf.clear()
    this.#add(this.#withSkippedStars(this.#first))
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
