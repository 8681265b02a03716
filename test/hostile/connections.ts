/** H01 to H15: connections that are not made, say nothing, break off, or say too much. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Behaviour } from './hostile-web.ts'
import { answerBytes, byPath, drip, html, htmlType, raw, rawOpen } from './raw-answers.ts'

const head = `HTTP/1.1 200 OK\r\n${htmlType}\r\n`
const page = (title: string): Buffer => answerBytes('200 OK', [htmlType], pageWith(title))

export const connections: readonly Behaviour[] = [
  {
    id: 'H01',
    what: 'never accepts',
    listens: 'deaf',
    hangs: true,
    expected: { error: 'connect-timeout', order: 0 },
  },
  { id: 'H02', what: 'refuses', listens: 'closed', expected: { error: 'connect-refused', order: 0 } },
  {
    id: 'H03',
    what: 'accepts and says nothing',
    hangs: true,
    answer: () => {},
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ error: 'timeout', attempts: 2 })
      expect(asked).toEqual(['/', '/'])
    },
  },
  {
    id: 'H04',
    what: 'drips headers',
    hangs: true,
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, 'X-Slow: x\r\n', 40)
    },
    expected: { error: 'timeout', attempts: 2 },
  },
  {
    id: 'H05',
    what: 'drips a body',
    hangs: true,
    answer: (socket) => {
      socket.write(`${head}Content-Length: 100000\r\n\r\n<title>slow</title>`)
      drip(socket, 'x', 40)
    },
    expected: ({ outcome, archived }) => {
      expect(outcome()).toMatchObject({ status: 200, truncated: 'time', title: 'slow' })
      expect(archived()?.field('WARC-Truncated')).toBe('time')
    },
  },
  {
    id: 'H06',
    what: 'closes before any byte',
    answer: (socket) => void socket.end(),
    expected: { error: 'reset', attempts: 2 },
  },
  {
    id: 'H07',
    what: 'closes inside the headers',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Ty'),
    expected: { error: 'reset', status: 0, attempts: 2 },
  },
  {
    id: 'H08',
    what: 'closes inside the body',
    answer: raw(`${head}Content-Length: 1000\r\n\r\n`, 'x'.repeat(400)),
    expected: { status: 200, bytes: 400, truncated: 'disconnect', attempts: 2 },
  },
  {
    id: 'H09',
    what: 'resets inside the body',
    answer: (socket) => {
      socket.write(`${head}Content-Length: 1000\r\n\r\nabc`)
      setTimeout(() => socket.resetAndDestroy(), 20)
    },
    expected: { status: 200, bytes: 3, truncated: 'disconnect', attempts: 2 },
  },
  {
    id: 'H10',
    what: 'sends bytes after the body',
    seeds: ['/', '/2'],
    answer: byPath({
      '/': rawOpen(`${head}Content-Length: 5\r\n\r\nhello`, page('smuggled'), 'x'.repeat(500)),
      '/2': (socket) => html(socket, pageWith('two')),
    }),
    expected: ({ outcome }) => {
      expect(outcome('/')).toMatchObject({ status: 200, bytes: 5 })
      expect(outcome('/2')).toMatchObject({ status: 200, title: 'two' })
    },
  },
  {
    id: 'H11',
    what: 'answers before it is asked, and is not given time: it may mix up its own pages',
    seeds: ['/1', '/2', '/3'],
    connected: (socket) => void socket.write(page('early')),
    answer: (socket, { path }) => html(socket, pageWith(path)),
    // Without a gap between two requests, no client can tell which of them a response belongs to: each page has one of the
    // server's responses, be it the one to robots.txt.
    expected: ({ outcome }) => {
      for (const path of ['/1', '/2', '/3']) {
        const { status, title } = outcome(path)!
        if (status === 404) expect(title).toBeUndefined()
        else
          expect({ status, title }).toEqual({
            status: 200,
            title: expect.stringMatching(/^(early|\/[123])$/),
          })
      }
    },
  },
  {
    id: 'H12',
    what: 'answers twice',
    seeds: ['/', '/2'],
    answer: (socket, { path }) => {
      if (path === '/') socket.write(Buffer.concat([page('one'), page('smuggled')]))
      else html(socket, pageWith('two'))
    },
    expected: ({ outcome }) => {
      expect(outcome('/')).toMatchObject({ status: 200, title: 'one' })
      expect(outcome('/2')).toMatchObject({ status: 200, title: 'two' })
    },
  },
  {
    id: 'H13',
    what: 'forgets a connection that it said to keep',
    answer: (socket, { onConnection }) => {
      if (onConnection > 0) socket.resetAndDestroy()
      else html(socket, pageWith('fresh'))
    },
    expected: { status: 200, title: 'fresh' },
  },
  {
    id: 'H14',
    what: 'keeps the connection open after the end',
    hangs: true,
    answer: rawOpen(`${head}\r\n`, pageWith('open')),
    expected: { status: 200, truncated: 'time', title: 'open' },
  },
  {
    id: 'H15',
    what: 'accepts any number of connections and serves one',
    answer: (socket, { path }) =>
      html(socket, path === '/' ? pageWith('many', '/1', '/2', '/3', '/4') : pageWith(path)),
    expected: ({ asked, connectionsMax }) => {
      expect(asked.toSorted()).toEqual(['/', '/1', '/2', '/3', '/4'])
      expect(connectionsMax).toBe(1)
    },
  },
]

let greetings = 0

/** With a rest between two requests. */
export const outOfTurn: readonly Behaviour[] = [
  {
    id: 'H11',
    what: 'answers before it is asked: taken for the first request of the connection, never for a later one',
    seeds: ['/1', '/2', '/3'],
    connected: (socket) => void socket.write(page(`early ${++greetings}`)),
    answer: (socket, { path }) => html(socket, pageWith(path)),
    expected: ({ outcome, requests }) => {
      const titles = ['/1', '/2', '/3'].map((path) => [path, outcome(path)?.title])
      for (const [path, title] of titles) {
        const isFirst = requests.some((request) => request.path === path && request.onConnection === 0)
        if (isFirst) expect(title).toMatch(new RegExp(`^(early \\d+|${path})$`))
        else expect(title).toBe(path)
      }
      // No answer counts twice.
      expect(new Set(titles.map(([, title]) => title)).size).toBe(titles.length)
    },
  },
  {
    id: 'H11',
    what: 'answers before it is asked, and never again',
    hangs: true,
    seeds: ['/1', '/2'],
    connected: (socket) => void socket.write(page(`early ${++greetings}`)),
    answer: () => {},
    expected: ({ outcome }) => {
      const titles = ['/1', '/2'].map((path) => outcome(path)?.title)
      expect(titles.filter((title) => title !== undefined && !title.startsWith('early '))).toEqual([])
      const early = titles.filter((title) => title !== undefined)
      expect(new Set(early).size).toBe(early.length)
    },
  },
]
