import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { FrameScanner, HeaderBlockGate } from './http2-wire.ts'

function frame(type: number, flags: number, stream: number, payload: string): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload)])
}

const endHeaders = 4
const block = [frame(1, 0, 1, 'aa'), frame(9, 0, 1, ''), frame(9, endHeaders, 1, 'bbb')]
const others = [frame(0, 0, 1, 'body'), frame(6, 0, 0, '12345678'), frame(1, endHeaders, 3, 'whole')]
const all = Buffer.concat([...others, ...block, ...others, ...block])

/** Cuts bytes at these places. */
function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % whole.length))].sort((a, b) => a - b)
  return [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length))
}

describe('a header block', () => {
  it('passes as a whole or not at all, and everything passes in the end, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const gate = new HeaderBlockGate(1000)
        let passed = ''
        for (const piece of cut(all, places)) {
          passed += (gate.take(piece) as Buffer).toString('latin1')
          const open = passed.lastIndexOf(block[0].toString('latin1'))
          const end = passed.lastIndexOf(block[2].toString('latin1'))
          expect(open < 0 || end > open).toBe(true)
        }
        expect(passed).toBe(all.toString('latin1'))
      }),
      seeded(300),
    )
  })

  it.each([
    ['another frame in it', [block[0], others[0]], 'broken'],
    ['a part on another stream', [block[0], frame(9, endHeaders, 5, 'x')], 'broken'],
    ['another block in it', [block[0], block[0]], 'broken'],
    ['more bytes than the limit', [block[0], frame(9, 0, 1, 'x'.repeat(1000))], 'too-large'],
    ['parts without end', [block[0], ...Array<Buffer>(200).fill(block[1])], 'too-large'],
  ])('with %s is refused', (_what, frames, fault) => {
    expect(new HeaderBlockGate(1000).take(Buffer.concat(frames))).toBe(fault)
    const gate = new HeaderBlockGate(1000)
    expect(frames.map((piece) => gate.take(piece)).find((passed) => typeof passed === 'string')).toBe(fault)
  })
})

describe('the frames of a connection', () => {
  it('are found in pieces of any size, after the preface', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const found: string[] = []
        const scanner = new FrameScanner(
          ({ type, flags, stream, payloadBytes, start }) =>
            found.push(`${type} ${flags} ${stream} ${payloadBytes} ${start.toString()}`),
          3,
        )
        for (const piece of cut(Buffer.concat([Buffer.from('PRI'), ...block, ...others]), places)) {
          scanner.take(piece)
        }
        expect(found).toEqual([
          '1 0 1 2 aa',
          '9 0 1 0 ',
          '9 4 1 3 bbb',
          '0 0 1 4 body',
          '6 0 0 8 12345678',
          '1 4 3 5 whole',
        ])
      }),
      seeded(300),
    )
  })
})
