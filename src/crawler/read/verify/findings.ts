/** What `verify` found, part by part. */

/** Files that parts of the crawl add, by name. */
// oxlint-disable-next-line typescript/no-empty-object-type -- parts add theirs
export interface PartFiles {}

/** The parts of a crawl's folder, in the order in which they are checked; those of parts of the crawl follow. */
export const partNames = ['crawl.json', 'record', 'snapshots', 'warc', 'cdxj'] as const
export type VerifiedPartName = (typeof partNames)[number] | keyof PartFiles

export interface Damage {
  /** Its path in the crawl's folder; an absolute one if it is elsewhere. */
  readonly file: string
  readonly what: string
  /** Whether `repair` can restore what was there, because it follows from the rest. */
  readonly repairable: boolean
  /** Whether it was repaired. */
  readonly repaired: boolean
}

export interface VerifiedPart {
  readonly name: VerifiedPartName
  readonly files: number
  readonly bytes: number
  /** What was checked, such as `204 responses`; empty if there is nothing of this part. */
  readonly checked: string
  /** At most 100; `damageCount` counts all. */
  readonly damages: readonly Damage[]
  readonly damageCount: number
  /** What is not damage, but may surprise. */
  readonly notes: readonly string[]
}

/** The damages that a result lists of each part. */
const damagesMax = 100

/** Collects what is found in a part. */
export class PartFindings {
  readonly name: VerifiedPartName
  files = 0
  bytes = 0
  checked = ''
  readonly notes: string[] = []
  readonly #damages: { damage: Damage; repair: (() => Promise<void>) | undefined }[] = []
  #count = 0
  #hasLost = false

  constructor(name: VerifiedPartName) {
    this.name = name
  }

  /** `repair` restores the file; without it, the damage stays. */
  damaged(file: string, what: string, repair?: () => Promise<void>): void {
    this.#count++
    this.#hasLost ||= repair === undefined
    if (this.#damages.length < damagesMax || repair !== undefined) {
      const repairable = repair !== undefined
      this.#damages.push({ damage: { file, what, repairable, repaired: false }, repair })
    }
  }

  get isGood(): boolean {
    return this.#count === 0
  }

  /** Whether there is damage that cannot be repaired. */
  get hasLost(): boolean {
    return this.#hasLost
  }

  /** Repairs what can be repaired. A file that cannot be written stays damaged. */
  async repair(): Promise<void> {
    for (const each of this.#damages) {
      if (each.repair === undefined) continue
      try {
        await each.repair()
        each.damage = { ...each.damage, repaired: true }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        each.damage = { ...each.damage, what: `${each.damage.what} It could not be repaired: ${reason}` }
      }
    }
  }

  result(): VerifiedPart {
    const { name, files, bytes, checked, notes } = this
    const damages = this.#damages.slice(0, damagesMax).map(({ damage }) => damage)
    return { name, files, bytes, checked, damages, damageCount: this.#count, notes }
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
