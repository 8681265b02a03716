import { describe, expect, it } from 'vitest'
import { hashId, unit } from '../../lib/hash.ts'
import { normalQuantile } from '../../lib/normal-quantile.ts'
import { DrawnChanges } from './drawn-changes.ts'

const ids = [0, 1, 2, 17, 4_000_000_000]

/** All changes of a page until the end, as the definition says. */
function definedChanges(id: number, rate: number, end: number): number[] {
  const changes: number[] = []
  for (let day = 0, k = 0; ; k++) {
    day += -Math.log(unit(hashId(id, 1000 + k))) / rate
    if (day >= end) return changes
    changes.push(day)
  }
}

function changesUntil(changes: DrawnChanges, page: number, end: number): number[] {
  const found: number[] = []
  for (let day = changes.nextChange(page, 0); day < end; day = changes.nextChange(page, day)) found.push(day)
  return found
}

describe('drawn changes', () => {
  it('have the rate exp(ln(1/20) + 2z), z the normal quantile of the hash of the id', () => {
    const changes = new DrawnChanges(ids)
    ids.forEach((id, page) => {
      const z = normalQuantile(unit(hashId(id, 10)))
      expect(changes.rateOf(page)).toBe(Math.exp(Math.log(1 / 20) + 2 * z))
    })
  })

  it('are at the times that the ids give', () => {
    const changes = new DrawnChanges(ids)
    ids.forEach((id, page) => {
      expect(changesUntil(changes, page, 400)).toEqual(definedChanges(id, changes.rateOf(page), 400))
    })
  })

  it('have the given rate of a page, and never happen at rate 0', () => {
    const changes = new DrawnChanges(ids, [2, 0, NaN, 0.5, 1])
    expect(changesUntil(changes, 0, 50)).toEqual(definedChanges(0, 2, 50))
    expect(changes.nextChange(1, 0)).toBe(Infinity)
    expect(changesUntil(changes, 2, 50)).toEqual(definedChanges(2, new DrawnChanges([2]).rateOf(0), 50))
  })

  it('include a change at the very day that is asked about', () => {
    const changes = new DrawnChanges(ids, [1, 1, 1, 1, 1])
    const first = changes.nextChange(0, 0)
    expect(changes.nextChange(0, first)).toBeGreaterThan(first)
  })
})
