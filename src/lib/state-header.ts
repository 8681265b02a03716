/** The headers of the values in a saved state (state.ts). */
import { fmix32 } from './hash.ts'

export const headerBytes = 16

/** Headers: kind and check as 32 bits each, then the number as 64 bits, little-endian. */
export class HeaderCheck {
  /** Kind in the header that was read last. */
  kind = 0
  readonly #number = new Float64Array(1)
  readonly #words = new Uint32Array(this.#number.buffer)

  write(bytes: Uint8Array, at: number, kind: number, value: number, position: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, headerBytes)
    view.setUint32(0, kind, true)
    view.setUint32(4, this.#check(kind, value, position), true)
    view.setFloat64(8, value, true)
  }

  /** The number in a header; undefined if the header is damaged. */
  read(bytes: Uint8Array, position: number): number | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes)
    this.kind = view.getUint32(0, true)
    const value = view.getFloat64(8, true)
    return view.getUint32(4, true) === this.#check(this.kind, value, position) ? value : undefined
  }

  /** Each step is a bijection, so any change within one word changes the check. */
  #check(kind: number, value: number, position: number): number {
    this.#number[0] = value
    const place = fmix32(kind ^ fmix32(position + 1))
    return fmix32(this.#words[1] ^ fmix32(this.#words[0] ^ place))
  }
}
