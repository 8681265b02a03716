/** H57 to H68: redirects in circles, without end, to where nobody may go, or to nowhere. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour } from './hostile-web.ts'
import { answerBytes, byPath, endlessly, html, htmlType, redirect, status } from './raw-answers.ts'

const badLocations: Readonly<Record<string, string | undefined>> = {
  '/missing': undefined,
  '/empty': '',
  '/long': `/${'x'.repeat(100_000)}`,
  '/nohost': 'http://',
  '/bracket': 'http://[::1',
  '/port': 'http://a:99999/',
  '/file': 'file:///etc/passwd',
  '/gopher': 'gopher://127.0.0.1/',
  '/javascript': 'javascript:alert(1)',
}

const page: Answer = (socket, { path }) => html(socket, pageWith(path))

export const redirects: readonly Behaviour[] = [
  {
    id: 'H57',
    what: 'to itself',
    answer: (socket, request) => redirect(request.url('/'))(socket, request),
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 302, links: 0, error: 'redirect-loop' })
      expect(outcome()?.failureText).toMatch(/^redirect loop: (http:\S+\/) → \1$/)
      expect(asked).toEqual(['/'])
    },
  },
  {
    id: 'H58',
    what: 'to one another',
    answer: (socket, request) => redirect(request.path === '/' ? '/b' : '/')(socket, request),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(['/', '/b'])
      expect(outcome()).toMatchObject({ status: 302, links: 1 })
      expect(outcome('/b')).toMatchObject({ status: 302, error: 'redirect-loop' })
      expect(outcome('/b')?.failureText).toMatch(/^redirect loop: (http:\S+\/b) → http:\S+\/ → \1$/)
    },
  },
  {
    id: 'H58',
    what: 'to itself for the sake of a cookie',
    answer: (socket) => status(socket, '302 Found', 'Location: /', 'Set-Cookie: seen=1'),
    expected: ({ asked }) => expect(asked).toEqual(['/']),
  },
  {
    id: 'H59',
    what: 'to ever new places',
    seeds: ['/1'],
    answer: (socket, request) => redirect(`/${Number(request.path.slice(1)) + 1}`)(socket, request),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(Array.from({ length: 11 }, (_, i) => `/${i + 1}`))
      expect(outcome('/11')).toMatchObject({ status: 302, location: expect.stringMatching(/\/12$/) })
      expect(outcome('/11')?.error).toBe('too-many-redirects')
      expect(outcome('/10')).toMatchObject({ status: 302, links: 1 })
    },
  },
  {
    id: 'H59',
    what: 'ten times, to a page',
    seeds: ['/1'],
    answer: (socket, request) => {
      const number = Number(request.path.slice(1))
      if (number <= 10) redirect(`/${number + 1}`)(socket, request)
      else html(socket, pageWith(request.path))
    },
    expected: ({ outcome }) => expect(outcome('/11')).toMatchObject({ status: 200, title: '/11' }),
  },
  {
    id: 'H59',
    what: 'eleven times and back to the first',
    seeds: ['/b1'],
    answer: (socket, request) => {
      const number = Number(request.path.slice(2))
      redirect(number < 11 ? `/b${number + 1}` : '/b1')(socket, request)
    },
    // The eleventh leads back: nothing is left to follow, and the circle is named.
    expected: ({ asked, outcome }) => {
      expect(asked).toHaveLength(11)
      expect(outcome('/b11')).toMatchObject({ status: 302, error: 'redirect-loop' })
      expect(outcome('/b11')?.failureText?.split(' → ')).toHaveLength(12)
    },
  },
  {
    id: 'H60',
    what: 'to another host',
    answer: (socket, request) => redirect(request.url('/here', 'next-host'))(socket, request),
    expected: { status: 302, links: 1 },
  },
  {
    id: 'H60',
    what: 'from another host, whose robots.txt is asked first',
    name: 'next-host',
    seeds: [],
    robots: (socket) => socket.write(answerBytes('200 OK', [], 'User-agent: *\nDisallow: /there')),
    answer: (socket, request) => redirect('/there')(socket, request),
    expected: ({ requests }) => expect(requests.map(({ path }) => path)).toEqual(['/robots.txt', '/here']),
  },
  {
    id: 'H61',
    what: 'to what robots.txt forbids',
    robots: (socket) => socket.write(answerBytes('200 OK', [], 'User-agent: *\nDisallow: /private/')),
    answer: redirect('/private/'),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(['/'])
      expect(outcome('/private/')).toMatchObject({ error: 'robots', status: 0 })
    },
  },
  {
    id: 'H63',
    what: 'to no place at all',
    seeds: Object.keys(badLocations),
    answer: (socket, { path }) => {
      const location = badLocations[path]
      status(socket, '302 Found', ...(location === undefined ? [] : [`Location: ${location}`]))
    },
    expected: ({ outcome, asked, records }) => {
      const { '/empty': empty, ...others } = badLocations
      expect(empty).toBe('')
      for (const path of Object.keys(others)) expect(outcome(path)).toMatchObject({ error: 'http-302' })
      expect(outcome('/empty')).toMatchObject({ status: 302, links: 0 })
      expect(asked.toSorted()).toEqual(Object.keys(badLocations).toSorted())
      expect(records.size).toBe(asked.length)
    },
  },
  {
    id: 'H63',
    what: 'to a megabyte',
    answer: (socket) => status(socket, '302 Found', `Location: /${'x'.repeat(1_000_000)}`),
    expected: { error: 'headers-too-large' },
  },
  {
    id: 'H63',
    what: 'to two places, to one with blanks, to one without a host',
    seeds: ['/two', '/blank', '/triple'],
    answer: byPath({
      '/two': (socket) => status(socket, '302 Found', 'Location: /first', 'Location: /second'),
      '/blank': redirect(' /a b\tc '),
      '/triple': redirect('http:///nowhere.invalid/x'),
      '/first': page,
      '/a%20bc': page,
    }),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(expect.arrayContaining(['/first', '/a%20bc']))
      expect(asked).not.toContain('/second')
      expect(outcome('/triple')).toMatchObject({ status: 302, location: 'http://nowhere.invalid/x' })
    },
  },
  {
    id: 'H64',
    what: 'to a place with a user, a password and a fragment',
    seeds: ['/', '/link'],
    answer: (socket, request) => {
      const target = request.url('/in').replace('://', '://user:pass@')
      if (request.path === '/') redirect(`${target}#part`)(socket, request)
      else html(socket, pageWith(request.path, `${target}2`))
    },
    expected: ({ asked, requests }) => {
      expect(asked.toSorted()).toEqual(['/', '/in', '/in2', '/link'])
      expect(requests.filter(({ head }) => /authorization|user:|#/i.test(head))).toEqual([])
    },
  },
  {
    id: 'H65',
    what: 'with a body without end',
    answer: byPath({
      '/': (socket) => {
        socket.write('HTTP/1.1 302 Found\r\nLocation: /there\r\n\r\n')
        endlessly(socket, Buffer.alloc(65_536, 'x'))
      },
      '/there': page,
    }),
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 302, truncated: 'length', bytes: 65_536 })
      expect(asked).toEqual(['/', '/there'])
    },
  },
  {
    id: 'H65',
    what: 'with a body that never comes',
    answer: byPath({
      '/': (socket) =>
        void socket.write('HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 9\r\n\r\n'),
      '/there': page,
    }),
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 302, truncated: 'time' })
      expect(asked).toEqual(['/', '/there'])
    },
  },
  {
    id: 'H66',
    what: 'by meta refresh, in circles and in places where it does not count',
    answer: byPath({
      '/': (socket) =>
        html(
          socket,
          `<title>r</title><!-- <meta http-equiv=refresh content="0;url=/comment"> -->
          <script>location = '/script'; "<meta http-equiv=refresh content='0;url=/script'>"</script>
          <meta http-equiv=refresh content="0;url=/"><meta http-equiv=refresh content="0;url=/b">`,
        ),
      '/b': (socket) => html(socket, '<meta http-equiv=refresh content="0;url=/">'),
    }),
    expected: ({ asked }) => expect(asked).toEqual(['/', '/b']),
  },
  {
    id: 'H67',
    what: 'by status codes that are no redirects',
    seeds: ['/300', '/304', '/305', '/306', '/310'],
    answer: (socket, { path }) => status(socket, `${path.slice(1)} Odd`, 'Location: /there', htmlType),
    expected: ({ asked, outcome }) => {
      expect(asked).not.toContain('/there')
      expect(outcome('/305')).toMatchObject({ error: 'http-305' })
    },
  },
  {
    id: 'H68',
    what: 'by canonical links in a circle',
    answer: byPath({
      '/': (socket) => html(socket, '<title>a</title><link rel=canonical href=/b>'),
      '/b': (socket) => html(socket, '<title>b</title><link rel=canonical href=/>'),
    }),
    expected: ({ asked, outcome }) => {
      expect(asked).toEqual(['/', '/b'])
      expect(outcome('/b')).toMatchObject({ status: 200, title: 'b' })
    },
  },
]
