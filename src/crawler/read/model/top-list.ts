/** The best N items of a stream, the best first; ties are in stream order. Only these items are stored. */
export class TopList<T> {
  readonly #size: number
  readonly #worth: (item: T) => number
  readonly #items: T[] = []

  constructor(size: number, worth: (item: T) => number) {
    this.#size = size
    this.#worth = worth
  }

  /**
   * True if an item of this value would be in the list. Called before an item is created that may not be
   * needed.
   */
  admits(worth: number): boolean {
    const last = this.#items.at(-1)
    return this.#items.length < this.#size || last === undefined || worth > this.#worth(last)
  }

  add(item: T): void {
    const worth = this.#worth(item)
    if (!this.admits(worth)) return
    if (this.#items.length === this.#size) this.#items.pop()
    let place = this.#items.length
    while (place > 0 && this.#worth(this.#items[place - 1]) < worth) place--
    this.#items.splice(place, 0, item)
  }

  get items(): readonly T[] {
    return this.#items
  }
}
