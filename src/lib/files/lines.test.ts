import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import type { ByteSource } from './byte-source.ts'
import { readLines } from './lines.ts'

function sourceOf(chunks: readonly Uint8Array[]): ByteSource {
  return {
    path: 'memory',
    gzip: false,
    head: Buffer.alloc(0),
    async *chunks() {
      for (const chunk of chunks) yield Buffer.from(chunk)
    },
  }
}

async function linesOf(chunks: readonly Uint8Array[], bytesMax?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(sourceOf(chunks), undefined, bytesMax)) {
    lines.push(Buffer.from(line).toString('latin1'))
  }
  return lines
}

describe('the lines of a file', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('are the same wherever its chunks end', async () => {
    const piece = fc.array(fc.constantFrom('a', 'bc', '\n', '\r', '\r\n'), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const chunks = pieces.map((one) => Buffer.from(one.join('')))
        const text = Buffer.concat(chunks).toString()
        const expected = text.split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(await linesOf(chunks)).toEqual(expected.map((line) => line.replace(/\r$/, '')))
      }),
      seeded(300),
    )
  })

  it('cost one look and one copy a byte, however long a line is', async () => {
    const chunks = Array.from({ length: 1000 }, () => Buffer.alloc(1000, 'x'))
    const last = Buffer.from('y\nnext')
    const looks = vi.spyOn(Buffer.prototype, 'indexOf')
    const joins = vi.spyOn(Buffer, 'concat')
    const lines = await linesOf([...chunks, last])
    expect(lines.map((line) => line.length)).toEqual([1_000_001, 4])
    const bytes = 1_000_000 + last.length
    const looked = looks.mock.contexts.map((buffer, i) => {
      const found = looks.mock.results[i].value as number
      return (found < 0 ? buffer.length : found + 1) - ((looks.mock.calls[i][1] as number | undefined) ?? 0)
    })
    expect(looked.reduce((sum, one) => sum + one, 0)).toBe(bytes)
    const copied = joins.mock.results.map(({ value }) => (value as Buffer).length)
    expect(copied.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bytes)
  })

  it('end with one that is longer than is allowed', async () => {
    const chunks = ['ab\ncdef', 'ghij', 'kl\nmn'].map((text) => Buffer.from(text))
    expect(await linesOf(chunks, 5)).toEqual(['ab', 'cdefghij'])
    expect(await linesOf(chunks)).toEqual(['ab', 'cdefghijkl', 'mn'])
  })
})
