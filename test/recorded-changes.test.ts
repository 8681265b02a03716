/** Folders of recorded changes: what they are read as, and what is wrong with damaged ones. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRecordedSite } from '../src/webgraph/formats/recorded-site-reader.ts'
import type { ChangeKind } from '../src/webgraph/formats/recorded-versions.ts'
import {
  countedChangeRate,
  linkListAt,
  livePage,
  noPage,
  webOfRecorded,
  type RecordedSite,
} from '../src/webgraph/recorded-site.ts'
import { temporaryFolder } from './temporary-folder.ts'

const day = 86_400
const start = 1_500_000_000
const at = (days: number): number => start + days * day
const hash = (letter: string): string => letter.repeat(16)

/** Page 0 changes, is deleted and comes back; page 1 changes only its bytes; page 2 is born later. */
const pages = ['0\t/\t1\t', '1\t/a\t1\t', '2\t/b\t1\t']
const versions = [
  `0\t${at(0)}\t10\t${hash('1')}\t${hash('a')}\t${hash('a')}`,
  `1\t${at(0)}\t10\t${hash('2')}\t${hash('b')}\t${hash('b')}`,
  `0\t${at(1)}\t11\t${hash('3')}\t${hash('c')}\t=`,
  `1\t${at(2)}\t12\t${hash('4')}\t=\t=`,
  `0\t${at(3)}\t11\t${hash('5')}\t=\t${hash('d')}`,
  `2\t${at(4)}\t10\t${hash('6')}\t${hash('e')}\t${hash('e')}`,
  `0\t${at(5)}\t-1\t-\t-\t-`,
  `0\t${at(7)}\t10\t${hash('7')}\t${hash('f')}\t${hash('f')}`,
  `1\t${at(8)}\t10\t${hash('8')}\t${hash('0')}\t=`,
]
const links = [`${at(0)}\t0\t=1`, `${at(0)}\t1\t=`, `${at(3)}\t0\t+2`, `${at(4)}\t2\t=0 1`, `${at(7)}\t0\t=2`]

function folderOf(files: Record<string, readonly string[]>): string {
  const folder = temporaryFolder()
  for (const [name, lines] of Object.entries(files))
    writeFileSync(join(folder, name), gzipSync(lines.map((line) => `${line}\n`).join('')))
  return folder
}

const all = { 'pages.tsv.gz': pages, 'versions.tsv.gz': versions, 'links.tsv.gz': links }

async function read(change?: ChangeKind): Promise<RecordedSite> {
  return readRecordedSite(folderOf(all), { change })
}

const changesOf = (site: RecordedSite, page: number): number[] => [
  ...site.changes.subarray(site.changeOffsets[page], site.changeOffsets[page + 1]),
]

describe('a folder of recorded changes', () => {
  it('has a page for each life of a path', async () => {
    const site = await read()
    expect([site.paths, site.pages, site.days]).toEqual([3, 4, 8])
    expect([...site.born]).toEqual([0, 0, 4, 7])
    expect([...site.gone]).toEqual([5, Infinity, Infinity, Infinity])
    expect([livePage(site, 0, 4.9), livePage(site, 0, 5), livePage(site, 0, 7)]).toEqual([0, noPage, 3])
  })

  it.each([
    ['content', [1, 3], [8]],
    ['text', [1], [8]],
    ['links', [3], []],
    ['bytes', [1, 3], [2, 8]],
  ] as const)('has the changes of %s', async (change, first, second) => {
    const site = await read(change)
    expect(changesOf(site, 0)).toEqual(first)
    expect(changesOf(site, 1)).toEqual(second)
  })

  it('has the links of each day', async () => {
    const { links: lists } = await read()
    const targetsAt = (path: number, on: number): number[] => {
      const list = linkListAt(lists!, path, on)
      return [...lists!.targets.subarray(list === 0 ? 0 : lists!.ends[list - 1], lists!.ends[list])]
    }
    expect([targetsAt(0, 0), targetsAt(0, 3), targetsAt(0, 7)]).toEqual([[1], [1, 2], [2]])
    expect(linkListAt(lists!, 2, 3.9)).toBe(-1)
    expect([...lists!.isLinked]).toEqual([1, 1, 1])
  })

  it('counts deletions as changes in the rate of a page', async () => {
    expect(countedChangeRate(await read(), 0)).toBe(3 / 5)
  })

  it('is a web of all pages that were ever alive, with the last links of each', async () => {
    const { graph } = webOfRecorded(await read())
    const cursor = graph.cursor()
    const linksOf = (page: number): number[] => {
      cursor.seek(page)
      return [...cursor.targets.subarray(cursor.start, cursor.end)]
    }
    expect([0, 1, 2, 3].map(linksOf)).toEqual([[1, 2], [], [1, 3], [2]])
  })

  it('takes the last of several rows of a page in one second', async () => {
    const again = [
      ...versions.slice(0, 7),
      `0\t${at(5)}\t10\t${hash('9')}\t${hash('9')}\t${hash('9')}`,
      versions[8],
    ]
    const site = await readRecordedSite(folderOf({ ...all, 'versions.tsv.gz': again }))
    expect([site.pages, site.gone[0]]).toEqual([3, Infinity])
    expect(changesOf(site, 0)).toEqual([1, 3, 5])
  })

  it.each([
    ['pages.tsv.gz', ['1\t/\t1\t'], 'pages.tsv.gz:1: expected page id 0'],
    ['versions.tsv.gz', [...versions.slice(0, 1), 'x'], 'versions.tsv.gz:2: expected 6 fields'],
    ['versions.tsv.gz', [versions[0].replace('0\t', '9\t')], 'versions.tsv.gz:1: expected a page id below 3'],
    ['versions.tsv.gz', [versions[2], versions[0]], 'versions.tsv.gz:1: expected 16 hex digits'],
    ['versions.tsv.gz', [versions[7], versions[0]], 'versions.tsv.gz:2: expected a time from'],
    ['versions.tsv.gz', [], 'has no version of any page'],
    ['links.tsv.gz', [`${at(0)}\t0\t+1`], 'links.tsv.gz:1: expected a full list'],
    ['links.tsv.gz', [`${at(0)}\t0\t=1 x`], 'links.tsv.gz:1: expected a page id below 3'],
  ])('with a damaged %s is an error that names the line', async (name, lines, message) => {
    const folder = folderOf({ ...all, [name]: lines })
    await expect(readRecordedSite(folder)).rejects.toMatchObject({
      code: 'BAD_CHANGES',
      message: expect.stringContaining(message) as string,
    })
  })
})
