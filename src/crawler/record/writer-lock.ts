/**
 * A lock file that identifies the process that runs a crawl. It prevents two processes from requesting the
 * same sites at once and tells readers whether a crawl is running. The record itself is safe without it
 * (segment-log.ts fences writers).
 *
 * The lock of a dead process is taken over. Node offers no kernel lock, so the holder is identified by host,
 * boot, process id and start time.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'

interface Holder {
  readonly host: string
  readonly boot: string
  readonly pid: number
  readonly startTicks: string
}

export class WriterLock {
  readonly #path: string
  readonly #text: string

  private constructor(path: string, text: string) {
    this.#path = path
    this.#text = text
  }

  /** Takes the lock of this folder, which must exist. Throws if a running process holds it. */
  static take(folder: string): WriterLock {
    const path = join(folder, 'lock')
    const text = JSON.stringify(holderOf(process.pid))
    const own = `${path}.${process.pid}.${performance.now()}`
    try {
      writeFileSync(own, text, { flag: 'wx' })
      while (!linked(own, path)) removeStale(path, `${own}.stale`)
      return new WriterLock(path, text)
    } catch (error) {
      throw error instanceof RankwardError ? error : unwritable(folder, error)
    } finally {
      rmSync(own, { force: true })
    }
  }

  /** The id of the process that runs the crawl in this folder; undefined if there is none. */
  static runningIn(folder: string): number | undefined {
    return runningHolder(textOf(join(folder, 'lock')))?.pid
  }

  /** Throws `CRAWL_RUNNING` if a process runs the crawl in this folder. */
  static checkFree(folder: string): void {
    const path = join(folder, 'lock')
    const holder = runningHolder(textOf(path))
    if (holder !== undefined) throw crawlIsRunning(path, holder)
  }

  release(): void {
    if (textOf(this.#path) === this.#text) rmSync(this.#path, { force: true })
  }
}

/** Links `own` to `path`; false if the file already exists. */
function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a dead process; throws if its holder may be running. */
function removeStale(path: string, aside: string): void {
  const text = textOf(path)
  if (text === undefined) return
  const holder = runningHolder(text)
  if (holder !== undefined) throw crawlIsRunning(path, holder)
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // Another process may just have taken it over: then its lock is restored.
  if (textOf(aside) !== text) linked(aside, path)
  rmSync(aside, { force: true })
}

/** The holder in the text of a lock, if it may be running. */
function runningHolder(text: string | undefined): Holder | undefined {
  const holder = text === undefined ? undefined : parsed(text)
  return holder !== undefined && mayRun(holder) ? holder : undefined
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parsed(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}

function holderOf(pid: number): Holder {
  return { host: hostname(), boot: bootId(), pid, startTicks: startTicks(pid) }
}

/** A holder on another host cannot be checked, and counts as running. */
function mayRun(holder: Holder): boolean {
  if (holder.host !== hostname()) return true
  if (holder.boot !== bootId()) return false
  return isAlive(holder.pid) && startTicks(holder.pid) === holder.startTicks
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Empty if the system does not provide it. */
function bootId(): string {
  return fileOfSystem('/proc/sys/kernel/random/boot_id').trim()
}

/**
 * When a process began, in ticks since boot: the 22nd field of its status, the 20th after its name. Empty if
 * the system does not provide it.
 */
function startTicks(pid: number): string {
  const status = fileOfSystem(`/proc/${pid}/stat`)
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function fileOfSystem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** `path`: the lock file. */
function crawlIsRunning(path: string, { pid, host }: Holder): RankwardError {
  const where = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
  return new RankwardError(
    'CRAWL_RUNNING',
    `The crawl is being run by ${where}. Wait until it ends or stop it; if no such process exists, remove ${path}.`,
  )
}

function unwritable(folder: string, cause: unknown): RankwardError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RankwardError('FILE_UNWRITABLE', `The crawl in ${folder} cannot be locked (${reason}).`, {
    cause,
  })
}
