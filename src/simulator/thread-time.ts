/**
 * Processor time of the calling thread. Unlike elapsed time it does not grow with what runs beside it, such as other
 * simulations in other threads.
 */
import { readFileSync } from 'node:fs'

/** Newer releases of Node (22.19, 23.9) have this. */
type ThreadCpuUsage = () => { user: number; system: number }

/** Seconds since the thread began; undefined if neither Node nor the system reports it. */
export function threadCpuSeconds(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: ThreadCpuUsage }
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process)
    return (user + system) / 1e6
  }
  try {
    // Linux. The first number is the time on a processor in nanoseconds.
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e9
  } catch {
    return undefined
  }
}
