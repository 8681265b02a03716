import { Command } from 'commander'
import { expect, it } from 'vitest'
import { crawlCommand } from './crawl.ts'
import { commandGroups, loadCommand } from './commands.ts'
import { ourCommands, ourNames, withOurName } from './other-names.ts'

it("suggests the command's own name of an option that another crawler has", () => {
  const command = new Command('crawl').option('--wait <s>')
  expect(withOurName("unknown option '--delay'", command)).toBe(
    "unknown option '--delay' (Did you mean --wait?)",
  )
  expect(withOurName("unknown option '--delay=3'", command)).toContain('Did you mean --wait?')
})

it('leaves other messages as they are', () => {
  const command = new Command('status').option('--json')
  for (const message of [
    "unknown option '--delay'",
    "unknown option '--jsn' (Did you mean --json?)",
    'missing argument',
  ])
    expect(withOurName(message, command)).toBe(message)
})

it('suggests only options that `crawl` has, for names that it does not have', () => {
  const names = new Set(crawlCommand().options.map(({ long }) => long))
  expect(Object.values(ourNames).filter((name) => !names.has(name))).toEqual([])
  expect(Object.keys(ourNames).filter((name) => names.has(name))).toEqual([])
})

it('suggests commands that exist, for names that do not', async () => {
  const entries = Object.assign({}, ...Object.values(commandGroups)) as (typeof commandGroups)[string]
  for (const [word, meant] of Object.entries(ourCommands)) {
    expect(entries).not.toHaveProperty(word)
    const [first, second] = meant.split(' ')
    const { commands } = await loadCommand(entries[first])
    if (second !== undefined) expect(commands.map((sub) => sub.name())).toContain(second)
    expect(withOurName(`unknown command '${word}'`, undefined)).toContain(`Did you mean ${meant}?`)
  }
  const resume = await loadCommand(entries['resume'])
  expect(withOurName("unknown option '--cluster'", resume)).toContain('Did you mean cluster resume?')
})
