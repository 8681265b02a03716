import { describe, expect, it } from 'vitest'
import { RankwardError } from '../../../lib/errors.ts'
import { defaultCodings, formatFlags } from './codings.ts'
import { parseBvProperties, parseJavaProperties } from './properties.ts'

const valid: Readonly<Record<string, string>> = {
  graphclass: 'it.unimi.dsi.webgraph.BVGraph',
  version: '0',
  nodes: '10',
  arcs: '20',
  windowsize: '7',
  maxrefcount: '3',
  minintervallength: '4',
  zetak: '3',
  compressionflags: '',
}

function parse(changes: Record<string, string | undefined>): ReturnType<typeof parseBvProperties> {
  const entries = Object.entries({ ...valid, ...changes }).filter(([, value]) => value !== undefined)
  return parseBvProperties(entries.map(([key, value]) => `${key}=${value}`).join('\n'), 'x.properties')
}

describe('a Java property file', () => {
  it('is read with comments, all separators, escapes and continued lines', () => {
    const text = '#c\n! c\r\n a=1\nb : 2\r\nc 3\nd\\=x=\\u0041\\t\\\\\ne=1\\\n   2\nf\n\ng==\na=last\\\\\nz=9'
    const entries = Object.fromEntries(parseJavaProperties(text))
    expect(entries).toEqual({ a: 'last\\', b: '2', c: '3', 'd=x': 'A\t\\', e: '12', f: '', g: '=', z: '9' })
  })
})

describe('the properties of a BV graph', () => {
  it('have the defaults of WebGraph', () => {
    expect(parse({ zetak: undefined, compressionflags: undefined, maxrefcount: undefined })).toEqual({
      nodes: 10,
      arcs: 20,
      windowSize: 7,
      minIntervalLength: 4,
      zetaK: 3,
      codings: defaultCodings,
    })
  })

  it('name codes by flags, with or without spaces, and are written the way Java writes them', () => {
    const flags =
      'OUTDEGREES_DELTA | BLOCKS_DELTA|RESIDUALS_NIBBLE | REFERENCES_GAMMA | BLOCK_COUNT_UNARY | OFFSETS_DELTA'
    const { codings } = parse({ compressionflags: flags })
    expect(codings).toEqual({
      outdegrees: 'delta',
      blocks: 'delta',
      residuals: 'nibble',
      references: 'gamma',
      blockCounts: 'unary',
      intervals: 'gamma',
      offsets: 'delta',
    })
    expect(formatFlags(codings)).toBe(flags.replace('DELTA|', 'DELTA | '))
    expect(formatFlags(defaultCodings)).toBe('')
  })

  it('of webgraph-rs let BLOCKS speak for the block counts and may code intervals', () => {
    const { codings } = parse({ endianness: 'big', compressionflags: 'BLOCKS_DELTA|INTERVALS_ZETA' })
    expect(codings).toMatchObject({ blocks: 'delta', blockCounts: 'delta', intervals: 'zeta' })
  })

  it('may come from old and from big versions of WebGraph', () => {
    expect(parse({ graphclass: 'class it.unimi.dsi.webgraph.BVGraph' }).nodes).toBe(10)
    expect(parse({ graphclass: 'it.unimi.dsi.big.webgraph.BVGraph' }).nodes).toBe(10)
  })

  it.each([
    [
      { graphclass: 'it.unimi.dsi.webgraph.EFGraph' },
      'x.properties: graphclass is "it.unimi.dsi.webgraph.EFGraph", but Rankward reads BVGraph only.',
    ],
    [{ graphclass: undefined }, 'the property graphclass is missing'],
    [{ version: undefined }, 'the property version is missing'],
    [{ version: '1' }, 'version=1, but Rankward reads version 0 only'],
    [{ endianness: 'little' }, 'endianness is "little", but Rankward reads big-endian graphs only'],
    [{ nodes: undefined }, 'the property nodes is missing'],
    [{ nodes: '-1' }, 'nodes="-1" is not a whole number'],
    [{ nodes: '1e3' }, 'nodes="1e3" is not a whole number'],
    [{ nodes: '99999999999999999999' }, 'nodes="99999999999999999999" is not a whole number'],
    [{ arcs: '101' }, 'arcs="101" is not a whole number from 0 to 100'],
    [{ arcs: 'many' }, 'arcs="many" is not a whole number'],
    [{ windowsize: '-7' }, 'windowsize="-7" is not a whole number'],
    [{ windowsize: '2000000000' }, 'windowsize="2000000000" is not a whole number from 0 to 65535'],
    [{ windowsize: undefined }, 'the property windowsize is missing'],
    [{ minintervallength: '' }, 'minintervallength="" is not a whole number'],
    [{ zetak: '0' }, 'zetak="0" is not a whole number from 1 to 31'],
    [{ zetak: '32' }, 'zetak="32" is not a whole number from 1 to 31'],
    [{ compressionflags: 'RESIDUALS_HUFFMAN' }, 'compressionflags has "RESIDUALS_HUFFMAN", an unknown flag'],
    [{ compressionflags: 'OUTDEGREES_NIBBLE' }, 'compressionflags has "OUTDEGREES_NIBBLE", an unknown flag'],
    [{ compressionflags: 'GAMMA' }, 'compressionflags has "GAMMA", an unknown flag'],
    [{ compressionflags: 'INTERVALS_ZETA' }, 'compressionflags has "INTERVALS_ZETA", an unknown flag'],
  ])('are refused in one line when they say %j', (changes, message) => {
    const error = catchError(() => parse(changes))
    expect(error.code).toBe('BAD_BV_GRAPH')
    expect(error.message).toContain(message)
    expect(error.message).not.toContain('\n')
  })

  it('with more nodes than 32 bits can number are refused as too large', () => {
    expect(catchError(() => parse({ nodes: '4294967296' })).code).toBe('GRAPH_TOO_LARGE')
  })
})

function catchError(work: () => unknown): RankwardError {
  try {
    work()
  } catch (error) {
    if (error instanceof RankwardError) return error
    throw error
  }
  return expect.unreachable('nothing was thrown')
}
