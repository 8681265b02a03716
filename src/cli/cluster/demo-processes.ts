/**
 * The processes of a demo. None outlives it, whether it ends by itself, by an error or by a signal. One that ends although the demo has not
 * killed it is an error, with the last lines that it wrote.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'

const linesShown = 5
const outputMax = 10_000

export class DemoProcesses {
  readonly #folder: string
  readonly #children = new Set<ChildProcess>()
  readonly #killed = new WeakSet<ChildProcess>()
  #failure: Error | undefined

  /** The folder is removed at the end. */
  constructor(folder: string) {
    this.#folder = folder
    process.once('exit', this.#end)
    process.once('SIGTERM', exitOnTerm)
  }

  /** A process that may end by itself has to do so with code 0. */
  start(name: 'nats-server' | 'worker', program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-outputMax)
      })
    }
    this.#children.add(child)
    child.once('close', (code) => {
      this.#children.delete(child)
      if (code === 0 || this.#killed.has(child)) return
      const lines = output.trim().split('\n').slice(-linesShown).join(' | ')
      const message = `A ${name} of the demo has ended: ${lines === '' ? `code ${code}` : lines}`
      this.#failure ??=
        name === 'worker' ? new Error(message) : new RankwardError('NATS_UNREACHABLE', message)
    })
    return child
  }

  /** Throws if a process has failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  isRunning(child: ChildProcess): boolean {
    return this.#children.has(child)
  }

  /** kill -9. */
  async kill(child: ChildProcess): Promise<void> {
    if (!this.#children.has(child)) return
    this.#killed.add(child)
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.kill(child)))
    process.removeListener('exit', this.#end)
    process.removeListener('SIGTERM', exitOnTerm)
    this.#removeFolder()
  }

  readonly #end = (): void => {
    for (const child of this.#children) child.kill('SIGKILL')
    this.#removeFolder()
  }

  #removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function exitOnTerm(): void {
  process.exit(143)
}
