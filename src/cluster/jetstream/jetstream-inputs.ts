/**
 * Data of the user that shards need: the scores of an earlier crawl, and frequencies of words. They are objects in the object store of the
 * crawl, stored before its settings, which name them. So no worker needs a copy of the user's files.
 *
 *   scores.N   "URL<TAB>score" lines of the pages of shard N, deflated
 *   words      documents, then the counts of all words; 32 bits each, little-endian, deflated
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'
import type { JetStreamObjects } from './jetstream-objects.ts'
import { someAtOnce, streamsAtOnce } from './some-at-once.ts'

/** Those that a crawl has. */
export type InputName = 'scores' | 'words'

interface WordFrequencies {
  readonly documents: number
  readonly counts: Uint32Array
}

export class JetStreamInputs {
  readonly #objects: JetStreamObjects

  constructor(objects: JetStreamObjects) {
    this.#objects = objects
  }

  /** `shardOf`: of a URL. */
  async putScores(
    scores: ReadonlyMap<string, number>,
    shards: number,
    shardOf: (url: string) => number,
  ): Promise<void> {
    const lines = Array.from({ length: shards }, (): string[] => [])
    for (const [url, score] of scores) lines[shardOf(url)].push(`${url}\t${score}\n`)
    await someAtOnce(streamsAtOnce, lines.entries(), ([shard, own]) =>
      this.#put(`scores.${shard}`, Buffer.from(own.join(''))),
    )
  }

  /** The scores of a shard's pages. BAD_STREAM if they cannot be read. */
  async scoresOf(shard: number): Promise<Map<string, number>> {
    const text = (await this.#read(`scores.${shard}`)).toString()
    const lines = text.split('\n').slice(0, -1)
    return new Map(
      lines.map((line) => {
        const tab = line.lastIndexOf('\t')
        return [line.slice(0, tab), Number(line.slice(tab + 1))]
      }),
    )
  }

  async putWords({ documents, counts }: WordFrequencies): Promise<void> {
    const bytes = Buffer.alloc(4 + 4 * counts.length)
    bytes.writeUInt32LE(documents, 0)
    counts.forEach((count, cell) => bytes.writeUInt32LE(count, 4 + 4 * cell))
    await this.#put('words', bytes)
  }

  /** BAD_STREAM if they cannot be read. */
  async words(): Promise<WordFrequencies> {
    const bytes = await this.#read('words')
    const counts = Uint32Array.from({ length: (bytes.length - 4) >>> 2 }, (_, cell) =>
      bytes.readUInt32LE(4 + 4 * cell),
    )
    return { documents: bytes.readUInt32LE(0), counts }
  }

  async #put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#objects.put(name, {}, [deflateSync(bytes)])
  }

  async #read(name: string): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of this.#objects.read(name)) chunks.push(chunk)
      return inflateSync(Buffer.concat(chunks))
    } catch (cause) {
      const isDamaged =
        cause instanceof RankwardError || (cause as NodeJS.ErrnoException).code?.startsWith('Z_')
      if (isDamaged !== true) throw cause
      throw new RankwardError(
        'BAD_STREAM',
        `The object ${name} of the crawl, which its settings name, is missing or damaged in the object store: begin the crawl again.`,
        { cause },
      )
    }
  }
}
