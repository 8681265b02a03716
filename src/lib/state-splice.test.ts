import { describe, expect, it } from 'vitest'
import { GrowingUint32 } from './growing-array.ts'
import { withLastPart } from './state-splice.ts'
import { restoreState, savedState, type StateCodec, type Stateful } from './state.ts'

/** Has a value of every kind. */
class Part implements Stateful {
  readonly #name: string
  numbers = new GrowingUint32()
  texts: readonly string[] = []
  one = 0
  bytes = new Uint8Array(0)

  constructor(name: string, seed = 0) {
    this.#name = name
    if (seed === 0) return
    this.texts = Array.from({ length: seed }, (_, i) => `text ${i}`)
    this.one = seed / 7
    this.bytes = Uint8Array.from({ length: seed * 1000 }, (_, i) => i)
    this.numbers.ensure(seed * 500)
    this.numbers.array.fill(seed)
  }

  transfer(state: StateCodec): void {
    state.section(this.#name, 3)
    state.growing(this.numbers)
    this.texts = state.texts(this.texts)
    this.one = state.number(this.one)
    this.bytes = state.array(this.bytes)
    state.text(this.#name)
  }
}

const joined = (chunks: Iterable<Uint8Array>): Buffer => Buffer.concat([...chunks])

describe('a saved state whose last part is replaced', () => {
  const saved = savedState([new Part('one', 3), new Part('two', 20), new Part('last', 5)])

  it('is that of the parts before, and of the new one', () => {
    const expected = savedState([new Part('one', 3), new Part('two', 20), new Part('last', 50)])
    // Chunks may be divided in any way.
    const chunks = [...joined(saved)].map((byte) => Uint8Array.of(byte))
    for (const source of [saved, chunks]) {
      const replaced = [...withLastPart(source, 'last', new Part('last', 50))]
      expect(joined(replaced).equals(joined(expected))).toBe(true)
      restoreState([new Part('one'), new Part('two'), new Part('last')], replaced)
    }
  })

  it.each([
    ['without such a part', saved, 'other'],
    ['that is truncated', [joined(saved).subarray(0, 20_000)], 'last'],
    ['that is damaged', [joined(saved).fill(1, 0, 16)], 'last'],
  ])('is an error in a state %s', (_name, source, name) => {
    expect(() => [...withLastPart(source, name, new Part('last', 1))]).toThrow(
      'The saved state cannot be read',
    )
  })
})
