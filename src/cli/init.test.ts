import { describe, expect, it } from 'vitest'
import { configTemplate, templateValue } from '../crawler/options/config-template.ts'
import { settingsOf } from '../crawler/options/crawl-settings.ts'
import { options } from '../crawler/options/option-table.ts'
import { configOf } from './crawl/config.ts'
import { requestOf } from './crawl/request.ts'

const template = configTemplate('my.jsonc', ['https://a.org/', 'https://b.org/'])
/** The lines that set an option, without their slashes. */
const settings = [...template.matchAll(/^ {2}\/\/ ("(\w+)": .+,)$/gm)].map(([, line, name]) => ({
  line,
  name,
}))

describe('the config file of rankward init', () => {
  it('sets the seeds and nothing else as it is', () => {
    expect(configOf(template, 'my.jsonc')).toEqual({
      seeds: ['https://a.org/', 'https://b.org/'],
      options: {},
    })
    expect(configOf(configTemplate('my.jsonc', []), '').seeds).toEqual(['https://example.org/'])
  })

  it.each(settings.map(({ name, line }) => [name, line]))('takes %s without its slashes', (name, line) => {
    const config = configOf(template.replace(`  // ${line}`, `  ${line}`), 'my.jsonc')
    expect(Object.keys(config.options)).toEqual([name])
  })

  it('has every option of the table that a file may have, except those of one run', () => {
    const names = [...options].filter(([, { row }]) => templateValue(row) !== undefined).map(([name]) => name)
    expect(settings.map(({ name }) => name)).toEqual(names)
    expect(names).toEqual(
      expect.arrayContaining(['out', 'pages', 'wait', 'robotsTxt', 'warcSize', 'logLevel']),
    )
    for (const name of ['json', 'dryRun', 'config', 'threads']) expect(names).not.toContain(name)
  })

  it('shows the defaults of the crawler', () => {
    const seeds = ['https://a.org/']
    const flags = settings.filter(({ name }) =>
      /^(wait|scope|strategy|traps|http2|warc$|warcSize|limit)/.test(name),
    )
    const text = `{${flags.map(({ line }) => line).join('\n')}}`
    expect(settingsOf({ seeds, out: 'a', ...requestOf(configOf(text, '').options) })).toEqual(
      settingsOf({ seeds, out: 'a', waitFactor: 1, waitUnreachableSeconds: 600 }),
    )
  })
})
