/** The best so many of a stream, the best first; of equals the one that came first. Memory for those alone. */
export class TopList<T> {
  readonly #size: number
  readonly #worth: (item: T) => number
  readonly #items: T[] = []

  constructor(size: number, worth: (item: T) => number) {
    this.#size = size
    this.#worth = worth
  }

  /** Would something of this worth be among them? Asked before an item is made that may not be needed. */
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
