/**
 * Shared by the tests of the BV format: naive codes as strings of bits, and temporary folders.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ByteSource } from './bit-reader.ts'
import { readBvLists } from './bv-reader.ts'
import type { Coding } from './codings.ts'

const binary = (n: number, digits: number): string =>
  digits === 0 ? '' : n.toString(2).padStart(digits, '0')
const unary = (n: number): string => `${'0'.repeat(n)}1`
const topBit = (n: number): number => n.toString(2).length - 1
const belowTop = (n: number): string => n.toString(2).slice(1)
const gamma = (n: number): string => unary(topBit(n + 1)) + belowTop(n + 1)

function minimalBinary(n: number, bound: number): string {
  if (bound === 1) return ''
  const digits = topBit(bound - 1) + 1
  const shorter = 2 ** digits - bound
  return n < shorter ? binary(n, digits - 1) : binary(n + shorter, digits)
}

/** The codes as the papers define them, as strings of bits: slow and simple. */
export function naiveCode(coding: Coding, value: number, k: number): string {
  if (coding === 'unary') return unary(value)
  if (coding === 'gamma') return gamma(value)
  if (coding === 'delta') return gamma(topBit(value + 1)) + belowTop(value + 1)
  if (coding === 'golomb') return unary(Math.floor(value / k)) + minimalBinary(value % k, k)
  if (coding === 'zeta') {
    let h = 0
    while (2 ** ((h + 1) * k) <= value + 1) h++
    return unary(h) + minimalBinary(value + 1 - 2 ** (h * k), 2 ** ((h + 1) * k) - 2 ** (h * k))
  }
  const digits = Array.from(value.toString(8), Number)
  return digits.map((digit, i) => (i === digits.length - 1 ? '1' : '0') + binary(digit, 3)).join('')
}

/** The bytes of a string of bits, the last padded with zeros. */
export function packed(bits: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i++) if (bits[i] === '1') bytes[i >> 3] |= 0x80 >> (i & 7)
  return bytes
}

/** Yields `bytes` in portions of at most `portion`. */
export function sourceOf(bytes: Uint8Array, portion = Infinity): ByteSource {
  let done = 0
  return (into) => {
    const count = Math.min(portion, into.length, bytes.length - done)
    into.set(bytes.subarray(done, done + count))
    done += count
    return count
  }
}

export async function readLists(basename: string): Promise<number[][]> {
  const lists: number[][] = []
  await readBvLists(basename, { take: (list, from, to) => lists.push([...list.subarray(from, to)]) })
  return lists
}

/** A folder for one test, removed at the end. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bv-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Changes entries of a property file; undefined removes one. */
export function tamper(basename: string, changes: Record<string, string | undefined>): void {
  const path = `${basename}.properties`
  const lines = readFileSync(path, 'latin1').split('\n')
  const kept = lines.filter((line) => !Object.hasOwn(changes, line.split('=')[0]))
  const added = Object.entries(changes).map(([key, value]) => (value === undefined ? '' : `${key}=${value}`))
  writeFileSync(path, [...kept, ...added].join('\n'))
}

/** Writes a BV graph with the given stream of bits, without offsets. */
export function writeBits(basename: string, bits: string, properties: Record<string, string | number>): void {
  const entries = {
    graphclass: 'it.unimi.dsi.webgraph.BVGraph',
    version: 0,
    windowsize: 7,
    minintervallength: 4,
    ...properties,
  }
  writeFileSync(`${basename}.graph`, packed(bits))
  writeFileSync(
    `${basename}.properties`,
    Object.entries(entries)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
}
