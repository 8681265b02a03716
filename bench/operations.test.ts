import { expect, it } from 'vitest'
import { KnownLinks } from '../src/engine/known-links.ts'
import { PageForest } from '../src/engine/page-forest.ts'
import { counted } from './operations.ts'

it('counts each list of links once, whether it is found by page or by place', async () => {
  const { operations } = await counted(() => {
    const links = new KnownLinks()
    links.append(0, Uint32Array.of(1, 2, 3), 3)
    links.seek(0)
    links.seekPlace(links.placeOf(0))
    return Promise.resolve()
  })
  expect(operations).toEqual({ links: 6, comparisons: 0, changes: 0 })
})

it('counts comparisons of pages: one to add, n - 1 to take the first of n others out', async () => {
  const { operations, result } = await counted(() => {
    const forest = new PageForest()
    let root = forest.add(0xffff_ffff, 0, 9)
    for (let page = 1; page < 5; page++) root = forest.add(root, page, 5 - page)
    return Promise.resolve(forest.pop(root))
  })
  expect(result).toBe(1)
  expect(operations.comparisons).toBe(4 + 3)
})

it('counts nothing after a run, not even one that failed', async () => {
  const method = (): unknown => Object.getOwnPropertyDescriptor(PageForest.prototype, 'add')?.value
  const before = method()
  await expect(counted(() => Promise.reject(new Error('no web')))).rejects.toThrow('no web')
  expect(method()).toBe(before)
})
