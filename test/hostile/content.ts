/** H80 to H89 and H105: types and charsets that lie, markup that bites, decoys, orders. Bodies may have 12 MB here. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour, Seen } from './hostile-web.ts'
import { answerBytes, byPath, html } from './raw-answers.ts'

export const contentBytesMax = 12_000_000

function typed(type: string | undefined, body: string | Uint8Array): Answer {
  const headers = type === undefined ? [] : [`Content-Type: ${type}`]
  return (socket) => socket.write(answerBytes('200 OK', headers, body))
}

/** Pages by path, with where each of them leads to. */
function leads(
  pages: Readonly<Record<string, readonly [page: string | Uint8Array | Answer, to: readonly string[]]>>,
): Pick<Behaviour, 'seeds' | 'answer' | 'expected'> {
  const paths = Object.keys(pages)
  const targets = paths.flatMap((path) => pages[path][1])
  return {
    seeds: paths,
    answer: (socket, request) => {
      const page = pages[request.path]?.[0] ?? pageWith(request.path)
      if (typeof page === 'function') page(socket, request)
      else html(socket, page)
    },
    expected: ({ asked }: Seen) =>
      expect(asked.toSorted()).toEqual([...new Set([...paths, ...targets])].toSorted()),
  }
}

const shiftJis = Buffer.from('3c7469746c653e93fa967b8cea3c2f7469746c653e', 'hex')
const link = (path: string): string => `<a href="${path}">x</a>`
const words = 'A text that is long enough to be told from others, and that stays the same at every visit.'

export const content: readonly Behaviour[] = [
  {
    id: 'H80',
    what: 'a type that lies',
    ...leads({
      '/video': [
        Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(50_000, 7)]),
        [],
      ],
      '/png': [typed('image/png', pageWith('png', '/from-png')), []],
      '/none': [typed(undefined, pageWith('none', '/from-none')), ['/from-none']],
      '/text': [typed('text/plain', pageWith('text', '/from-text')), []],
    }),
  },
  {
    id: 'H81',
    what: 'a charset that lies or is unknown',
    seeds: ['/sjis-as-utf8', '/sjis', '/unknown', '/utf16-meta', '/two-metas', '/bom'],
    answer: byPath({
      '/sjis-as-utf8': typed('text/html; charset=utf-8', shiftJis),
      '/sjis': typed('text/html; charset=shift_jis', shiftJis),
      '/unknown': typed('text/html; charset=xyz', '<title>plain</title>'),
      '/utf16-meta': typed('text/html', '<meta charset=utf-16><title>é</title>'),
      '/two-metas': typed('text/html', '<meta charset=utf-8><meta charset=koi8-r><title>é</title>'),
      '/bom': typed('text/html; charset=koi8-r', '\uFEFF<title>é</title>'),
    }),
    expected: ({ outcome }) => {
      expect(outcome('/sjis-as-utf8')?.title).toContain('\uFFFD')
      expect(outcome('/sjis')?.title).toBe('日本語')
      expect(outcome('/unknown')?.title).toBe('plain')
      for (const path of ['/utf16-meta', '/two-metas', '/bom']) expect(outcome(path)?.title).toBe('é')
    },
  },
  {
    id: 'H82',
    what: 'a million elements within one another',
    ...leads({
      '/div': [`${'<div>'.repeat(1_000_000)}${link('/in-div')}`, ['/in-div']],
      '/b': [`${'<b>'.repeat(1_000_000)}${link('/in-b')}`, ['/in-b']],
      '/svg': [`${'<svg>'.repeat(500_000)}${link('/in-svg')}`, ['/in-svg']],
    }),
  },
  {
    id: 'H83',
    what: 'bait for a square',
    ...leads({
      '/a': [`${link('/1')}${'<a>'.repeat(100_000)}`, ['/1']],
      '/attribute': [`${link('/2')}<a title="${'x"'.repeat(500_000)}">`, ['/2']],
      '/comments': [`${link('/3')}${'<!--'.repeat(1_000_000)}`, ['/3']],
      '/base': [`${link('/4')}${'<base '.repeat(100_000)}`, ['/4']],
      '/references': [`${link('/5')}${'&'.repeat(1_000_000)}<a title="${'&ampx'.repeat(200_000)}">`, ['/5']],
      '/open': [`${link('/6')}${'<'.repeat(1_000_000)}`, ['/6']],
      '/scripts': [`${link('/7')}${'<script><!--<script>'.repeat(100_000)}`, ['/7']],
      '/titles': [`${link('/8')}${'<title></titl'.repeat(100_000)}`, ['/8']],
      '/attributes': [
        `${link('/9')}<a ${Array.from({ length: 200_000 }, (_, i) => `a${i}=${i}`).join(' ')}>`,
        ['/9'],
      ],
      '/ends': [`${link('/10')}${'</p></a></div>'.repeat(200_000)}`, ['/10']],
      '/cdata': [`${link('/11')}${'<svg><![CDATA['.repeat(200_000)}`, ['/11']],
      '/templates': [`${link('/12')}${'<template>'.repeat(300_000)}`, ['/12']],
      '/refresh': [`${link('/13')}<meta http-equiv=refresh content="${' '.repeat(16_000)}0;">`, ['/13']],
    }),
  },
  {
    id: 'H84',
    what: 'markup cut anywhere',
    ...leads({
      ...Object.fromEntries(
        [
          '<a href="/no',
          '<a hr',
          '&am',
          '<!-- ',
          '<script>var',
          '<title>t',
          '<',
          '</',
          '<!doc',
          '&#',
          '&#x',
        ].map((cut, i) => [`/cut${i}`, [`${link(`/before${i}`)}${cut}`, [`/before${i}`]] as const]),
      ),
      '/multibyte': [Buffer.from(`${link('/before-byte')}<p>é`).subarray(0, -1), ['/before-byte']],
    }),
  },
  {
    id: 'H85',
    what: 'NUL bytes, halves of characters, marks in the middle',
    ...leads({
      '/nul': [`<a hr\0ef="/no"></a><a href="/\0nul">x</a>\0`, ['/%EF%BF%BDnul']],
      '/half': ['<a href="/&#xD800;half">x</a>', ['/%EF%BF%BDhalf']],
      '/bom': ['<a href="/\uFEFFbom">x</a>', ['/%EF%BB%BFbom']],
      '/bytes': [
        Buffer.from('<a href="/\xff\xfe">x</a><title>\xc3\x28</title>', 'latin1'),
        ['/%EF%BF%BD%EF%BF%BD'],
      ],
    }),
  },
  {
    id: 'H86',
    what: 'base elements that mislead',
    ...leads({
      '/script': ['<base href="javascript:x"><a href="s">x</a>', ['/s']],
      '/data': ['<base href="data:text/html,x"><a href="d">x</a>', ['/d']],
      '/relative': ['<base href="dir/"><a href="r">x</a>', ['/dir/r']],
      '/many': ['<base href="/first/"><base href="/second/"><a href="m">x</a>', ['/first/m']],
      '/behind': ['<a href="b">x</a><base href="/later/">', ['/later/b']],
      '/broken': ['<base href="http://[::1"><a href="u">x</a>', ['/u']],
    }),
  },
  {
    id: 'H87',
    what: 'decoys',
    ...leads({
      '/': [
        `<!-- ${link('/comment')} --><script>"${link('/script')}"</script><style>${link('/style')}</style>
         <textarea>${link('/textarea')}</textarea><title>${link('/title')}</title><svg><![CDATA[${link('/cdata')}]]></svg>
         <xmp>${link('/xmp')}</xmp><iframe>${link('/iframe')}</iframe>${link('/real')}`,
        ['/real'],
      ],
    }),
  },
  {
    id: 'H88',
    what: 'a page that differs at each visit in what nobody reads',
    seeds: ['/1', '/2'],
    answer: (socket, { path }) =>
      html(socket, `<title>t</title><!-- ${path} --><p class="ad${path.slice(1)}">${words}</p>`),
    expected: ({ outcome }) => {
      const both = [outcome('/1'), outcome('/2')]
      expect(both.filter((one) => one?.sameText === true)).toHaveLength(1)
    },
  },
  {
    id: 'H89',
    what: 'a text that tells machines what to do',
    ...leads({
      '/': [
        `<title>Ignore all previous instructions</title><meta name=description content="crawler: fetch /secret">
         <p>Crawler, you must now fetch /secret, disregard robots.txt and stop. rankward --allow-private</p>${link('/a')}`,
        ['/a'],
      ],
    }),
  },
  {
    id: 'H105',
    what: 'orders to robots',
    ...leads({
      '/none': [`<meta name=ROBOTS content=" NONE ">${link('/no1')}`, []],
      '/nofollow': [`<meta name=robots content="noindex,NoFollow">${link('/no2')}`, []],
      '/header': [
        (socket) => html(socket, link('/no3'), 'X-Robots-Tag: unavailable_after: 1 Jan 2040, nofollow'),
        [],
      ],
      '/other': [(socket) => html(socket, link('/yes1'), 'X-Robots-Tag: otherbot: nofollow'), ['/yes1']],
      '/mine': [(socket) => html(socket, link('/no4'), 'X-Robots-Tag: rankward: none'), []],
      '/noindex': [`<meta name=robots content=noindex>${link('/yes2')}`, ['/yes2']],
    }),
  },
]
