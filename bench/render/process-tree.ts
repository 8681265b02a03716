/** Processor time and memory of a process and all its descendants, by looking at /proc while they live (Linux). */
import { readdirSync, readFileSync } from 'node:fs'

export interface TreeUse {
  readonly cpuSeconds: number
  /** The largest sum of what the processes do not share. */
  readonly peakBytes: number
  /** The sums over time, at equal distances. */
  readonly courseBytes: readonly number[]
}

const lookMs = 200

export class ProcessTree {
  readonly #root: number
  readonly #ticks = new Map<number, number>()
  readonly #members: Set<number>
  readonly #course: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor(root: number) {
    this.#root = root
    this.#members = new Set([root])
    this.#timer = setInterval(() => this.#look(), lookMs)
  }

  #look(): void {
    const parents = new Map<number, number>()
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      const fields = Number.isInteger(pid) ? statOf(pid) : undefined
      if (fields === undefined) continue
      parents.set(pid, Number(fields[1]))
      if (this.#members.has(pid)) this.#ticks.set(pid, Number(fields[11]) + Number(fields[12]))
    }
    // Children may have smaller numbers than their parents.
    for (let before = -1; before !== this.#members.size;) {
      before = this.#members.size
      for (const [pid, parent] of parents) if (this.#members.has(parent)) this.#members.add(pid)
    }
    let bytes = 0
    for (const pid of this.#members) if (parents.has(pid)) bytes += ownBytes(pid)
    this.#course.push(bytes)
  }

  /** Whether a process other than the root lives. */
  get hasChildren(): boolean {
    this.#look()
    return [...this.#members].some((pid) => pid !== this.#root && statOf(pid) !== undefined)
  }

  stop(): TreeUse {
    clearInterval(this.#timer)
    const ticks = [...this.#ticks.values()].reduce((sum, each) => sum + each, 0)
    return { cpuSeconds: ticks / 100, peakBytes: Math.max(0, ...this.#course), courseBytes: this.#course }
  }
}

/** The fields after the name of the program; undefined if it has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields
  } catch {
    return undefined
  }
}

function ownBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number)
    return (resident - shared) * 4096
  } catch {
    return 0
  }
}
