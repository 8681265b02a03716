import { describe, expect, it } from 'vitest'
import { robotsVerdict } from './explanation-robots.ts'

const verdict = (text: string, path: string, status: number | undefined = 200) =>
  robotsVerdict({ at: 1e9, status, text: Buffer.from(text).toString('latin1') }, path, 'Rankward/1.0')

describe('the line of robots.txt that keeps a page out', () => {
  it.each([
    [
      'the longest that fits',
      'User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /a/c',
      '/a/b',
      '/a/b',
      '*',
    ],
    [
      'one of our own group',
      'User-agent: *\nDisallow: /a/b\n\nUser-agent: rankward\nDisallow: /a',
      '/a/b',
      '/a',
      'rankward',
    ],
    [
      'one that an allow does not outdo',
      'User-agent: *\nAllow: /a\nDisallow: /a/*/c',
      '/a/b/c',
      '/a/*/c',
      '*',
    ],
    [
      'one with letters beyond ASCII',
      'User-agent: *\nDisallow: /café # not here',
      '/caf%C3%A9',
      '/café',
      '*',
    ],
  ])('is %s', (_, text, path, rule, agent) => {
    expect(verdict(text, path)).toMatchObject({ forbids: true, rule: `Disallow: ${rule}`, agents: [agent] })
  })

  it('has all the agents of its group', () => {
    const text = 'User-agent: a\nUser-agent: *\nCrawl-delay: 1\nAllow: /x\nDisallow: /'
    expect(verdict(text, '/b').agents).toEqual(['a', '*'])
  })

  it('is none where the page is allowed, the file is not kept, or it could not be read', () => {
    expect(verdict('User-agent: *\nDisallow: /a', '/b')).toEqual({
      forbids: false,
      status: 200,
      readAt: '2001-09-09T01:46:40.000Z',
    })
    expect(verdict('', '/b', 404).forbids).toBe(false)
    expect(verdict('', '/b', 503)).toMatchObject({ forbids: true, status: 503 })
    expect(robotsVerdict(undefined, '/', 'Rankward')).toEqual({ forbids: false })
  })
})
