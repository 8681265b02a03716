/** The clock of this machine, and what is said if it is behind the record of a crawl (src/engine/crawl-clock.ts). */

/** Seconds of the epoch, at the speed of the monotone clock from the start of the process on. */
export const systemSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000

/** One line: how far the clock is behind, and what follows. */
export function clockBehindText(seconds: number, record: string): string {
  return `The clock of this machine is ${spanText(seconds)} behind ${record}. The crawl continues from the time of the last entry, as if no time had passed since: gaps between requests are kept.`
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** In the largest unit of which there are two. */
function spanText(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds >= 2 * each) ?? ['second', 1]
  return `${Math.round(seconds / length)} ${unit}s`
}
