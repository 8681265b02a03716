import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { GrowingFloat64, GrowingUint16, GrowingUint32, GrowingUint8 } from './growing-array.ts'
import { seededRandom } from './random.ts'
import { transferList, transferSet } from './state-views.ts'
import { restoreState, savedState, StateReader, StateWriter, type StateCodec } from './state.ts'
import type { Stateful } from './state.ts'

/** Something of every kind. */
class Sample implements Stateful {
  number = 0
  text = ''
  texts: readonly string[] = []
  array = new Float64Array(0)
  constant = new Uint32Array(0)
  readonly fixed = new Float32Array(3)
  readonly growing = [new GrowingFloat64(4), new GrowingUint32(4), new GrowingUint16(4), new GrowingUint8(4)]
  readonly appended = new GrowingUint32(4)
  readonly list: number[] = []
  readonly set = new Set<number>()

  transfer(state: StateCodec): void {
    state.section('sample', 1)
    state.option('size', 3)
    this.number = state.number(this.number)
    this.text = state.text(this.text)
    this.texts = state.texts(this.texts)
    this.array = state.array(this.array)
    this.constant = state.constant(this.constant)
    state.fixed(this.fixed)
    for (const array of this.growing) state.growing(array)
    state.appended(this.appended)
    transferList(state, this.list)
    transferSet(state, this.set)
  }
}

const bytesOf = (part: Stateful): Buffer => Buffer.concat(savedState([part]))

/** The same bytes in pieces of these lengths, in turn. */
function* pieces(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length]
    yield bytes.subarray(at, (at += length))
  }
}

const samples = fc
  .record({
    number: fc.double(),
    text: fc.string({ unit: 'binary' }),
    texts: fc.array(fc.string({ unit: 'binary', maxLength: 5 })),
    numbers: fc.array(fc.double(), { maxLength: 700 }),
    counts: fc.array(fc.nat(), { maxLength: 1500 }),
  })
  .map(({ number, text, texts, numbers, counts }) => {
    const sample = new Sample()
    // Not well-formed Unicode either.
    Object.assign(sample, { number, text: `${text}\ud800`, texts })
    sample.array = Float64Array.from(numbers)
    sample.constant = Uint32Array.from(counts)
    sample.fixed.set([number, 1, 2])
    for (const array of [...sample.growing, sample.appended]) {
      counts.forEach((count, i) => {
        array.ensure(i)
        array.array[i] = count
      })
    }
    sample.list.push(...numbers)
    counts.forEach((count) => sample.set.add(count))
    return sample
  })

describe('a saved state', () => {
  it('is read back value by value, however its bytes are divided', () => {
    fc.assert(
      fc.property(
        samples,
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }),
        (sample, lengths) => {
          const bytes = bytesOf(sample)
          const again = new Sample()
          restoreState([again], pieces(bytes, lengths))
          expect(bytesOf(again).equals(bytes)).toBe(true)
          const { growing, appended, ...rest } = sample
          const { growing: growingAgain, appended: appendedAgain, ...restAgain } = again
          expect(restAgain).toEqual(rest)
          for (const [i, array] of [...growing, appended].entries()) {
            const other = [...growingAgain, appendedAgain][i]
            expect(other.length).toBe(array.length)
            expect([...other.array.subarray(0, other.length)]).toEqual([
              ...array.array.subarray(0, array.length),
            ])
          }
        },
      ),
      seeded(100),
    )
  })

  it('does not depend on the capacity of its arrays', () => {
    const [small, large] = [1, 1000].map((capacity) => new GrowingUint32(capacity))
    for (const array of [small, large]) for (let i = 0; i < 10; i++) array.ensure(i)
    const [a, b] = [small, large].map((array) => bytesOf({ transfer: (state) => state.growing(array) }))
    expect(a.equals(b)).toBe(true)
  })

  it('does not change when the part does', () => {
    const array = new GrowingUint32(4)
    const part = { transfer: (state: StateCodec) => state.growing(array) }
    for (const length of [10, 5000]) {
      array.ensure(length)
      const chunks = savedState([part])
      const before = Buffer.concat(chunks)
      array.array.fill(7)
      expect(Buffer.concat(chunks).equals(before)).toBe(true)
      array.array.fill(0)
    }
  })

  it('that is truncated at any byte is an error', () => {
    fc.assert(
      fc.property(samples, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (sample, part) => {
        const bytes = bytesOf(sample)
        const cut = bytes.subarray(0, Math.floor(part * bytes.length))
        expect(() => restoreState([new Sample()], [cut])).toThrow(/truncated/)
      }),
      seeded(200),
    )
  })

  it('with a changed length, number, kind or name is an error at every byte of it', () => {
    const part = (): Stateful => ({
      transfer(state) {
        state.section('part', 1)
        state.number(17)
        state.array(new Uint8Array(0))
        state.texts([])
        state.fixed(new Uint32Array(0))
      },
    })
    const bytes = bytesOf(part())
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 16, 128]) {
        const damaged = Buffer.from(bytes)
        damaged[at] ^= bit
        expect(() => restoreState([part()], [damaged]), `byte ${at}`).toThrow(/cannot be read/)
      }
    }
  })

  it('of another part, version or option is an error that names both', () => {
    const saved = (name: string, version: number, option: number): Stateful => ({
      transfer(state) {
        state.section(name, version)
        state.option('queues', option)
      },
    })
    const chunks = savedState([saved('a', 1, 5)])
    const restored = (part: Stateful) => () => restoreState([part], chunks)
    expect(restored(saved('a', 1, 5))).not.toThrow()
    expect(restored(saved('b', 1, 5))).toThrow('it has a, version 1; expected b, version 1')
    expect(restored(saved('a', 2, 5))).toThrow('it has a, version 1; expected a, version 2')
    expect(restored(saved('a', 1, 6))).toThrow('queues is 6, but the state was saved with 5')
  })

  it('with more values than the part has is an error, and with fewer', () => {
    const numbers = (count: number): Stateful => ({
      transfer(state) {
        for (let i = 0; i < count; i++) state.number(i)
      },
    })
    expect(() => restoreState([numbers(2)], savedState([numbers(3)]))).toThrow(/an unexpected kind/)
    expect(() => restoreState([numbers(3)], savedState([numbers(2)]))).toThrow(/an unexpected kind/)
    const followed = [...savedState([numbers(2)]), Uint8Array.of(0)]
    expect(() => restoreState([numbers(2)], followed)).toThrow(/bytes follow its end/)
  })

  it('of an array of fixed length is an error where the length is another', () => {
    const writer = new StateWriter()
    writer.fixed(new Uint32Array(3))
    const reader = new StateReader(writer.finish())
    expect(() => reader.fixed(new Uint32Array(4))).toThrow(/3 elements; expected 4/)
  })
})

it('a random generator continues its sequence', () => {
  const random = seededRandom(4, 2)
  for (let i = 0; i < 100; i++) random.uint32()
  const again = seededRandom(1)
  restoreState([again], savedState([random]))
  expect(Array.from({ length: 50 }, () => again.uint32())).toEqual(
    Array.from({ length: 50 }, () => random.uint32()),
  )
})
