/** A crawl in a folder that may not be written to: everything that reads a crawl works. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { program } from './command-line.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const out = join(folder, 'crawl')
const here = join(folder, 'here')
let url = ''
/** Root may write anywhere, so the commands are run as another user then. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const mayRun = spawnSync(process.execPath, [program, '--version'], { cwd: '/', ...nobody }).status === 0

beforeAll(async () => {
  const address = '127.9.1.1'
  const web = await serveSmall({ [address]: { '/': pageWith('river', '/a'), '/a': pageWith('mountain') } })
  url = web.url(`${address}/`)
  await crawl({ seeds: [url], out, wait: 0, allowPrivate: true, threads: 1 }).run()
  await web.close()
  chmodSync(folder, 0o755)
  mkdirSync(here)
  chmodSync(here, 0o777)
  chmodSync(out, 0o555)
})
afterAll(() => chmodSync(out, 0o755))

function rankward(...args: string[]): Promise<{ status: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: here, ...nobody })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, text }))
  })
}

describe.skipIf(!mayRun)(
  'a crawl in a read-only folder (needs a user other than root who may run the program)',
  () => {
    it.each([
      ['status', [], 'pages'],
      ['explain', ['URL'], 'fetched'],
      ['search', ['river'], 'river'],
      ['duplicates', [], ''],
      ['simulate', ['--strategy', 'breadth-first'], 'breadth-first'],
    ])('can be read by %s', async (command, more, expected) => {
      const { status, text } = await rankward(command, out, ...more.map((arg) => (arg === 'URL' ? url : arg)))
      expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining(expected) as string })
    })

    it('is reported and exported into the current folder, which is said', async () => {
      const reported = await rankward('report', out)
      expect(reported).toMatchObject({ status: 0 })
      expect(reported.text).toContain('crawl-report.html')
      const exported = await rankward('export', out, '--format', 'csv')
      expect(exported).toMatchObject({ status: 0 })
      expect(exported.text).toContain('crawl-export')
      const names = readdirSync(here)
      expect(names).toContain('crawl-report.html')
      expect(names.filter((name) => /^crawl-report.*\.csv$/.test(name))).not.toEqual([])
      expect(readdirSync(join(here, 'crawl-export'))).toContain('pages.csv')
      // They may be made again.
      expect(await rankward('report', out)).toMatchObject({ status: 0 })
      expect(await rankward('export', out, '--format', 'csv')).toMatchObject({ status: 0 })
      expect(readdirSync(out)).not.toContain('report.html')
    })
  },
)
