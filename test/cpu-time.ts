/**
 * Seconds of processor time that some work takes. Unlike the time on the clock, they do not grow with what else runs on
 * the machine, so a test may bound them: a wide bound tells linear from quadratic.
 */
export function cpuSeconds(work: () => void): number {
  const start = process.cpuUsage()
  work()
  return secondsSince(start)
}

export function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}
