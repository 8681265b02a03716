import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { rankward } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shells = ['bash', 'zsh', 'fish'] as const
const script = (shell: string): string => join(folder, `rankward.${shell}`)
const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** A line to complete, a reply that must be there, and one that must not. */
const cases: [line: string, wanted: string, unwanted: string][] = [
  ['rankward cr', 'crawl', 'resume'],
  ['rankward crawl --cov', '--coverage', '--config'],
  ['rankward graph gen', 'generate', 'crawl'],
  ['rankward graph generate --pa', '--pages', '--coverage'],
  ['rankward export --table v', 'versions', 'pages'],
  ['rankward completion z', 'zsh', 'bash'],
  ['rankward crawl --scope p', 'prefix', 'host'],
  ['rankward crawl -s op', 'opic', 'pagerank'],
  ['rankward crawl --limit-s', '--limit-size', '--limit-time'],
  ['rankward crawl --help-', '--help-all', '--help'],
  ['rankward simulate web.rwg --frontier m', 'mercator', 'webbase'],
  ['rankward simulate web.rwg --worker', '--workers', '--shards'],
]

beforeAll(async () => {
  for (const shell of shells) {
    const { stdout } = await rankward(['completion', shell])
    writeFileSync(script(shell), stdout)
  }
})

function bash(line: string): string {
  const words = line.split(' ').map((word) => `'${word}'`)
  const program = `source '${script('bash')}'; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _rankward; printf '%s\\n' "\${COMPREPLY[@]}"`
  return spawnSync('bash', ['-c', program], { encoding: 'utf8', cwd: folder }).stdout
}

function fish(line: string): string {
  const program = `source '${script('fish')}'; complete -C '${line}'`
  return spawnSync('fish', ['-c', program], { encoding: 'utf8', cwd: folder }).stdout
}

describe('rankward completion', () => {
  it.each(cases)('bash completes %s', (line, wanted, unwanted) => {
    const replies = bash(line).split('\n')
    expect(replies).toContain(wanted)
    expect(replies).not.toContain(unwanted)
  })

  it('bash completes each name of a list', () => {
    expect(bash('rankward export crawl --format csv,par').trim()).toBe('csv,parquet')
  })

  it.skipIf(!isInstalled('fish')).each(cases)('fish completes %s', (line, wanted, unwanted) => {
    const replies = fish(line)
      .split('\n')
      .map((reply) => reply.split('\t')[0])
    expect(replies).toContain(wanted)
    expect(replies).not.toContain(unwanted)
  })

  it.skipIf(!isInstalled('zsh'))('zsh reads its script without error', () => {
    expect(spawnSync('zsh', ['-n', script('zsh')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})
