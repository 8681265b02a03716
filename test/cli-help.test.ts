import { describe, expect, it } from 'vitest'
import { strategies } from '../src/engine/strategies/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'

const commands = [
  [],
  ['crawl'],
  ['init'],
  ['check'],
  ['import'],
  ['cluster'],
  ['cluster', 'worker'],
  ['cluster', 'demo'],
  ['cluster', 'list'],
  ['cluster', 'workers'],
  ['cluster', 'shards'],
  ['cluster', 'check'],
  ['cluster', 'drain'],
  ['cluster', 'pause'],
  ['cluster', 'resume'],
  ['cluster', 'stop'],
  ['cluster', 'backup'],
  ['cluster', 'restore'],
  ['cluster', 'delete'],
  ['resume'],
  ['status'],
  ['dashboard'],
  ['changes'],
  ['tail'],
  ['compact'],
  ['serve'],
  ['verify'],
  ['recrawl'],
  ['demo'],
  ['export'],
  ['explain'],
  ['audit'],
  ['dataset'],
  ['duplicates'],
  ['search'],
  ['simulate'],
  ['strategies'],
  ['strategies', 'new'],
  ['graph'],
  ['graph', 'info'],
  ['graph', 'convert'],
  ['graph', 'generate'],
  ['graph', 'pagerank'],
  ['graph', 'spam'],
  ['experiment'],
  ['report'],
  ['completion'],
]

describe.concurrent('the command line', () => {
  it.each(commands.map((command) => [command.join(' '), command] as const))(
    'rankward %s --help shows an example and --json, and ends with 0',
    async (_, command) => {
      const { stdout, stderr, exitCode } = await rankward([...command, '--help'])
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
      expect(stdout).toMatch(/^Usage: rankward/)
      expect(stdout).toMatch(/^Examples?:\n {2}rankward /m)
      const works = command.length > 0 && !['graph', 'cluster', 'completion'].includes(command.join(' '))
      if (works) expect(stdout).toMatch(/^ {2}--json /m)
    },
  )

  it('a bare rankward shows its help and ends with 2', async () => {
    const { stdout, stderr, exitCode } = await rankward([])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr).toContain('Examples:')
  })

  it.each(['', 'graph', 'cluster'])('rankward %s has no command that is not tested above', async (parent) => {
    const { stdout } = await rankward([...parent.split(' ').filter((word) => word !== ''), '--help'])
    const [help = ''] = stdout.split(/^Examples?:/m)
    const listed = [...help.matchAll(/^ {2}([a-z]+) /gm)]
    const known = commands.map((command) => command.join(' '))
    for (const [, name] of listed.filter(([, name]) => name !== 'help'))
      expect(known).toContain(`${parent} ${name}`.trim())
    expect(listed.length).toBeGreaterThan(3)
  })

  it.each(['crawl', 'simulate', 'resume'])(
    'rankward %s --help shows the common options under headings, --help-all all',
    async (command) => {
      const { stdout: common } = await rankward([command, '--help'])
      const { stdout: all, exitCode } = await rankward([command, '--help-all'])
      expect(exitCode).toBe(0)
      const optionsOf = (help: string): string[] => help.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? []
      const headings = common.match(/^[A-Z].*:$/gm) ?? []
      expect(headings).toEqual(
        expect.arrayContaining(['When to stop (at the first limit reached):', 'Running:']),
      )
      expect(headings).not.toContain('Options:')
      expect(optionsOf(common)).toEqual(expect.arrayContaining(['  -n, --pages', '  --json', '  --help-all']))
      expect(optionsOf(common).length).toBeLessThanOrEqual(45)
      expect(optionsOf(all).length).toBeLessThanOrEqual(87)
      expect(optionsOf(all)).toEqual(expect.arrayContaining(optionsOf(common)))
      expect(optionsOf(all).length).toBeGreaterThan(optionsOf(common).length + 8)
    },
  )

  it('-o, -n and -s have one meaning in all commands', async () => {
    const { stdout } = await rankward(['completion', 'bash'])
    const options = [...stdout.matchAll(/^ {4}"([^"]+)"(?:\|"([^"]+)")?\) COMPREPLY/gm)]
    const shortOf = (long: string): string[] => {
      const those = options.filter((names) => names.slice(1, 3).some((name) => name?.endsWith(` ${long}`)))
      return those.map(([, first]) => first.split(' ').at(-1)!)
    }
    expect(shortOf('--out').length).toBeGreaterThan(5)
    for (const [short, long] of Object.entries({ '-o': '--out', '-n': '--pages', '-s': '--strategy' })) {
      expect(new Set(shortOf(long))).toEqual(new Set([short]))
      const meanings = options.filter(([, first]) => first.endsWith(` ${short}`)).map(([, , name]) => name)
      for (const name of meanings)
        expect(name).toMatch(long === '--out' ? / --(?:out|to)$/ : / --(?:pages|strategy|strategies)$/)
    }
  })

  it('--version is that of the package', async () => {
    expect((await rankward(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    ['an unknown command', ['crowl'], /unknown command 'crowl'/],
    ['a command that stands elsewhere', ['pause', '--name', 'a'], /'pause' \(Did you mean cluster pause\?\)/],
    ['an unknown option', ['graph', 'info', 'x.tsv', '--frob'], /unknown option '--frob'/],
    ['a missing argument', ['graph', 'info'], /missing required argument 'file'/],
    ['a missing option', ['graph', 'generate', '--pages', '10'], /required option '-o, --out <file>'/],
    ['an argument too many', ['graph', 'info', 'a', 'b'], /too many arguments/],
  ] as const)('%s gets one line and ends with 2', async (_, args, line) => {
    expectRefusal(await rankward(args), 2, line)
  })
})

describe('rankward strategies', () => {
  it('lists every strategy with a line and its source', async () => {
    const { stdout, exitCode } = await rankward(['strategies'])
    expect(exitCode).toBe(0)
    const rows = stdout.split('\n').map((row) => row.split(/ {2,}/))
    for (const { name, about, source } of strategies) expect(rows).toContainEqual([name, about, source])
    expect(stdout).toMatch(/^ideal /m)
  })

  it('has the same in JSON', async () => {
    const { strategies: listed } = await rankwardJson<{ strategies: { name: string }[] }>(['strategies'])
    expect(listed.map(({ name }) => name)).toEqual([...strategies.map(({ name }) => name), 'ideal'])
    expect(Object.keys(listed[0])).toEqual(expect.arrayContaining(['name', 'about', 'source']))
  })
})
