import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { none, PageForest } from './page-forest.ts'

/** Operations on a few heaps, in terms that always make sense: page and heap are taken modulo what there is. */
const operation = fc.record({
  what: fc.constantFrom('add', 'update', 'pop', 'remove'),
  page: fc.nat(60),
  heap: fc.nat(3),
  key: fc.integer({ min: -3, max: 6 }),
})

it('every heap gives the page with the highest key first, the lowest number on a tie, after any operations', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 400 }), (operations) => {
      const forest = new PageForest(1)
      const roots = [none, none, none, none]
      const naive = roots.map(() => new Map<number, number>())
      const first = (heap: number): number => {
        const entries = [...naive[heap]].toSorted(([p, a], [q, b]) => b - a || p - q)
        return entries.length === 0 ? none : entries[0][0]
      }
      for (const { what, page, heap, key } of operations) {
        const home = naive.findIndex((pages) => pages.has(page))
        if (what === 'add' && home < 0) {
          roots[heap] = forest.add(roots[heap], page, key)
          naive[heap].set(page, key)
        } else if (what === 'update' && home >= 0) {
          roots[home] = forest.update(roots[home], page, key)
          naive[home].set(page, key)
          expect(forest.key(page)).toBe(key)
        } else if (what === 'remove' && home >= 0) {
          roots[home] = forest.remove(roots[home], page)
          naive[home].delete(page)
        } else if (what === 'pop' && roots[heap] !== none) {
          naive[heap].delete(roots[heap])
          roots[heap] = forest.pop(roots[heap])
        }
        expect(roots).toEqual(roots.map((_, i) => first(i)))
      }
    }),
    seeded(500),
  )
})

it('sorts a million pages', () => {
  const forest = new PageForest()
  const pages = 1_000_000
  let root = none
  for (let page = 0; page < pages; page++) root = forest.add(root, page, (page * 7919) % 1009)
  let before = -1
  let key = Infinity
  for (let i = 0; i < pages; i++) {
    const next = forest.key(root)
    if (next > key || (next === key && root < before)) expect.fail('out of order')
    key = next
    before = root
    root = forest.pop(root)
  }
  expect(root).toBe(none)
})
