import { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { withLevels } from './levels.ts'
import { wholeNumber } from './options.ts'
import { withOurName } from './other-names.ts'

const both = (text: string, before: string[] = []): string[] => [...before, text]

function commandWith(): Command {
  const command = new Command('crawl')
    .option('--pages <n>', 'stop after this many', wholeNumber({ min: 1 }))
    .option('--queue-size <n>', 'pages in a queue', wholeNumber({ min: 1 }), 5)
    .option('--hold', 'keep the connection')
    .option('--no-clock', 'measure no time')
    .option('--rest [s]', 'seconds')
    .option('--exclude <pattern>', 'leave out', both)
    .addOption(new Option('--kind <name>', 'what').choices(['a', 'b']))
  return withLevels(command, {
    heading: 'Running:',
    common: ['pages'],
    settable: ['queueSize', 'hold', 'clock', 'rest', 'exclude', 'kind'],
  })
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
}

const parsed = (...args: string[]): Record<string, unknown> =>
  commandWith().parse(args, { from: 'user' }).opts()

describe('--set', () => {
  it.each([
    ['queueSize=7', 'queueSize', 7],
    ['queue-size=7', 'queueSize', 7],
    ['pages=3', 'pages', 3],
    ['hold=true', 'hold', true],
    ['clock=false', 'clock', false],
    ['rest=true', 'rest', true],
    ['rest=2', 'rest', '2'],
    ['kind=b', 'kind', 'b'],
    ['exclude=a=b', 'exclude', ['a=b']],
  ])('%s', (text, name, value) => {
    expect(parsed('--set', text)).toMatchObject({ [name]: value })
  })

  it('may be repeated, for a list too', () => {
    expect(parsed('--set', 'exclude=a', '--set', 'exclude=b', '--set', 'hold=true')).toMatchObject({
      exclude: ['a', 'b'],
      hold: true,
    })
  })

  it('counts as given by the user; what is not set keeps its default', () => {
    const command = commandWith().parse(['--set', 'hold=true'], { from: 'user' })
    expect(command.getOptionValueSource('hold')).toBe('cli')
    expect(command.opts()).toMatchObject({ queueSize: 5, clock: true })
  })

  it.each([
    ['queueSiz=7', /no option "queueSiz"\. Did you mean queueSize\?/],
    ['frobnicate=7', /no option "frobnicate"\. See --help-all/],
    ['set=a', /no option "set"/],
    ['hold', /Expected name=value/],
    ['hold=3', /Expected true or false/],
    ['queueSize=x', /Expected a whole number of at least 1/],
    ['kind=c', /Allowed choices are a, b/],
  ])('refuses %s', (text, message) => {
    expect(() => parsed('--set', text)).toThrow(message)
  })

  it('is the only way to options without a flag', () => {
    expect(() => parsed('--hold')).toThrow(/unknown option '--hold'/)
    expect(withOurName("unknown option '--queue-size'", commandWith())).toContain('Use --set queueSize=VALUE')
  })
})
