/**
 * A message of the links log: one cut of one shard, with a section for each shard that receives something.
 *
 *   mark (1) · source · number · sections: target · length · home (8) · entries: name, amount (8), time
 *
 * The time of an entry is 1 more than the milliseconds from the beginning of the crawl until the page was found, or 0 if an earlier message
 * has said it. The bytes are a function of the journal of the source, so any owner of the shard produces the same message again.
 */
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'

/** Version 1 of the encoding. Bytes of another program hardly begin with it. */
const mark = 0xc1

/** The sections of a message that is being written. */
export class MessageWriter {
  readonly #sections = new Map<number, { home: number; entries: ByteWriter }>()

  /** Adds an amount for the seeds of this shard. */
  home(target: number, amount: number): void {
    this.#section(target).home += amount
  }

  /** Returns the entries for this shard; the caller appends name, amount and time. */
  entries(target: number): ByteWriter {
    return this.#section(target).entries
  }

  /** Bytes of all entries so far. */
  get length(): number {
    let length = 0
    for (const { entries } of this.#sections.values()) length += entries.length
    return length
  }

  #section(target: number): { home: number; entries: ByteWriter } {
    const found = this.#sections.get(target)
    if (found !== undefined) return found
    const section = { home: 0, entries: new ByteWriter() }
    this.#sections.set(target, section)
    return section
  }

  bytes(source: number, number: number): Uint8Array {
    const whole = new ByteWriter()
    whole.byte(mark)
    whole.varint(source)
    whole.varint(number)
    for (const target of [...this.#sections.keys()].toSorted((a, b) => a - b)) {
      const { home, entries } = this.#sections.get(target)!
      whole.varint(target)
      whole.varint(8 + entries.length)
      whole.double(home)
      whole.raw(entries.view())
    }
    return Uint8Array.from(whole.view())
  }
}

interface MessageName {
  readonly source: number
  readonly number: number
}

/** Throws a RangeError if the bytes are not a message. */
export function messageName(bytes: Uint8Array): MessageName {
  const { source, number } = opened(bytes)
  return { source, number }
}

/** The section for a shard, after its `home`; undefined if the message has nothing for it. */
export function sectionFor(
  bytes: Uint8Array,
  target: number,
): { readonly home: number; readonly entries: ByteReader } | undefined {
  const { reader } = opened(bytes)
  while (!reader.isAtEnd) {
    const found = reader.varint()
    const section = new ByteReader(reader.block())
    if (found === target) return { home: section.double(), entries: section }
  }
  return undefined
}

function opened(bytes: Uint8Array): MessageName & { readonly reader: ByteReader } {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== mark) throw new RangeError('the bytes are not a message of a shard')
  return { source: reader.varint(), number: reader.varint(), reader }
}
