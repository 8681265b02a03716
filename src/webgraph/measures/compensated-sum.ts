/**
 * A sum that keeps the rounding error of each addition (Neumaier's variant of Kahan's summation). Its error
 * does not grow with the number of terms: the shares of 100 million pages add up to 1 within one or two units
 * of the last digit.
 */
export class CompensatedSum {
  #sum = 0
  #lost = 0

  add(term: number): void {
    const sum = this.#sum + term
    // The smaller of the two lost digits.
    if (Math.abs(this.#sum) >= Math.abs(term)) this.#lost += this.#sum - sum + term
    else this.#lost += term - sum + this.#sum
    this.#sum = sum
  }

  get value(): number {
    return this.#sum + this.#lost
  }
}
