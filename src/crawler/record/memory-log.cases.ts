/** A log in memory, for simulations and tests. Writers of one `MemoryGroups` fence each other. */
import { RankwardError } from '../../lib/errors.ts'
import { fenced, type GroupLog, type GroupPlace, type StoredGroup } from './group-log.ts'

/** The groups that all writers of one log share. */
export class MemoryGroups {
  readonly groups: StoredGroup[] = []
  writers = 0
}

export class MemoryLog implements GroupLog {
  readonly #shared: MemoryGroups
  readonly #writer: number
  #isClosed = false

  /** Claims the log: earlier writers are fenced. */
  constructor(shared = new MemoryGroups()) {
    this.#shared = shared
    this.#writer = ++shared.writers
  }

  get last(): number {
    return this.#shared.groups.length
  }

  append(group: Uint8Array): Promise<GroupPlace> {
    if (this.#isClosed) {
      return Promise.reject(new RankwardError('FILE_UNWRITABLE', 'The log in memory is closed.'))
    }
    const { groups, writers } = this.#shared
    if (writers !== this.#writer) return Promise.reject(fenced('memory'))
    const place = { segment: this.#writer, offset: groups.length }
    groups.push({ ...place, number: groups.length + 1, writer: String(this.#writer), bytes: group.slice() })
    return Promise.resolve(place)
  }

  async *read(after: number): AsyncGenerator<StoredGroup> {
    const { last } = this
    for (let i = after; i < last; i++) yield this.#shared.groups[i]
  }

  close(): Promise<void> {
    this.#isClosed = true
    return Promise.resolve()
  }
}
