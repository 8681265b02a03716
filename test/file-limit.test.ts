/** A process that may open too few files says how many it needs. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { program } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

/** Runs a command that may open so many files. */
async function limited(files: number, command: string): Promise<{ stderr: string; code: number }> {
  const line = `ulimit -n ${files} && exec "${process.execPath}" "${program}" ${command}`
  return promisify(execFile)('sh', ['-c', line], { cwd: folder, timeout: 300_000 }).then(
    ({ stderr }) => ({ stderr, code: 0 }),
    (error: { stderr: string; code: number }) => error,
  )
}

it.each([
  'crawl http://127.0.0.1:9/ --allow-private --attempts 1 --no-progress --out',
  'simulate web.tsv --no-progress -s',
])('a limit of 24 files is an error with a remedy: %s', async (command) => {
  writeFileSync(join(folder, 'web.tsv'), '0\t1\n1\t2\n2\t0\n')
  const { stderr, code } = await limited(24, `${command} breadth-first`)
  expect(stderr).toBe(
    'rankward: Too many open files: this process may open 24 (ulimit -n). It needs about 64, and a crawl one more ' +
      'for each connection (--connections). Raise the limit and run the command again: ulimit -n 4096\n',
  )
  expect(code).toBe(1)
  expect((await limited(64, `${command} breadth-first-again`)).stderr).not.toContain('Too many open files')
})
