/** H69 to H79: more URLs than there are pages. A site may have 40 pages here, 16 links deep. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Behaviour } from './hostile-web.ts'
import { answerBytes, html } from './raw-answers.ts'

export const sitePagesMax = 40
export const depthMax = 16

let sessions = 0

export const urlSpace: readonly Behaviour[] = [
  {
    id: 'H69',
    what: 'a folder in itself, without end',
    answer: (socket, { path }) => html(socket, pageWith(`at ${path}`, 'a/', 'b/')),
    expected: ({ asked }) => expect(asked.length).toBeLessThanOrEqual(sitePagesMax),
  },
  {
    id: 'H70',
    what: 'a calendar without end',
    seeds: ['/?month=1'],
    answer: (socket, { path }) => {
      const month = Number(path.slice(8))
      html(socket, pageWith(`month ${month}`, `/?month=${month + 1}`, `/?month=${month - 1}`))
    },
    expected: ({ asked }) => expect(asked.length).toBeLessThanOrEqual(sitePagesMax),
  },
  {
    id: 'H71',
    what: 'a new session for every visit',
    answer: (socket, { path }) => {
      const id = (++sessions).toString(16).padStart(32, '0a')
      const links = [
        `/a;jsessionid=${id}`,
        `/a?PHPSESSID=${id}`,
        `/a?sid=${id}`,
        `/(S(${id.slice(0, 24)}))/a`,
      ]
      html(socket, pageWith(`session ${path}`, ...links))
    },
    expected: ({ asked }) => expect(asked.toSorted()).toEqual(['/', '/a']),
  },
  {
    id: 'H72',
    what: 'filters in every order',
    answer: (socket, { path }) => {
      const set = path.split(/[?&]/).slice(1)
      const links = 'abcdef'
        .split('')
        .filter((name) => !set.includes(`${name}=1`))
        .map((name) => `/?${[...set, `${name}=1`].join('&')}`)
      html(socket, pageWith(`filter ${set.toSorted().join(' ')}`, ...links))
    },
    // Two to the power of six pages, and not 1,957.
    expected: ({ asked }) => {
      expect(asked.length).toBeLessThanOrEqual(sitePagesMax)
      expect(new Set(asked.map((path) => path.split(/[?&]/).slice(1).toSorted().join())).size).toBe(
        asked.length,
      )
    },
  },
  {
    id: 'H73',
    what: 'hosts without end',
    name: 'wildcard',
    answer: (socket, { head, path }) => {
      const [, name, port] = /^host: *([^\r:]*):(\d+)/im.exec(head) ?? []
      const number = Number(/^a(\d+)\./.exec(name)?.[1] ?? 0)
      html(socket, pageWith(`host ${number}${path}`, `http://a${number + 1}.wild.test:${port}/`))
    },
    expected: ({ requests }) => {
      const hosts = new Set(requests.map(({ head }) => /^host: *(\S+)/im.exec(head)?.[1]))
      expect(hosts.size).toBe(1 + depthMax)
    },
  },
  {
    id: 'H74',
    what: 'links as long as books',
    answer: (socket, { path }) => {
      const parameters = Array.from({ length: 15_000 }, (_, i) => `p=${i}`).join('&')
      const long = [
        `/${'x'.repeat(20_000)}`,
        `/?${parameters}`,
        `/${'y'.repeat(9000)}`,
        `/${'é'.repeat(2000)}`,
      ]
      html(socket, path === '/' ? pageWith('long', ...long, '/short') : pageWith(path))
    },
    expected: ({ asked, records }) => {
      expect(asked).toEqual(['/', '/short'])
      expect(records.size).toBe(2)
    },
  },
  {
    id: 'H76',
    what: 'dots and slashes in paths',
    answer: (socket, { path }) =>
      html(
        socket,
        path === '/'
          ? pageWith('dots', '/a/../../../b', '/%2e%2e/b', '/./b', '/c/..//b', '/a//b', 'x/../b', '\\b')
          : pageWith(path),
      ),
    expected: ({ asked }) => expect(asked.toSorted()).toEqual(['/', '//b', '/a//b', '/b']),
  },
  {
    id: 'H77',
    what: 'one page in many spellings',
    answer: (socket, { path, url }) => {
      const loud = url('/%7ea').replace('http:', 'HTTP:')
      html(socket, path === '/' ? pageWith('twins', loud, '/~a', '/%7Ea', '/~a#x', '/~a?') : pageWith(path))
    },
    expected: ({ asked }) => expect(asked).toEqual(['/', '/~a']),
  },
  {
    id: 'H78',
    what: 'links with other schemes',
    answer: (socket) =>
      html(
        socket,
        pageWith(
          'schemes',
          ...'javascript:x data:text/html,x mailto:a@b tel:1 ftp://h/ about:blank blob:x htp://h/'.split(' '),
          ...'file:///etc/passwd gopher://h/ ws://h/ view-source:http://h/ http: http:// //'.split(' '),
        ),
      ),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(['/'])
      expect(outcome()).toMatchObject({ links: 0 })
    },
  },
  {
    id: 'H79',
    what: 'a pot of honey',
    robots: (socket) => socket.write(answerBytes('200 OK', [], 'User-agent: *\nDisallow: /banned')),
    answer: (socket, { path }) =>
      html(
        socket,
        path === '/'
          ? `<title>honey</title><a style="display:none" href="/banned/1"></a><a rel=nofollow href="/trap">x</a>
             <a href="/good">good</a>`
          : pageWith(path),
      ),
    expected: ({ asked }) => expect(asked).toEqual(['/', '/good']),
  },
]
