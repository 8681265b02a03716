/** Events of a simulation in order of time, and at one time in order of scheduling. */
interface Event {
  readonly time: number
  readonly order: number
  /** Undefined: the event was cancelled. */
  run: (() => void) | undefined
}

export class EventQueue {
  readonly #heap: Event[] = []
  #orders = 0
  now = 0

  /** Returns a function that cancels the event. */
  at(time: number, run: () => void): () => void {
    const heap = this.#heap
    const event: Event = { time: Math.max(time, this.now), order: this.#orders++, run }
    let at = heap.length
    heap.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent])) break
      heap[at] = heap[parent]
      at = parent
    }
    heap[at] = event
    return () => {
      event.run = undefined
    }
  }

  /** Runs the next event. Returns false if there is none. */
  step(): boolean {
    const heap = this.#heap
    for (;;) {
      if (heap.length === 0) return false
      const first = heap[0]
      const last = heap.pop()!
      if (heap.length > 0) this.#sink(last)
      if (first.run === undefined) continue
      this.now = first.time
      first.run()
      return true
    }
  }

  #sink(event: Event): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++
      if (!isBefore(heap[child], event)) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = event
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order)
}
