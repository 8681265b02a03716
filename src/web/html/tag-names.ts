/**
 * The relevant tags, recognised by a hash of their letters, without creating strings. The table
 * has no collisions among these names (asserted), and a hit is compared byte for byte.
 */
import { assert } from '../../lib/assert.ts'
import { ascii, classes, endsTagName, lowerCase } from './bytes.ts'
import { isWord } from './link-words.ts'

export const otherTag = 0
export const aTag = 1
export const areaTag = 2
export const baseTag = 3
export const frameTag = 4
export const iframeTag = 5
export const linkTag = 6
export const metaTag = 7
/** From here on: the following content is text up to the matching end tag. 9 is textarea, 12 to 14 are xmp, noembed and noframes. */
export const titleTag = 8
export const scriptTag = 10
export const styleTag = 11
/** Text to the end of the page. */
export const plaintextTag = 15
/** From here on: the following content is in another place or another language. */
export const templateTag = 16
export const svgTag = 17
export const mathTag = 18

const names = [
  ' a area base frame iframe link meta title textarea script style xmp',
  'noembed noframes plaintext template svg math',
].flatMap((row) => row.split(' '))

export const tagNames = names.map(ascii)

/** Adds a byte to a name's hash, ignoring case. */
const hashSize = 1024
export function hashByte(hash: number, byte: number): number {
  return (hash * 31 + (byte | lowerCase)) & (hashSize - 1)
}

const tagOfHash = new Uint8Array(hashSize)
for (let tag = 1; tag < names.length; tag++) {
  const hash = tagNames[tag].reduce(hashByte, 0)
  assert(tagOfHash[hash] === otherTag, `two tag names share a hash: ${names[tag]}`)
  tagOfHash[hash] = tag
}

export function tagNameEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && (classes[bytes[at]] & endsTagName) === 0) at++
  return at
}

const colon = 0x3a
/** Where a name starts after its prefixes. */
export function localStart(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && bytes[at - 1] !== colon) at--
  return at
}

export function tagNamed(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) hash = hashByte(hash, bytes[at])
  return tagOf(hash, bytes, start, end)
}

export function tagOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
  const tag = tagOfHash[hash]
  return tag !== otherTag && isWord(bytes, start, end, tagNames[tag]) ? tag : otherTag
}

/** Only used inside SVG and MathML. Longer names are unknown. */
export function lowerCased(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, 32))
    .toString('latin1')
    .toLowerCase()
}
