/**
 * Counts in sentences. Every sentence with a count takes its digits, its noun and its verb from here, so that they agree:
 * "1 link is left out", "2,000 links are left out".
 */

/** 1234567 as 1,234,567. */
export function groupedCount(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** 1 page, 2,000 pages. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${groupedCount(count)} ${agreeing(count, one, many)}`
}

/** The form of a word that agrees with this count: `agreeing(count, 'is', 'are')`. */
export function agreeing(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}
