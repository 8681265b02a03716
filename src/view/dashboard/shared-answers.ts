/**
 * Answers that several viewers share. An answer is used for a second, and for twenty times the time that it took, up to five
 * seconds: lists are refreshed that often, so many viewers cost little more than one.
 */

const ageMsMin = 1000
const ageMsMax = 5000
const ageFactor = 20
const entriesMax = 64

interface Shared {
  untilMs: number
  readonly answer: Promise<string>
}

export class SharedAnswers {
  readonly #answers = new Map<string, Shared>()
  readonly #now: () => number

  /** `now`: milliseconds, monotonic. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get(key: string, ask: () => Promise<string>): Promise<string> {
    const startMs = this.#now()
    const known = this.#answers.get(key)
    if (known !== undefined && startMs < known.untilMs) return known.answer
    this.#answers.delete(key)
    if (this.#answers.size >= entriesMax) this.#drop(startMs)
    const answer = ask()
    const shared: Shared = { untilMs: Infinity, answer }
    this.#answers.set(key, shared)
    answer.then(
      () => {
        const endMs = this.#now()
        shared.untilMs = endMs + Math.min(ageMsMax, Math.max(ageMsMin, ageFactor * (endMs - startMs)))
      },
      // A failure is not shared with later requests.
      () => this.#answers.get(key) === shared && this.#answers.delete(key),
    )
    return answer
  }

  /** Forgets all answers, because something was changed. */
  clear(): void {
    this.#answers.clear()
  }

  #drop(nowMs: number): void {
    for (const [key, { untilMs }] of this.#answers) if (untilMs <= nowMs) this.#answers.delete(key)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= entriesMax && oldest !== undefined) this.#answers.delete(oldest)
  }
}
