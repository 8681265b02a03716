/** A cluster on this machine for benchmarks: workers as processes of the command line, and the CPU time that processes have used. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside the compiled benchmark; in `dist` where a test runs the sources. */
const program = ['../../src/cli/main.js', '../../dist/bundle/main.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path))

/** One run of the command line. */
export class CommandProcess {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** The last seconds of CPU that were read: the system forgets them when the process ends. */
  #cpuSeconds = 0
  #output = ''

  constructor(args: readonly string[]) {
    if (program === undefined) throw new Error('The command line is not built: run `npm run build`.')
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
    this.child = child
    const sampling = setInterval(() => void this.cpuSeconds, 50)
    this.ended = once(child, 'close').then(([code]) => {
      clearInterval(sampling)
      return code as number | null
    })
  }

  /** What it has printed on both streams so far. */
  get output(): string {
    return this.#output
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  get cpuSeconds(): number {
    this.#cpuSeconds = cpuSecondsOf(this.child.pid) ?? this.#cpuSeconds
    return this.#cpuSeconds
  }

  /** kill -9. */
  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGKILL')
    await this.ended
  }
}

/** User and system time of all threads of a process; undefined if it has ended. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    return state === 'Z' ? undefined : (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}
