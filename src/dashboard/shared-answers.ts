/** Answers that several viewers share: the same request within a second is answered once. */

const ageMs = 1000
const entriesMax = 64

export class SharedAnswers {
  readonly #answers = new Map<string, { readonly untilMs: number; readonly answer: Promise<string> }>()

  get(key: string, ask: () => Promise<string>): Promise<string> {
    const nowMs = performance.now()
    const known = this.#answers.get(key)
    if (known !== undefined && nowMs < known.untilMs) return known.answer
    this.#answers.delete(key)
    if (this.#answers.size >= entriesMax) this.#drop(nowMs)
    const answer = ask()
    this.#answers.set(key, { untilMs: nowMs + ageMs, answer })
    // A failure is not shared with later requests.
    answer.catch(() => this.#answers.delete(key))
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
