/**
 * The sum over the in-links of one page as a WebAssembly module, assembled by hand: so few bytes do not
 * justify a compiler in the build. In pseudocode:
 *
 *   sum(at, end):    byte addresses of the page's sources; what they give starts at address 0
 *     even = 0; odd = 0
 *     while at + 12 < end: even, odd, even, odd += given[load(at …)]; at += 16
 *     if (end - at) & 8: even, odd += given[load(at …)]; at += 8
 *     if at < end: even += given[load(at)]
 *     return even + odd
 */
type Code = readonly (number | Code)[]

const [at, end, even, odd] = [0, 1, 2, 3]

const i32 = 0x7f
const f64 = 0x7c
const block = [0x02, 0x40]
const loop = [0x03, 0x40]
const when = [0x04, 0x40]
const close = 0x0b
const branch = 0x0c
const branchIf = 0x0d
const i32LessUnsigned = 0x49
const i32AtLeastUnsigned = 0x4f
const i32Add = 0x6a
const i32Subtract = 0x6b
const i32And = 0x71
const i32ShiftLeft = 0x74
const f64Add = 0xa0
const f64Load = [0x2b, 3, 0]
const i32Load = (bytesAfter: number): Code => [0x28, 2, bytesAfter]
const number = (below64: number): Code => [0x41, below64]
const get = (local: number): Code => [0x20, local]
const set = (local: number): Code => [0x21, local]
const advance = (local: number, bytes: number): Code => [get(local), number(bytes), i32Add, set(local)]

/** Adds to `local` what is given by the source `place` links after `at`. */
function add(local: number, place: number): Code {
  const source = [get(at), i32Load(4 * place)]
  return [get(local), source, number(3), i32ShiftLeft, f64Load, f64Add, set(local)]
}

const sum: Code = [
  [block, loop],
  [get(at), number(12), i32Add, get(end), i32AtLeastUnsigned, branchIf, 1],
  [add(even, 0), add(odd, 1), add(even, 2), add(odd, 3)],
  [advance(at, 16), branch, 0],
  [close, close],
  [get(end), get(at), i32Subtract, number(8), i32And, when],
  [add(even, 0), add(odd, 1), advance(at, 8), close],
  [get(at), get(end), i32LessUnsigned, when, add(even, 0), close],
  [get(even), get(odd), f64Add],
  close,
]

/** The module imports its shared memory as m.m and exports `sum`. */
export function sumModule(): Uint8Array {
  const section = (id: number, code: Code): Code => [id, withLength(code)]
  const memory = [2, 3, varint(1), varint(65_536)]
  const locals = [1, 2, f64]
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  return Uint8Array.from(
    flat([
      magicAndVersion,
      section(1, [1, 0x60, 2, i32, i32, 1, f64]),
      section(2, [1, name('m'), name('m'), memory]),
      section(3, [1, 0]),
      section(7, [1, name('sum'), 0, 0]),
      section(10, [1, withLength([locals, sum])]),
    ]),
  )
}

function name(text: string): Code {
  return [text.length, [...new TextEncoder().encode(text)]]
}

function flat(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? part : flat(part)))
}

function withLength(code: Code): Code {
  const bytes = flat(code)
  return [varint(bytes.length), bytes]
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
