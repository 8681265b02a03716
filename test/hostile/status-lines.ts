/** H16 to H26: status lines and status codes. */
/* oxlint-disable vitest/no-standalone-expect -- hostile.test.ts calls these within its tests */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Behaviour } from './hostile-web.ts'
import { answerBytes, byPath, endlessly, html, htmlType, raw, rawOpen, status } from './raw-answers.ts'

const rest = `${htmlType}\r\nConnection: close\r\n\r\n`
const words = 'There is nothing here, and we say so on every page of this site in the same words as ever.'

export const statusLines: readonly Behaviour[] = [
  {
    id: 'H16',
    what: 'no status line',
    answer: raw('<html>hello'),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H17',
    what: 'a colon in the status line',
    answer: raw(`HTTP/1.1 200: OK\r\n${rest}`, pageWith('colon')),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H18',
    what: 'no reason in the status line',
    answer: raw(`HTTP/1.1 200\r\n${rest}`, pageWith('no reason')),
    expected: { status: 200, title: 'no reason' },
  },
  ...['000', '099', '2000'].map((code): Behaviour => ({
    id: 'H19',
    what: `a status of ${code}`,
    answer: raw(`HTTP/1.1 ${code} Odd\r\n${rest}${pageWith('odd', '/behind')}`),
    expected: ({ outcome, asked }) => {
      expect(outcome()?.error).toBe('bad-http')
      expect(asked).toEqual(['/', '/'])
    },
  })),
  ...[499, 600, 999].map((code): Behaviour => ({
    id: 'H19',
    what: `a status of ${code}`,
    answer: raw(`HTTP/1.1 ${code} Odd\r\n${rest}${pageWith('odd', '/behind')}`),
    expected: { status: code, error: `http-${code}` },
  })),
  {
    id: 'H19',
    what: 'a status of 299',
    answer: raw(`HTTP/1.1 299 Odd\r\n${rest}${pageWith('odd success', '/behind')}`),
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 299, title: 'odd success' })
      expect(asked).toEqual(['/', '/behind'])
    },
  },
  ...['HTTP/3.7', 'ICY', 'HTTP', 'HTTPS/1.1'].map((version): Behaviour => ({
    id: 'H20',
    what: `a version of "${version}"`,
    answer: raw(`${version} 200 OK\r\n${rest}x`),
    expected: { error: 'bad-http', attempts: 2 },
  })),
  {
    id: 'H21',
    what: 'endless 100 Continue',
    answer: (socket) => endlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H21',
    what: 'endless 103 Early Hints',
    answer: (socket) => endlessly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H22',
    what: '101 that nobody asked for',
    seeds: ['/bare', '/upgrade'],
    answer: byPath({
      '/bare': rawOpen('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      '/upgrade': rawOpen('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nxx'),
    }),
    expected: ({ outcome }) => {
      for (const path of ['/bare', '/upgrade']) expect(outcome(path)?.error).toBe('bad-http')
    },
  },
  {
    id: 'H23',
    what: '204 and 304 with a body',
    seeds: ['/204', '/304', '/after'],
    answer: byPath({
      '/204': rawOpen(answerBytes('204 No Content', [htmlType], pageWith('no', '/behind').repeat(1000))),
      '/304': rawOpen(answerBytes('304 Not Modified', [htmlType], pageWith('no', '/behind').repeat(1000))),
      '/after': (socket) => html(socket, pageWith('after')),
    }),
    expected: ({ outcome, asked }) => {
      expect(outcome('/204')).toMatchObject({ status: 204, bytes: 0 })
      expect(outcome('/304')).toMatchObject({ status: 0, bytes: 0, error: 'bad-http' })
      expect(outcome('/after')).toMatchObject({ status: 200, title: 'after' })
      expect(asked).not.toContain('/behind')
    },
  },
  {
    id: 'H24',
    what: '206 that nobody asked for',
    answer: (socket) => {
      const range = 'Content-Range: bytes 100-160/5000'
      socket.write(answerBytes('206 Partial Content', [htmlType, range], pageWith('part', '/behind')))
    },
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 206, error: 'http-206' })
      expect(asked).toEqual(['/'])
    },
  },
  {
    id: 'H25',
    what: '200 for every error page',
    answer: (socket) =>
      html(socket, `<title>none</title><p>${words}</p><a href="a/">a</a><a href="b/">b</a>`),
    expected: ({ asked, outcome }) => {
      // Its two links lead to copies, and nine copies found on copies are followed at most: eight, and one for the only original.
      expect(asked.length).toBeLessThanOrEqual(3 + 2 * (2 + 9))
      expect(outcome('/a/')?.duplicateOf).toBeDefined()
    },
  },
  {
    id: 'H26',
    what: 'Retry-After that says now, then, or nothing that can be read',
    seeds: ['/0', '/past', '/banana', '/negative'],
    answer: (socket, { path, before }) => {
      const after: Readonly<Record<string, string>> = {
        '/0': '0',
        '/past': 'Sun, 06 Nov 1994 08:49:37 GMT',
        '/banana': 'banana',
        '/negative': '-5',
      }
      if (before > 0) html(socket, pageWith(`patience ${path}`))
      else status(socket, before % 2 === 0 ? '503 Busy' : '429 Slow down', `Retry-After: ${after[path]}`)
    },
    expected: ({ outcome, asked }) => {
      for (const path of ['/0', '/past', '/banana', '/negative']) {
        expect(outcome(path)).toMatchObject({ status: 200, attempts: 2 })
        expect(asked.filter((one) => one === path)).toHaveLength(2)
      }
    },
  },
]
