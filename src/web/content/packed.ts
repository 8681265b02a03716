/**
 * Models as text: base64 of bytes. A forest has its number of trees (2 bytes) and bias (a float), then for each tree its number of nodes
 * (1 byte) and its nodes: feature (1 byte, 255 for a leaf), left child (1 byte), value (the upper 2 bytes of a float). A list of words has
 * the hash of each word (4 bytes) and its weight in 1/40 (1 byte).
 */
import { leaf, type Forest } from './trees.ts'
import { WordWeights } from './word-weights.ts'

export const weightUnit = 1 / 40

function viewOf(packed: string): DataView {
  return new DataView(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0)).buffer)
}

export function unpackedForest(packed: string): Forest {
  const view = viewOf(packed)
  const trees = view.getUint16(0)
  const starts = [0]
  const feature: number[] = []
  const left: number[] = []
  const value: number[] = []
  const bits = new DataView(new ArrayBuffer(4))
  let at = 6
  for (let tree = 0; tree < trees; tree++) {
    const nodes = view.getUint8(at++)
    for (let node = 0; node < nodes; node++, at += 4) {
      feature.push(view.getUint8(at))
      left.push(view.getUint8(at + 1))
      bits.setUint16(0, view.getUint16(at + 2))
      value.push(bits.getFloat32(0))
    }
    starts.push(feature.length)
  }
  return {
    starts: Int32Array.from(starts),
    feature: Uint8Array.from(feature),
    left: Uint8Array.from(left),
    value: Float32Array.from(value),
    bias: view.getFloat32(2),
  }
}

export function packedForest({ starts, feature, left, value, bias }: Forest): string {
  const view = new DataView(new ArrayBuffer(6 + starts.length - 1 + feature.length * 4))
  const bits = new DataView(new ArrayBuffer(4))
  view.setUint16(0, starts.length - 1)
  view.setFloat32(2, bias)
  let at = 6
  for (let tree = 0; tree + 1 < starts.length; tree++) {
    view.setUint8(at++, starts[tree + 1] - starts[tree])
    for (let node = starts[tree]; node < starts[tree + 1]; node++, at += 4) {
      view.setUint8(at, feature[node])
      view.setUint8(at + 1, feature[node] === leaf ? 0 : left[node])
      bits.setFloat32(0, value[node])
      view.setUint16(at + 2, Math.min(0xffff, (bits.getUint32(0) + 0x8000) >>> 16))
    }
  }
  return textOf(view)
}

export function unpackedWords(packed: string): WordWeights {
  const view = viewOf(packed)
  const keys: number[] = []
  const weights: number[] = []
  for (let at = 0; at < view.byteLength; at += 5) {
    keys.push(view.getInt32(at))
    weights.push(view.getInt8(at + 4) * weightUnit)
  }
  return new WordWeights(keys, weights)
}

export function packedWords(keys: readonly number[], weights: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(keys.length * 5))
  for (const [i, key] of keys.entries()) {
    view.setInt32(i * 5, key)
    view.setInt8(i * 5 + 4, Math.round(weights[i] / weightUnit))
  }
  return textOf(view)
}

function textOf(view: DataView): string {
  return btoa(Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join(''))
}
