import { describe, expect, it } from 'vitest'
import { parseDictionary } from './dictionary.ts'
import { usePurposes, type UsePurpose } from './known-signals.ts'
import { Licence } from './licence.ts'
import { Reservations } from './reservations.ts'
import { parseRobotsPreferences } from './robots-preferences.ts'
import {
  headerStatements,
  metaStatements,
  namesLicence,
  speaksOfUse,
  statement,
  statementParts,
} from './statement.ts'
import { useVerdict, type UseAnswer } from './verdict.ts'

const answers = (statements: readonly string[]): Record<UsePurpose, UseAnswer> =>
  Object.fromEntries(usePurposes.map((purpose) => [purpose, useVerdict(purpose, statements).answer])) as never

/** The purposes that are denied (−) and allowed (+). */
const said = (...statements: string[]): string =>
  Object.entries(answers(statements))
    .flatMap(([purpose, answer]) =>
      answer === 'unknown' ? [] : `${answer === 'allowed' ? '+' : '−'}${purpose}`,
    )
    .join(' ')

const ofPath = (robotsTxt: string, path: string, agent = 'Rankward/1.0'): string[] =>
  parseRobotsPreferences(robotsTxt, agent).statementsOf(path)

describe('a dictionary of RFC 9651', () => {
  it.each([
    ['train-ai=n, search=y', { 'train-ai': 'n', search: 'y' }],
    ['  train-ai=n;exact;q=0.5 ,\tsearch ', { 'train-ai': 'n', search: true }],
    [
      'a="x, b=y", b=?1, c=?0, d=(1 2;x "z"), e=:YQ==:, f=@12, g=%"a%20b"',
      { a: undefined, b: true, c: undefined, d: undefined, e: undefined, f: undefined, g: undefined },
    ],
    ['train-ai=y, train-ai=n', { 'train-ai': 'n' }],
    ['', {}],
  ])('%j', (text, members) => {
    expect(Object.fromEntries(parseDictionary(text) ?? [['none', 'none']])).toEqual(members)
  })

  it.each([
    'train-ai=n,',
    'Train-AI=n',
    '=n',
    'a=',
    'a=n b=y',
    'a="x',
    'a=(1',
    'a=n;',
    'a=1234567890123456',
    'ä=n',
    '\n',
  ])('%j is none, and says nothing', (text) => {
    expect(parseDictionary(text)).toBeUndefined()
    expect(said(`content-usage: ${text}`)).toBe('')
  })
})

describe('what statements say', () => {
  it.each([
    ['content-usage: train-ai=n', '−train-ai'],
    ['content-usage: train-ai=n, search=y, own-label=y', '−train-ai +search'],
    ['content-usage: bots=n, search=y', '−train-ai −ai-input +search'],
    ['content-usage: train-ai=maybe', ''],
    ['content-signal: search=yes, ai-input=no, ai-train=no', '−train-ai −ai-input +search'],
    ['robots.txt content-signal: search=yes,ai-train=no', '−train-ai +search'],
    ['robots.txt content-signal: ai-train=no, ai-train=yes', '−train-ai'],
    ['tdm-reservation: 1', '−train-ai −ai-input'],
    ['meta tdm-reservation: 0', '+train-ai +ai-input'],
    ['tdm-reservation: yes', ''],
    ['tdm-policy: https://example.org/policy.json', ''],
    ['x-robots-tag: noai, noimageai', '−train-ai'],
    ['x-robots-tag: otherbot: noml', '−train-ai'],
    ['meta robots: NoAI', '−train-ai'],
    ['meta robots: noaikido', ''],
    ['meta robots: noindex', '−search'],
    ['x-robots-tag: otherbot: none', '−search'],
    ['robots.txt disallows: GPTBot', '−train-ai'],
    ['robots.txt disallows: ChatGPT-User, GPTBot', '−train-ai −ai-input'],
    ['robots.txt disallows: __proto__, constructor', ''],
    ['robots.txt license: https://example.org/license.xml', ''],
    ['licence permits: search ai-train', '+train-ai +search'],
    ['licence permits only: search', '−train-ai −ai-input +search'],
    ['licence prohibits: ai-all', '−train-ai −ai-input'],
    ['link: <https://example.org/l>; rel="license"', ''],
    ['constructor: 1', ''],
    ['', ''],
  ])('%s', (written, expected) => {
    expect(said(written)).toBe(expected)
  })

  it('the most restrictive counts, with all its sources; silence is unknown', () => {
    const statements = ['content-usage: train-ai=y', 'tdm-reservation: 1', 'x-robots-tag: noai']
    expect(useVerdict('train-ai', statements)).toEqual({ answer: 'disallowed', sources: statements.slice(1) })
    expect(useVerdict('train-ai', statements.slice(0, 1))).toEqual({
      answer: 'allowed',
      sources: statements.slice(0, 1),
    })
    expect(useVerdict('search', statements)).toEqual({ answer: 'unknown', sources: [] })
    expect(useVerdict('search', [])).toEqual({ answer: 'unknown', sources: [] })
  })

  it('no order of statements changes the answer', () => {
    const all = [
      'content-usage: train-ai=y',
      'content-signal: ai-train=no',
      'tdm-reservation: 0',
      'meta robots: all',
    ]
    for (let i = 0; i < all.length; i++)
      expect(said(...all.slice(i), ...all.slice(0, i))).toBe('−train-ai +ai-input')
  })
})

describe('robots.txt', () => {
  it('has preferences for the group of our agent, or for everyone', () => {
    const text = [
      'User-agent: *',
      'Content-Signal: search=yes, ai-train=no',
      'Allow: /',
      '',
      'User-agent: rankward',
      'Content-Usage: train-ai=y',
      'Disallow: /x',
    ].join('\n')
    expect(ofPath(text, '/a')).toEqual(['robots.txt content-usage: train-ai=y'])
    expect(ofPath(text, '/a', 'Other/2')).toEqual(['robots.txt content-signal: search=yes, ai-train=no'])
  })

  it('the longest path of Content-Usage counts, and equal ones together', () => {
    const text = `User-agent: *
      Content-Usage: train-ai=n
      Content-Usage: /open/ train-ai=y
      Content-Usage: /open/*.pdf$ train-ai=n
      Content-Usage: /both/ train-ai=y
      Content-Usage: /both/ search=n`
    expect(said(...ofPath(text, '/a'))).toBe('−train-ai')
    expect(said(...ofPath(text, '/open/a'))).toBe('+train-ai')
    expect(said(...ofPath(text, '/open/a.pdf'))).toBe('−train-ai')
    expect(said(...ofPath(text, '/both/'))).toBe('+train-ai −search')
  })

  it('names AI agents that may not fetch a page, once they are named themselves', () => {
    const text = `User-agent: GPTBot
      User-agent: ClaudeBot
      Disallow: /

      User-agent: CCBot
      Disallow: /private/

      User-agent: Google-Extended
      Disallow:

      User-agent: *
      Disallow: /nobody/`
    expect(ofPath(text, '/a')).toEqual(['robots.txt disallows: ClaudeBot, GPTBot'])
    expect(ofPath(text, '/private/a')).toEqual(['robots.txt disallows: CCBot, ClaudeBot, GPTBot'])
    expect(ofPath('User-agent: *\nDisallow: /', '/a')).toEqual([])
    expect(ofPath('User-agent: gptbot, ccbot\nDisallow: /', '/a')).toEqual([
      'robots.txt disallows: CCBot, GPTBot',
    ])
  })

  it('a Content-Signal line is no rule: the agents before it and after it have the same rules', () => {
    const text = 'User-agent: GPTBot\nContent-Signal: ai-train=no\nUser-agent: *\nDisallow: /x\n'
    expect(ofPath(text, '/x')).toEqual(['robots.txt disallows: GPTBot'])
    expect(ofPath(text, '/y')).toEqual([])
  })

  it('a line before the first group is for everyone, and so is the licence', () => {
    const text =
      'Content-Signal: ai-input=no\nLicense: https://example.org/l.xml\nUser-agent: rankward\nDisallow: /x'
    expect(ofPath(text, '/')).toEqual([
      'robots.txt content-signal: ai-input=no',
      'robots.txt license: https://example.org/l.xml',
    ])
  })

  it('a file without preferences is silent', () => {
    const robots = parseRobotsPreferences('User-agent: *\nDisallow: /x\nSitemap: /s.xml', 'Rankward')
    expect(robots.isSilent).toBe(true)
    expect(robots.statementsOf('/x')).toEqual([])
  })
})

describe('tdmrep.json', () => {
  const of = (json: string, path: string): string[] => new Reservations(json).statementsOf(path)

  it('the first rule that matches a path counts', () => {
    const json =
      '[{"location":"/a/","tdm-reservation":0},{"location":"/","tdm-reservation":1,"tdm-policy":"https://e.example/p"}]'
    expect(of(json, '/a/b')).toEqual(['tdmrep.json tdm-reservation: 0'])
    expect(of(`\uFEFF${json}`, '/a/b')).toEqual(['tdmrep.json tdm-reservation: 0'])
    expect(of(json, '/b')).toEqual([
      'tdmrep.json tdm-reservation: 1',
      'tdmrep.json tdm-policy: https://e.example/p',
    ])
  })

  it.each([
    '',
    '{',
    'null',
    '7',
    '[null,1,{"location":7}]',
    '[{"location":"/","tdm-reservation":"x"}]',
    '[{"location":"/","tdm-reservation":null}]',
    '[{"location":"/","tdm-reservation":""},{"location":"/","tdm-reservation":[]}]',
    '<html>',
  ])('%j says nothing', (json) => {
    expect(of(json, '/')).toEqual([])
  })
})

describe('an RSL licence', () => {
  const of = (xml: string, path: string): string[] => new Licence(xml, 'https://a.example').statementsOf(path)

  it('permits and prohibits usages, by the longest path', () => {
    const xml = `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">
      <content url="/"><license><permits type="usage">search, ai-input</permits><prohibits type="usage">ai-train</prohibits></license></content>
      <content url="https://a.example/open/*"><license><permits type="usage">all</permits><payment type="attribution"/></license></content>
      <content url="https://other.example/"><license><prohibits>all</prohibits></license></content></rsl>`
    expect(said(...of(xml, '/x'))).toBe('−train-ai +ai-input +search')
    expect(said(...of(xml, '/open/x'))).toBe('+train-ai +ai-input +search')
  })

  it('what costs money, needs a licence, is for some users alone or is not listed is prohibited', () => {
    const rsl = (...licences: string[]): string =>
      `<rsl><content url="/">${licences.map((inner) => `<license>${inner}</license>`).join('')}</content></rsl>`
    const train = '<permits type="usage">ai-train</permits>'
    const free = '<permits>search</permits><payment type="free"/>'
    for (const [xml, expected] of [
      [rsl(`${train}<payment type="crawl"/>`), '−train-ai'],
      // The rate card of the RSL Collective has no type.
      [rsl(`${train}<payment><standard>https://r.example/</standard></payment>`), '−train-ai'],
      [rsl(`${train}<payment type="free"/><payment type="use"/>`), '−train-ai'],
      [rsl('<payment type="purchase"/>'), '−train-ai −ai-input −search'],
      [rsl(train).replace('url="/"', 'url="/" server="https://s.example"'), '−train-ai'],
      [rsl(`${train}<permits type="user">education</permits>`), '−train-ai'],
      [rsl(`${train}<prohibits type="geo">DE</prohibits>`), '−train-ai'],
      [
        rsl(`${free}<permits type="user">commercial non-commercial education government personal</permits>`),
        '−train-ai −ai-input +search',
      ],
      // Several licences to choose from.
      [rsl(free, `${train}<payment type="purchase"/>`), '−train-ai −ai-input +search'],
      [rsl(free, `${train}<payment type="attribution"/>`), '+train-ai −ai-input +search'],
      [rsl('<payment type="free"/>'), '+train-ai +ai-input +search'],
      [rsl('<payment type="free"/>', '<prohibits>AI-Train</prohibits>'), '−train-ai +ai-input +search'],
      [rsl(''), ''],
    ])
      expect([xml, said(...of(xml, '/x'))]).toEqual([xml, expected])
  })

  it('anything else says nothing', () => {
    for (const xml of [
      '',
      '<',
      '{}',
      '<permits>all</permits>',
      '<rsl><content url="x"><license><permits>all',
    ])
      expect(of(xml, '/')).toEqual([])
  })
})

describe('statements', () => {
  it('are a source and a text, of bounded length', () => {
    expect(statementParts(statement('tdm-policy', ' https://a.example/ '))).toEqual({
      source: 'tdm-policy',
      text: 'https://a.example/',
    })
    const long = statement('content-usage', `${'label=y, '.repeat(1000)}train-ai=n`)
    expect(long.length).toBeLessThan(1100)
    expect(parseDictionary(statementParts(long).text)).toBeDefined()
  })

  it('are taken from headers and meta elements', () => {
    const headers = [
      ['Content-Usage', 'train-ai=n'],
      ['X-Robots-Tag', 'noindex'],
      ['x-robots-tag', 'noai'],
      ['Link', '</l>; rel=license'],
      ['__proto__', 'x'],
    ] as const
    expect(headerStatements(headers)).toEqual([
      'content-usage: train-ai=n',
      'x-robots-tag: noindex',
      'x-robots-tag: noai',
      'link: </l>; rel=license',
    ])
    expect(headerStatements(Array.from({ length: 100 }, () => headers[0])).length).toBe(16)
    expect(metaStatements(['nofollow', 'noai'], [['tdm-policy', '/p']])).toEqual([
      'meta robots: noai',
      'meta tdm-policy: /p',
    ])
  })

  it('are recognised in directives and Link headers', () => {
    expect(speaksOfUse('noindex, NoAI')).toBe(true)
    expect(speaksOfUse('nofollow, NOINDEX')).toBe(true)
    expect(speaksOfUse('nofollow, noaikido, index')).toBe(false)
    expect(namesLicence('<https://a.example/l.xml>; rel="license"; type="application/rsl+xml"')).toBe(true)
    expect(namesLicence('<https://a.example/>; rel=license')).toBe(true)
    expect(namesLicence('<https://a.example/license>; rel="next"')).toBe(false)
  })
})
