import { describe, expect, it } from 'vitest'
import { GrowingUint32 } from './growing-array.ts'
import { freeMemory, lendMemory, newMemory, returnMemory } from './large-memory.ts'
import { StateWriter } from './state.ts'

const large = (): Uint32Array => new Uint32Array(newMemory(8 << 20), 0, 1000)

describe('large memory', () => {
  it('is freed at once, and small memory is left alone', () => {
    const array = large()
    freeMemory(array)
    expect(array.length).toBe(0)
    const small = new Uint32Array(newMemory(4000))
    freeMemory(small)
    expect(small.length).toBe(1000)
  })

  it('that is lent is freed when all have returned it', () => {
    const array = large()
    lendMemory(array)
    lendMemory(array)
    freeMemory(array)
    returnMemory(array)
    expect(array.length).toBe(1000)
    returnMemory(array)
    expect(array.length).toBe(0)
  })

  it('that is lent and returned stays until its owner frees it', () => {
    const array = large()
    lendMemory(array)
    returnMemory(array)
    expect(array.length).toBe(1000)
    freeMemory(array)
    expect(array.length).toBe(0)
  })
})

describe('a growing array', () => {
  it('keeps its numbers and is zero elsewhere, in place or in new memory', () => {
    const growing = new GrowingUint32(4)
    let moves = 0
    for (let i = 0; i < 12_000_000; i += 7) {
      const { buffer } = growing.array
      growing.ensure(i)
      if (growing.array.buffer !== buffer) moves++
      growing.array[i] = i + 1
    }
    // From 4 MiB to 33 MiB it grows in place.
    expect(moves).toBeLessThan(40)
    let wrong = 0
    for (let i = 0; i < growing.length; i++) if (growing.array[i] !== (i % 7 === 0 ? i + 1 : 0)) wrong++
    expect(wrong).toBe(0)
  })

  it('may outgrow memory that a state refers to, which is freed once the state is written', () => {
    const growing = new GrowingUint32()
    growing.ensure(2_000_000)
    growing.array[2_000_000] = 7
    const { array } = growing
    const writer = new StateWriter()
    writer.appended(growing)
    growing.ensure(20_000_000)
    expect(array.length).toBeGreaterThan(2_000_000)
    const bytes: Buffer[] = []
    for (const chunk of writer.drain()) bytes.push(Buffer.from(chunk))
    const written = Buffer.concat(bytes)
    expect(written.readUInt32LE(16 + 4 * 2_000_000)).toBe(7)
    expect(array.length).toBe(0)
    expect(growing.array[2_000_000]).toBe(7)
  })

  it('is copied into a state that is written, and the copy is freed chunk by chunk', () => {
    const growing = new GrowingUint32()
    growing.ensure(2_000_000)
    const writer = new StateWriter()
    writer.growing(growing)
    writer.growing(growing)
    const chunks = writer.drain()
    const copies: Uint8Array[] = []
    for (const chunk of chunks) {
      copies.push(chunk)
      if (copies.filter(({ length }) => length > 4000).length === 2) break
    }
    chunks.return(undefined)
    expect(copies.every(({ length }) => length < 4000)).toBe(true)
    expect(growing.array.length).toBeGreaterThan(2_000_000)
  })
})
