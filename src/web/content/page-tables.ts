/**
 * The elements and blocks of one page as columns of numbers. A table is reused for the next page; its columns grow together.
 *
 * A *block* is a run of text without a block element's tag in it: a paragraph, a heading, a table's cell, a menu's entry.
 * Elements are numbered in the order of their start tags, so that a parent has a lower number than its children: sums over
 * subtrees and what is inherited are loops over the numbers, without recursion.
 */
export class ElementTable {
  count = 0
  parent = new Int32Array(1024)
  tag = new Uint8Array(1024)
  /** Its role in the page and the roles of the elements around it (element-flags.ts). */
  flags = new Int32Array(1024)
  /** Evidence of its class and id names. */
  classScore = new Float32Array(1024)
  /** Hash of tag and class, equal for items of a list. */
  kind = new Int32Array(1024)
  /** Sums over the blocks in it, after `addUp`. */
  words = new Int32Array(1024)
  linkWords = new Int32Array(1024)
  proseWords = new Int32Array(1024)
  blocks = new Int32Array(1024)
  /** Where its start tag begins. */
  start = new Int32Array(1024)

  clear(): void {
    this.count = 0
  }

  add(parent: number, tag: number, flags: number, classScore: number, kind: number, start: number): number {
    const element = this.count++
    if (element === this.parent.length) this.#grow()
    this.parent[element] = parent
    this.tag[element] = tag
    this.flags[element] = flags
    this.classScore[element] = classScore
    this.kind[element] = kind
    this.start[element] = start
    this.words[element] = this.linkWords[element] = this.proseWords[element] = this.blocks[element] = 0
    return element
  }

  /** Adds the sums of each element to its parent's. */
  addUp(): void {
    const { parent, words, linkWords, proseWords, blocks } = this
    for (let element = this.count - 1; element > 0; element--) {
      const above = parent[element]
      words[above] += words[element]
      linkWords[above] += linkWords[element]
      proseWords[above] += proseWords[element]
      blocks[above] += blocks[element]
    }
  }

  #grow(): void {
    const length = this.parent.length * 2
    this.parent = grown(this.parent, new Int32Array(length))
    this.tag = grown(this.tag, new Uint8Array(length))
    this.flags = grown(this.flags, new Int32Array(length))
    this.classScore = grown(this.classScore, new Float32Array(length))
    this.kind = grown(this.kind, new Int32Array(length))
    this.words = grown(this.words, new Int32Array(length))
    this.linkWords = grown(this.linkWords, new Int32Array(length))
    this.proseWords = grown(this.proseWords, new Int32Array(length))
    this.blocks = grown(this.blocks, new Int32Array(length))
    this.start = grown(this.start, new Int32Array(length))
  }
}

/** Columns of `BlockTable`, by position in a row of its numbers. */
export const blockColumns = [
  'element',
  /** Its inline events: from this number to the next block's. */
  'events',
  'words',
  'linkWords',
  'chars',
  'stops',
  'commas',
  'upperWords',
  'digitWords',
  /** Hash of its words. */
  'hash',
  /** The last character that is not white space. */
  'lastChar',
  'images',
  /** Position in the page. */
  'start',
] as const
export type BlockColumn = (typeof blockColumns)[number]

export class BlockTable {
  count = 0
  readonly columns: Record<BlockColumn, Int32Array> = Object.fromEntries(
    blockColumns.map((name) => [name, new Int32Array(1024)]),
  ) as Record<BlockColumn, Int32Array>
  /** Evidence of its words. */
  wordScore = new Float32Array(1024)

  clear(): void {
    this.count = 0
  }

  /** A new row; its numbers are 0. */
  add(): number {
    const block = this.count++
    if (block === this.wordScore.length) this.#grow()
    for (const name of blockColumns) this.columns[name][block] = 0
    this.wordScore[block] = 0
    return block
  }

  #grow(): void {
    const length = this.wordScore.length * 2
    for (const name of blockColumns) this.columns[name] = grown(this.columns[name], new Int32Array(length))
    this.wordScore = grown(this.wordScore, new Float32Array(length))
  }
}

/** What happens inside blocks, in order: three numbers each. Texts and attribute values are ranges of the page. */
export class EventList {
  length = 0
  numbers = new Int32Array(8192)

  clear(): void {
    this.length = 0
  }

  add(kind: number, start: number, end: number): void {
    if (this.length + 3 > this.numbers.length)
      this.numbers = grown(this.numbers, new Int32Array(this.numbers.length * 2))
    this.numbers[this.length] = kind
    this.numbers[this.length + 1] = start
    this.numbers[this.length + 2] = end
    this.length += 3
  }
}

/** Kinds of events. A closing event follows its opening one by 1. */
export const textEvent = 0
export const linkEvent = 2
export const strongEvent = 4
export const emphasisEvent = 6
export const codeEvent = 8
/** An image: the range of its address, followed by an event with the range of its text. */
export const imageEvent = 10
export const breakEvent = 12
/** A blank if the text before and after would run together. */
export const gapEvent = 13

function grown<Column extends Int32Array | Uint8Array | Float32Array>(old: Column, larger: Column): Column {
  larger.set(old)
  return larger
}
