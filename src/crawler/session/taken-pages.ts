/**
 * Pages that the engine selected and that neither have an outcome nor wait again: their score, and the position
 * of their request among all requests.
 */
interface TakenPage {
  readonly score: number
  /** From 1; 0 if it was not requested. */
  readonly order: number
}

export class TakenPages {
  readonly #taken = new Map<number, { score: number; order: number }>()

  get count(): number {
    return this.#taken.size
  }

  add(page: number, score: number): void {
    this.#taken.set(page, { score, order: 0 })
  }

  sent(page: number, order: number): void {
    const taken = this.#taken.get(page)
    if (taken === undefined) this.#taken.set(page, { score: 0, order })
    else taken.order = order
  }

  /** Undefined if it was not selected in this session. */
  scoreOf(page: number): number | undefined {
    return this.#taken.get(page)?.score
  }

  remove(page: number): TakenPage {
    const taken = this.#taken.get(page)
    this.#taken.delete(page)
    return taken ?? { score: 0, order: 0 }
  }
}
