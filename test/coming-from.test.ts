/** docs/coming-from.md: what it names exists, and it has every name of another crawler that the command line explains. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { ourNames } from '../src/cli/other-names.ts'
import { rankward } from './command-line.ts'

const page = readFileSync(new URL('../docs/coming-from.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (.+) \| (.+) \|$/gm)].filter(([, theirs]) => theirs !== '---')

describe('coming from another crawler', () => {
  let help: string

  beforeAll(async () => {
    const commands = [['crawl', '--help-all'], ['export', '--help'], ['dataset', '--help'], ['--help']]
    const ends = await Promise.all(commands.map((args) => rankward(args)))
    help = ends.map(({ stdout }) => stdout).join('\n')
  })

  it('names only options, settings and commands that exist', () => {
    const ours = rows.map(([, , cell]) => cell).join('\n')
    const flags = [...new Set(ours.match(/(?<=[`\s])--[a-z][a-z-]*/g))]
    const settings = [...new Set(Array.from(ours.matchAll(/--set (\w+)=/g), ([, name]) => name))]
    const commands = [...new Set(Array.from(ours.matchAll(/`rankward ([a-z]+)/g), ([, name]) => name))]
    expect(flags.length).toBeGreaterThan(30)
    expect(flags.filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(help))).toEqual([])
    expect(settings.filter((name) => !help.includes(`  ${name}=`))).toEqual([])
    expect(commands.filter((name) => !new RegExp(`^ +${name}\\b`, 'm').test(help))).toEqual([])
  })

  it('has every name that the command line explains', () => {
    const missing = Object.entries(ourNames).filter(
      ([theirs, ours]) =>
        !rows.some(([, left, right]) => left.includes(`\`${theirs}\``) && right === `\`${ours}\``),
    )
    expect(missing).toEqual([])
  })
})
