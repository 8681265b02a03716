import { expect, it } from 'vitest'
import { seededRandom } from '../lib/random.ts'
import { restoreState, savedState } from '../lib/state.ts'
import { KnownLinks } from './known-links.ts'

/** Short lists, lists that do not fit into what is left of a chunk, and lists longer than any chunk. */
const lengths = [3, 0, 200_000, 100_000, 7, 1_300_000, 1, 262_143, 262_144, 5, 0]

function list(page: number): Uint32Array {
  const draw = seededRandom(page + 1)
  return Uint32Array.from({ length: lengths[page] }, () => Math.floor(draw.fraction() * 1e9))
}

function current(links: KnownLinks, page: number): Uint32Array {
  links.seek(page)
  return links.targets.slice(links.start, links.end)
}

function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i])
}

it('lists of any length are found again, also after they were saved and read', () => {
  const links = new KnownLinks()
  lengths.forEach((length, page) => links.append(page, list(page), length))
  const restored = new KnownLinks()
  restoreState([restored], savedState([links]))
  restored.append(lengths.length, Uint32Array.of(8, 9), 2)
  for (const read of [links, restored])
    lengths.forEach((_, page) => expect(isEqual(current(read, page), list(page)), `page ${page}`).toBe(true))
  expect([...current(restored, lengths.length)]).toEqual([8, 9])
  expect(links.count).toBe(lengths.reduce((sum, length) => sum + length))
})
