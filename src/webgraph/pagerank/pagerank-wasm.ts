/**
 * The pass over a block of pages as a WebAssembly module, assembled by hand: so few bytes do not justify a
 * compiler in the build. In pseudocode, with `given` and `givenBefore` from address 0 on (pagerank-pass.ts):
 *
 *   pass(page, pageEnd, near, far, window, index, damping, write)
 *     change, total, dangling = 0
 *     for each page of the block:
 *       sum = the sum of given[page + near[i]] + the sum of given[far[i]]     each even + odd
 *       score = damping · sum + extra
 *       degree, each = links of the page or 1, score / degree
 *       change += |each - given[page]| · degree
 *       total += score; if the page has no links: dangling += score
 *       if write: given[page] = each
 *     store(change, total, dangling)
 *
 * `near` and `far` are the addresses that entry 0 of the whole arrays would have. `window` is the address of
 * the thread's window, `index` the place of the first page in the chunk.
 */
type Code = readonly (number | Code)[]

/** Pages of a chunk at most, and byte offsets of its parts in the window of a thread. */
export const chunkPagesMax = 1024
export const windowPart = {
  nearOffsets: 0,
  farOffsets: 4104,
  degrees: 8208,
  extras: 12_304,
  sums: 20_496,
  near: 20_520,
}

const i32 = 0x7f
const f64 = 0x7c
const parameters = {
  page: 0,
  pageEnd: 1,
  near: 2,
  far: 3,
  window: 4,
  index: 5,
  damping: 6,
  write: 7,
} as const
const parameterTypes = [i32, i32, i32, i32, i32, i32, f64, i32]
const locals = { ...parameters, at: 8, end: 9, extra: 10, slot: 11, even: 12, odd: 13, sum: 14 } as const
const more = { degree: 15, each: 16, change: 17, total: 18, dangling: 19 } as const
const local = { ...locals, ...more }
type Local = keyof typeof local
const localTypes: Code = [2, [4, i32], [8, f64]]

const block = [0x02, 0x40]
const loop = [0x03, 0x40]
const when = [0x04, 0x40]
const close = 0x0b
const branch = 0x0c
const branchIf = 0x0d
const i32IsZero = 0x45
const i32LessUnsigned = 0x49
const i32AtLeastUnsigned = 0x4f
const i32Add = 0x6a
const i32Subtract = 0x6b
const i32And = 0x71
const i32ShiftLeft = 0x74
const f64Abs = 0x99
const f64Add = 0xa0
const f64Subtract = 0xa1
const f64Multiply = 0xa2
const f64Divide = 0xa3
const f64Max = 0xa5
const f64ConvertUnsigned = 0xb8
const f64Of = (value: 0 | 1): Code => [0x44, 0, 0, 0, 0, 0, 0, ...(value === 0 ? [0, 0] : [0xf0, 0x3f])]
const f64Load = (offset = 0): Code => [0x2b, 3, varint(offset)]
const f64Store = (offset = 0): Code => [0x39, 3, varint(offset)]
const i32Load = (offset: number): Code => [0x28, 2, varint(offset)]
const i32LoadShort = (offset: number): Code => [0x2e, 1, varint(offset)]
const number = (below64: number): Code => [0x41, below64]
const get = (name: Local): Code => [0x20, local[name]]
const set = (name: Local): Code => [0x21, local[name]]
const advance = (name: Local, by: number): Code => [get(name), number(by), i32Add, set(name)]
const addTo = (name: Local, value: Code): Code => [get(name), value, f64Add, set(name)]
const times8 = [number(3), i32ShiftLeft]
const givenOfPage: Code = [get('page'), times8, f64Load()]

/** The address of the links that begin at an offset of the window. */
function addressOf(base: Local, part: number, log2Bytes: number): Code {
  return [get(base), get('slot'), i32Load(part), number(log2Bytes), i32ShiftLeft, i32Add]
}

/** Adds to `sum` what the links at … end - 1 give. `source` leaves the page that is linked from. */
function gather(bytes: 2 | 4, source: (place: number) => Code): Code {
  const add = (to: Local, place: number): Code => addTo(to, [source(bytes * place), times8, f64Load()])
  return [
    [f64Of(0), set('even'), f64Of(0), set('odd')],
    [block, loop],
    [get('at'), number(3 * bytes), i32Add, get('end'), i32AtLeastUnsigned, branchIf, 1],
    [add('even', 0), add('odd', 1), add('even', 2), add('odd', 3)],
    [advance('at', 4 * bytes), branch, 0],
    [close, close],
    [get('end'), get('at'), i32Subtract, number(2 * bytes), i32And, when],
    [add('even', 0), add('odd', 1), advance('at', 2 * bytes), close],
    [get('at'), get('end'), i32LessUnsigned, when, add('even', 0), close],
    addTo('sum', [get('even'), get('odd'), f64Add]),
  ]
}

const { nearOffsets, farOffsets, degrees, extras, sums } = windowPart

const pass: Code = [
  // Locals are 0 at first. Entries have 4 bytes, extras 8.
  [get('window'), get('index'), number(2), i32ShiftLeft, i32Add, set('slot')],
  [get('window'), get('index'), number(3), i32ShiftLeft, i32Add, set('extra')],
  [block, loop],
  [get('page'), get('pageEnd'), i32AtLeastUnsigned, branchIf, 1],
  [f64Of(0), set('sum')],
  [addressOf('near', nearOffsets, 1), set('at'), addressOf('near', nearOffsets + 4, 1), set('end')],
  gather(2, (offset) => [get('page'), get('at'), i32LoadShort(offset), i32Add]),
  [addressOf('far', farOffsets, 2), set('at'), addressOf('far', farOffsets + 4, 2), set('end')],
  gather(4, (offset) => [get('at'), i32Load(offset)]),
  [get('damping'), get('sum'), f64Multiply, get('extra'), f64Load(extras), f64Add, set('sum')],
  [get('slot'), i32Load(degrees), f64ConvertUnsigned, f64Of(1), f64Max, set('degree')],
  [get('sum'), get('degree'), f64Divide, set('each')],
  addTo('change', [get('each'), givenOfPage, f64Subtract, f64Abs, get('degree'), f64Multiply]),
  addTo('total', get('sum')),
  [get('slot'), i32Load(degrees), i32IsZero, when, addTo('dangling', get('sum')), close],
  [get('write'), when, get('page'), times8, get('each'), f64Store(), close],
  [advance('page', 1), advance('slot', 4), advance('extra', 8)],
  [branch, 0, close, close],
  [get('window'), get('change'), f64Store(sums)],
  [get('window'), get('total'), f64Store(sums + 8)],
  [get('window'), get('dangling'), f64Store(sums + 16)],
  close,
]

/** The module imports its shared memory as m.m and exports `pass`. */
export function passModule(): Uint8Array {
  const section = (id: number, code: Code): Code => [id, withLength(code)]
  const memory = [2, 3, varint(1), varint(65_536)]
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  return Uint8Array.from(
    flat([
      magicAndVersion,
      section(1, [1, 0x60, parameterTypes.length, parameterTypes, 0]),
      section(2, [1, name('m'), name('m'), memory]),
      section(3, [1, 0]),
      section(7, [1, name('pass'), 0, 0]),
      section(10, [1, withLength([localTypes, pass])]),
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
