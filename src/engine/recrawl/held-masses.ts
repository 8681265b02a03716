/** The masses by which held pages are valued: as of the last look, or of the last change by a level. 4 bytes per page. */
import type { RecrawlServices } from '../recrawl-policy.ts'
import { GrowingFloat32, GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

/** A level of the keys. */
const ratioMax = 2 ** (1 / 4)

export class HeldMasses {
  readonly #masses: GrowingFloat32 | GrowingFloat64
  #massOf: (page: number) => number = () => 1

  /** `isExact`: 8 bytes per page. Levels of keys do not need it. */
  constructor({ isExact = false } = {}) {
    this.#masses = isExact ? new GrowingFloat64() : new GrowingFloat32()
  }

  start(services: RecrawlServices): void {
    this.#massOf = (page) => services.massOf(page)
  }

  of(page: number): number {
    return this.#masses.array[page]
  }

  /** Takes the mass that the page has now. */
  update(page: number): void {
    this.#masses.ensure(page)
    this.#masses.array[page] = this.#massOf(page)
  }

  /** The same, if it has moved by more than a level: then it is true. */
  moved(page: number): boolean {
    const now = this.#massOf(page)
    const held = this.#masses.array[page]
    if (now >= held / ratioMax && now <= held * ratioMax) return false
    this.#masses.array[page] = now
    return true
  }

  live(page: number): number {
    return this.#massOf(page)
  }

  transfer(state: StateCodec): void {
    state.growing(this.#masses)
  }

  get byteLength(): number {
    return this.#masses.array.byteLength
  }
}
