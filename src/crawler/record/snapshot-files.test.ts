import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { SnapshotFiles } from './snapshot-files.ts'

const folder = temporaryFolder()
let folders = 0
const newFolder = (): string => join(folder, `snapshots-${folders++}`)
const writer = '00112233445566778899aabbccddeeff'
const chunks = (seed: number): Uint8Array[] =>
  [3, 0, 700, 5_000_000].map((length, i) => new Uint8Array(length).fill(seed + i))

describe('snapshots', () => {
  it('come back as they were written, whatever their size', async () => {
    const files = new SnapshotFiles(newFolder())
    await files.write({ group: 7, writer }, chunks(1))
    expect(files.check(7)).toEqual({ group: 7, writer })
    expect(
      Buffer.concat(Array.from(files.blocks(7), (block) => Buffer.from(block))).equals(
        Buffer.concat(chunks(1)),
      ),
    ).toBe(true)
  })

  it('are kept twice: the newest and the one before it', async () => {
    const path = newFolder()
    const files = new SnapshotFiles(path)
    expect(files.groups()).toEqual([])
    for (const group of [3, 20, 100]) await files.write({ group, writer }, chunks(group))
    expect(files.groups()).toEqual([100, 20])
    expect(readdirSync(path)).toHaveLength(2)
  })

  it('that are torn or damaged anywhere are not taken for whole', async () => {
    const files = new SnapshotFiles(newFolder())
    await files.write({ group: 7, writer }, [new Uint8Array(200).fill(5), Uint8Array.of(1, 2, 3)])
    const file = files.path(7)
    const bytes = readFileSync(file)
    for (let length = 0; length < bytes.length; length++) {
      truncateSync(file, length)
      expect(files.check(7)).toBeUndefined()
      writeFileSync(file, bytes)
    }
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bytes)
        changed[at % bytes.length] ^= flip
        writeFileSync(file, changed)
        expect(files.check(7)).toBeUndefined()
      }),
      seeded(200),
    )
  })

  it('that a killed process left unfinished are removed by the next one, and foreign files are not', async () => {
    const path = newFolder()
    const files = new SnapshotFiles(path)
    await files.write({ group: 3, writer }, chunks(1))
    const unfinished = join(path, '0000000004.snapshot.part')
    writeFileSync(unfinished, readFileSync(files.path(3)).subarray(0, 1000))
    writeFileSync(join(path, '0000000005.snapshot.part'), 'my notes')
    await files.write({ group: 6, writer }, chunks(2))
    expect(readdirSync(path).toSorted()).toEqual([
      '0000000003.snapshot',
      '0000000005.snapshot.part',
      '0000000006.snapshot',
    ])
  })

  it('that were renamed are not taken for those of another group', async () => {
    const files = new SnapshotFiles(newFolder())
    await files.write({ group: 7, writer }, chunks(1))
    writeFileSync(files.path(8), readFileSync(files.path(7)))
    expect(files.check(8)).toBeUndefined()
    expect(files.check(7)).toBeDefined()
  })
})
