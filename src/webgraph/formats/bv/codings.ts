/**
 * The code of each part of a list. Every number in a BV file is written in one of these instantaneous codes
 * of the naturals; the `compressionflags` of the properties name the parts that differ from the defaults.
 *
 * The flag names and defaults are those of the Java BVGraph. webgraph-rs allows more codes per part, has
 * INTERVALS, and uses BLOCKS for the block counts as well. Its files have the `endianness` property, which
 * Java never writes.
 */
export const codingNames = ['unary', 'gamma', 'delta', 'zeta', 'golomb', 'nibble'] as const

export type Coding = (typeof codingNames)[number]

export interface Codings {
  outdegrees: Coding
  references: Coding
  blockCounts: Coding
  blocks: Coding
  intervals: Coding
  residuals: Coding
  offsets: Coding
}

export const defaultCodings: Readonly<Codings> = {
  outdegrees: 'gamma',
  references: 'unary',
  blockCounts: 'gamma',
  blocks: 'gamma',
  intervals: 'gamma',
  residuals: 'zeta',
  offsets: 'gamma',
}

/** A coding as a small integer: hot loops branch on it faster than on a string. */
export type CodeId = 0 | 1 | 2 | 3 | 4 | 5
export const codeIds: Readonly<Record<Coding, CodeId>> = {
  unary: 0,
  gamma: 1,
  delta: 2,
  zeta: 3,
  golomb: 4,
  nibble: 5,
}

export type PartCodes = Readonly<Record<keyof Codings, CodeId>>

export function codeIdsOf(codings: Codings): PartCodes {
  return {
    outdegrees: codeIds[codings.outdegrees],
    references: codeIds[codings.references],
    blockCounts: codeIds[codings.blockCounts],
    blocks: codeIds[codings.blocks],
    intervals: codeIds[codings.intervals],
    residuals: codeIds[codings.residuals],
    offsets: codeIds[codings.offsets],
  }
}

interface Part {
  readonly part: keyof Codings
  readonly flag: string
  /** Codes that Java can load, and therefore the only ones that we write. */
  readonly java: readonly Coding[]
  /** Further codes of webgraph-rs. */
  readonly rust: readonly Coding[]
}

const rustCodings = ['unary', 'gamma', 'delta', 'zeta'] as const

/** In the order in which Java prints the flags. */
export const codingParts: readonly Part[] = [
  { part: 'outdegrees', flag: 'OUTDEGREES', java: ['gamma', 'delta'], rust: rustCodings },
  { part: 'blocks', flag: 'BLOCKS', java: ['gamma', 'delta'], rust: rustCodings },
  {
    part: 'residuals',
    flag: 'RESIDUALS',
    java: ['gamma', 'delta', 'zeta', 'golomb', 'nibble'],
    rust: rustCodings,
  },
  { part: 'references', flag: 'REFERENCES', java: ['unary', 'gamma', 'delta'], rust: rustCodings },
  { part: 'blockCounts', flag: 'BLOCK_COUNT', java: ['unary', 'gamma', 'delta'], rust: [] },
  { part: 'intervals', flag: 'INTERVALS', java: ['gamma'], rust: rustCodings },
  { part: 'offsets', flag: 'OFFSETS', java: ['gamma', 'delta'], rust: [] },
]

/** The flags that differ from the defaults, as Java prints them: `OUTDEGREES_DELTA | RESIDUALS_GAMMA`. */
export function formatFlags(codings: Codings): string {
  return codingParts
    .filter(({ part }) => codings[part] !== defaultCodings[part])
    .map(({ part, flag }) => `${flag}_${codings[part].toUpperCase()}`)
    .join(' | ')
}

/** The codings of a `compressionflags` property, or the first unknown flag. */
export function parseFlags(text: string, fromRust: boolean): Codings | { unknownFlag: string } {
  const codings: Codings = { ...defaultCodings }
  for (const name of text.split('|').map((flag) => flag.trim())) {
    if (name === '') continue
    const cut = name.lastIndexOf('_')
    const coding = name.slice(cut + 1).toLowerCase() as Coding
    const part = codingParts.find(({ flag }) => flag === name.slice(0, Math.max(cut, 0)))
    if (!part?.java.includes(coding) && !(fromRust && part?.rust.includes(coding)))
      return { unknownFlag: name }
    codings[part.part] = coding
    if (fromRust && part.part === 'blocks') codings.blockCounts = coding
  }
  return codings
}

/**
 * 2^0 to 2^63, all exact. A table, because `2 ** n` calls the general power function: delta codes were
 * read in 140 ns each with it, in 35 ns without.
 */
export const powerOfTwo = Float64Array.from({ length: 64 }, (_, exponent) => 2 ** exponent)
