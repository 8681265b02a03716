/**
 * The integral of a step function of time over equal parts of [0, end), in constant time per interval: the parts at both
 * ends get their share at once, those between through a difference array.
 */
export class TimeBins {
  readonly #width: number
  readonly #edges: Float64Array
  readonly #steps: Float64Array

  constructor(end: number, bins: number) {
    this.#width = end / bins
    this.#edges = new Float64Array(bins)
    this.#steps = new Float64Array(bins + 1)
  }

  /** The function is larger by `height` in [start, stop), a part of [0, end). */
  add(start: number, stop: number, height: number): void {
    const width = this.#width
    const last = this.#edges.length - 1
    const first = Math.min(last, Math.floor(start / width))
    const final = Math.min(last, Math.floor(stop / width))
    if (first === final) {
      this.#edges[first] += height * (stop - start)
      return
    }
    this.#edges[first] += height * ((first + 1) * width - start)
    this.#edges[final] += height * (stop - final * width)
    this.#steps[first + 1] += height
    this.#steps[final] -= height
  }

  integrals(): number[] {
    let height = 0
    return Array.from(this.#edges, (edge, bin) => edge + this.#width * (height += this.#steps[bin]))
  }
}
