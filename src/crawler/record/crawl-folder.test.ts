import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { WarcWriter } from '../../web/warc/warc-writer.ts'
import { CrawlFolder, type NewCrawl } from './crawl-folder.ts'
import { settingsOf } from '../options/crawl-settings.ts'
import { RecordWriter } from './record-writer.ts'
import { SegmentLog } from './segment-log.ts'
import { recordIsEmpty } from './record-folder.ts'
import { WriterLock } from './writer-lock.ts'
import { dropUnrecorded } from '../parts/archive/earlier-files.ts'
import { warcinfoOf } from '../../web/warc/warc-owner.ts'

const root = temporaryFolder()
let count = 0
const newPath = (): string => join(root, String(count++))

const options = settingsOf({ seeds: ['https://a.org/'] })
const trust = new Map([['https://a.org/', 2]])
const create = (path: string, more: Partial<NewCrawl> = {}): Promise<CrawlFolder> =>
  CrawlFolder.create(path, { options, ...more })

/** All files below a folder, with their content. */
function contentOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((file) => [file, readFileSync(file, 'latin1')]))
}

async function expectRefused(path: string, code: string): Promise<void> {
  const before = contentOf(path)
  await expect(create(path)).rejects.toMatchObject({ code })
  expect(contentOf(path)).toEqual(before)
}

async function commitGroup(folder: CrawlFolder): Promise<void> {
  const record = new RecordWriter(await SegmentLog.open(folder.log))
  await record.commit(new Uint8Array(0), new Map(), {})
  await record.close()
}

function writeWarc(folder: CrawlFolder, thread: number, info: Record<string, string>): void {
  const writer = new WarcWriter({ folder: folder.warc, prefix: `rankward-${thread}`, info })
  const response = { startLine: 'HTTP/1.1 200 OK', headers: [], body: Buffer.from('text') }
  writer.exchange({ url: 'https://a.org/', dateMs: 0, response, status: 200, mime: 'text/html' })
  writer.close()
}

describe('a new crawl', () => {
  it.each([
    ['warc/holiday.jpg', 'picture'],
    ['record/diary.txt', 'dear diary'],
    ['crawl.json', '{}'],
    ['crawl.json', '{"format": 2, "options": {}}'],
    ['crawl.json', 'not JSON'],
    ['trust.tsv', 'https://a.org/\t1\n'],
    ['notes.txt', 'notes'],
    ['.crawl.json.0123456789ab.partial', 'not ours'],
  ])('refuses a folder with a foreign %s and leaves it as it was', async (name, text) => {
    const path = newPath()
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
    await expectRefused(path, 'FOREIGN_FILES')
  })

  it('of another format is not called foreign', async () => {
    const path = newPath()
    mkdirSync(path)
    writeFileSync(join(path, 'crawl.json'), '{"rankward": "0.0.1", "format": 1, "options": {}}')
    await expect(create(path)).rejects.toThrow(/has format 1, of Rankward 0\.0\.1/)
  })

  it('refuses folders in the place of its files', async () => {
    for (const name of ['trust.tsv', 'warc/rankward-0-00000.warc.gz']) {
      const { path } = await create(newPath())
      mkdirSync(join(path, name))
      await expectRefused(path, 'FOREIGN_FILES')
    }
  })

  it('takes an empty folder, and one where a kill left an incomplete crawl.json', async () => {
    const path = newPath()
    mkdirSync(path)
    writeFileSync(join(path, '.crawl.json.0123456789ab.partial'), '{\n  "rankward": "0.1')
    await create(path)
    expect(readdirSync(path).toSorted()).toEqual(['crawl.json', 'warc'])
  })

  it('begins again where an earlier one was killed before its first group', async () => {
    const path = newPath()
    const killed = await create(path, { trust })
    await (await SegmentLog.open(killed.log)).close()
    writeWarc(killed, 0, warcinfoOf(killed.file.id))
    writeFileSync(join(killed.warc, 'rankward-1-00000.warc.gz'), '')
    const again = await create(path)
    expect(again.file.id).not.toBe(killed.file.id)
    expect(readdirSync(again.warc)).toEqual([])
    expect(readdirSync(path).toSorted()).toEqual(['crawl.json', 'warc'])
  })

  it('does not replace one that has recorded anything, nor one that is running', async () => {
    const path = newPath()
    const folder = await create(path)
    await commitGroup(folder)
    await expect(create(path)).rejects.toMatchObject({ code: 'CRAWL_EXISTS' })
    const running = await create(newPath())
    mkdirSync(running.record)
    const lock = WriterLock.take(running.record)
    await expect(create(running.path)).rejects.toMatchObject({ code: 'CRAWL_RUNNING' })
    lock.release()
  })

  it('replaces a replaceable one, and leaves all other files in its folder', async () => {
    const path = newPath()
    const demo = await create(path, { replaceable: true })
    await commitGroup(demo)
    writeWarc(demo, 0, warcinfoOf(demo.file.id))
    demo.update({ totals: { pages: 7 } as never })
    for (const place of ['notes.txt', 'warc/notes.txt', 'record/notes.txt']) {
      writeFileSync(join(path, place), 'mine')
    }
    const again = await create(path)
    expect(await recordIsEmpty(again.record)).toBe(true)
    expect(readdirSync(again.warc)).toEqual(['notes.txt'])
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(join(path, 'record/notes.txt'), 'utf8')).toBe('mine')
  })

  it('refuses score files and WARC files that the crawl before it did not write', async () => {
    for (const name of ['trust.tsv', 'historical-scores.tsv', 'warc/rankward-0-00003.warc']) {
      const path = newPath()
      await create(path)
      writeFileSync(join(path, name), 'foreign')
      await expectRefused(path, 'FOREIGN_FILES')
    }
  })
})

describe('the files of a crawl', () => {
  it('include the scores that it was given, named by crawl.json', async () => {
    const path = newPath()
    const { file } = await create(path, { trust })
    expect(Object.keys(file.files)).toEqual(['trust.tsv'])
    expect(CrawlFolder.open(path).readScores('trust')).toEqual(trust)
  })

  it('include no scores that were put there later', async () => {
    const folder = await create(newPath())
    writeFileSync(join(folder.path, 'trust.tsv'), 'https://evil.org/\t1\n')
    writeFileSync(join(folder.path, 'historical-scores.tsv'), 'https://evil.org/\t1\n')
    const opened = CrawlFolder.open(folder.path)
    expect([opened.readScores('trust'), opened.readScores('historical-scores')]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('include no scores that were changed', async () => {
    const folder = await create(newPath(), { trust })
    writeFileSync(join(folder.path, 'trust.tsv'), 'https://a.org/\t3\n')
    expect(() => folder.readScores('trust')).toThrow(/trust\.tsv is not the file that the crawl wrote/)
  })

  it.each([true, false])('lose only WARC files that prove to be theirs (gzip: %s)', async (isGzipped) => {
    const folder = await create(newPath())
    const info = warcinfoOf(folder.file.id)
    const level = isGzipped ? 6 : 0
    for (const thread of [0, 1]) {
      const writer = new WarcWriter({
        folder: folder.warc,
        prefix: `rankward-${thread}`,
        info: { ...info },
        level,
      })
      const response = { startLine: 'HTTP/1.1 200 OK', headers: [], body: Buffer.from('text') }
      writer.exchange({ url: 'https://a.org/', dateMs: 0, response, status: 200, mime: 'text/html' })
      writer.close()
    }
    const ends = new Map([[0, { serial: 0, length: 100, indexBytes: 0 }]])
    dropUnrecorded(folder, ends)
    const ending = isGzipped ? 'warc.gz' : 'warc'
    expect(readdirSync(folder.warc)).toEqual(['rankward-0-00000.cdxj', `rankward-0-00000.${ending}`])

    writeWarc(folder, 1, warcinfoOf('another'))
    const before = contentOf(folder.warc)
    expect(() => dropUnrecorded(folder, ends)).toThrow(/rankward-1-00000\.warc\.gz/)
    expect(contentOf(folder.warc)).toEqual(before)
  })
})
