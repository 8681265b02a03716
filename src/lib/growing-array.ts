/**
 * Typed arrays that grow as pages are found: by half their length, so that each number is copied about three times in
 * all and at most a third of the memory is spare. Read `array` anew after anything that may grow it.
 */
export class GrowingFloat64 {
  array: Float64Array

  constructor(capacity = 1024) {
    this.array = new Float64Array(capacity)
  }

  /** Makes room for this index; new places hold 0. */
  ensure(index: number): void {
    if (index < this.array.length) return
    const larger = new Float64Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }
}

export class GrowingUint32 {
  array: Uint32Array

  constructor(capacity = 1024) {
    this.array = new Uint32Array(capacity)
  }

  ensure(index: number): void {
    if (index < this.array.length) return
    const larger = new Uint32Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }
}

export class GrowingUint16 {
  array: Uint16Array

  constructor(capacity = 1024) {
    this.array = new Uint16Array(capacity)
  }

  ensure(index: number): void {
    if (index < this.array.length) return
    const larger = new Uint16Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }
}

export class GrowingUint8 {
  array: Uint8Array

  constructor(capacity = 1024) {
    this.array = new Uint8Array(capacity)
  }

  ensure(index: number): void {
    if (index < this.array.length) return
    const larger = new Uint8Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }
}

function grownLength(length: number, index: number): number {
  return Math.max(index + 1, Math.ceil(length * 1.5) + 16)
}
