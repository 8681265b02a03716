/**
 * The byte code of one link list in the compressed form.
 *
 *   list     = header [first] { token }
 *   header   = varint of 2 · degree + (1 if the list is unordered)
 *   first    = varint of zigzag(first target - page)
 *   token    = 0 … 207                 one link, gap 1 … 208 to the previous link
 *            | 208 … 239, byte         one link, gap 209 … 8,400
 *            | 240 … 247, byte, byte   one link, gap 8,401 … 532,688
 *            | 248, 4 bytes            one link, any gap
 *            | 249 … 254               2 … 7 links, each the successor of the previous link
 *            | 255, byte               8 … 263 such links
 *
 * An unordered list (links in page order, or repeated links) has, instead of tokens, a varint of the zigzag
 * difference for each link. On real webs in URL order nearly half of the gaps are 1 and form runs, so a token
 * often encodes several links. Decoding needs no bit shifting.
 */

const gapMaxOfOneByte = 208
const gapMaxOfTwoBytes = 8_400
const gapMaxOfThreeBytes = 532_688

/** An upper bound of the encoded size of a list with this many links. */
export function encodedBytesMax(degree: number): number {
  return 10 + 5 * degree
}

function zigzag(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference
}

function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2
}

/**
 * Writes a whole number below 2^53 in groups of seven bits, least significant first; returns the position
 * after it.
 */
function writeVarint(bytes: Uint8Array, position: number, value: number): number {
  let rest = value
  while (rest >= 0x80) {
    bytes[position++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  bytes[position++] = rest
  return position
}

/** Encodes `list[from … to - 1]`, the links of `page`, at `position`; returns the position after it. */
export function encodeLinks(
  bytes: Uint8Array,
  position: number,
  page: number,
  list: Uint32Array,
  from: number,
  to: number,
): number {
  let ordered = true
  for (let i = from + 1; i < to && ordered; i++) ordered = list[i] > list[i - 1]
  let at = writeVarint(bytes, position, 2 * (to - from) + (ordered ? 0 : 1))
  if (from === to) return at
  at = writeVarint(bytes, at, zigzag(list[from] - page))
  if (!ordered) {
    for (let i = from + 1; i < to; i++) at = writeVarint(bytes, at, zigzag(list[i] - list[i - 1]))
    return at
  }
  let i = from + 1
  while (i < to) {
    const gap = list[i] - list[i - 1]
    if (gap === 1) {
      const runFrom = i
      while (i < to && i - runFrom < 263 && list[i] - list[i - 1] === 1) i++
      const run = i - runFrom
      if (run === 1) bytes[at++] = 0
      else if (run < 8) bytes[at++] = 247 + run
      else {
        bytes[at++] = 255
        bytes[at++] = run - 8
      }
      continue
    }
    at = writeGap(bytes, at, gap)
    i++
  }
  return at
}

function writeGap(bytes: Uint8Array, position: number, gap: number): number {
  let at = position
  if (gap <= gapMaxOfOneByte) {
    bytes[at++] = gap - 1
  } else if (gap <= gapMaxOfTwoBytes) {
    const rest = gap - gapMaxOfOneByte - 1
    bytes[at++] = 208 + (rest >>> 8)
    bytes[at++] = rest & 0xff
  } else if (gap <= gapMaxOfThreeBytes) {
    const rest = gap - gapMaxOfTwoBytes - 1
    bytes[at++] = 240 + (rest >>> 16)
    bytes[at++] = (rest >>> 8) & 0xff
    bytes[at++] = rest & 0xff
  } else {
    bytes[at++] = 248
    bytes[at++] = gap >>> 24
    bytes[at++] = (gap >>> 16) & 0xff
    bytes[at++] = (gap >>> 8) & 0xff
    bytes[at++] = gap & 0xff
  }
  return at
}

/** The number of links of the list that starts at `position`. */
export function decodeDegree(bytes: Uint8Array, position: number): number {
  const byte = bytes[position]
  return byte < 0x80 ? byte >>> 1 : Math.floor(readVarint(bytes, position) / 2)
}

function readVarint(bytes: Uint8Array, position: number): number {
  let value = 0
  let scale = 1
  let byte = bytes[position++]
  while (byte >= 0x80) {
    value += (byte & 0x7f) * scale
    scale *= 0x80
    byte = bytes[position++]
  }
  return value + byte * scale
}

/**
 * Decodes the list of `page` that starts at `position` into `into` and returns its number of links. `into`
 * must be long enough; a list that does not fit, or that runs past the end of `bytes`, yields garbage but
 * stays in bounds.
 */
export function decodeLinks(bytes: Uint8Array, position: number, page: number, into: Uint32Array): number {
  let at = position
  let header = bytes[at++]
  if (header >= 0x80) {
    header = readVarint(bytes, position)
    while (bytes[at++] >= 0x80);
  }
  const degree = Math.floor(header / 2)
  if (degree === 0) return 0
  let first = bytes[at++]
  if (first >= 0x80) {
    let scale = 0x80
    first &= 0x7f
    let byte = 0
    do {
      byte = bytes[at++]
      first += (byte & 0x7f) * scale
      scale *= 0x80
    } while (byte >= 0x80)
  }
  let target = page + unzigzag(first)
  into[0] = target
  if (header % 2 === 1) {
    decodeUnordered(bytes, at, degree, into)
    return degree
  }
  // From here on all numbers are 32-bit integers, for speed: this is the hot loop.
  target |= 0
  let i = 1
  while (i < degree) {
    const token = bytes[at++]
    if (token < 208) {
      target = (target + token + 1) | 0
      into[i++] = target
    } else if (token >= 249) {
      let run = token === 255 ? bytes[at++] + 8 : token - 247
      while (run-- > 0) {
        target = (target + 1) | 0
        into[i++] = target
      }
    } else if (token < 240) {
      target = (target + 209 + ((token - 208) << 8) + bytes[at++]) | 0
      into[i++] = target
    } else if (token < 248) {
      target = (target + 8401 + ((token - 240) << 16) + (bytes[at] << 8) + bytes[at + 1]) | 0
      at += 2
      into[i++] = target
    } else {
      target =
        (target + ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])) | 0
      at += 4
      into[i++] = target
    }
  }
  return degree
}

function decodeUnordered(bytes: Uint8Array, position: number, degree: number, into: Uint32Array): void {
  let at = position
  let target = into[0]
  for (let i = 1; i < degree; i++) {
    const value = readVarint(bytes, at)
    while (bytes[at++] >= 0x80);
    target += unzigzag(value)
    into[i] = target
  }
}
