import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { normalizeEncoding } from '@exodus/bytes/encoding.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { charsetOfHeader, decodeHtml, sniffEncoding } from './html-text.ts'
import { prescan } from './sniffing.ts'
import { decodeUtf8Html } from './utf8-text.ts'

/** The oracle has no types. */
const sniff = createRequire(import.meta.url)('html-encoding-sniffer') as (
  bytes: Uint8Array,
  options: { defaultEncoding: string },
) => string

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/**
 * The html5lib cases that want a meta element after the first 1024 bytes to count; the standard says it does
 * not.
 */
const afterTheFirst1024 = [47, 48, 49, 50, 51, 52, 53].map((number) => `encoding/tests1.dat/${number}`)

describe('the encoding of a page', () => {
  const prescanCases = 'conformance/charset/html5lib-prescan.json'
  it.skipIf(absent(prescanCases))(`is found as html5lib expects (needs ../shared/${prescanCases})`, () => {
    const cases: { name: string; bodyBase64: string; encoding: string }[] = JSON.parse(
      readFileSync(sharedPath(prescanCases), 'utf8'),
    )
    const wrong = cases.filter(({ bodyBase64, encoding }) => {
      const bytes = Buffer.from(bodyBase64, 'base64')
      const { encoding: found, how } = sniffEncoding(bytes)
      // html5lib has windows-1252 where nothing is said, also for bytes that are valid UTF-8.
      return (how === 'valid-utf-8' ? 'windows-1252' : found) !== encoding.toLowerCase()
    })
    expect(cases.length).toBe(82)
    expect(wrong.map(({ name }) => name).filter((name) => !afterTheFirst1024.includes(name))).toEqual([])
  })

  const labels = 'conformance/charset/labels.tsv'
  it.skipIf(absent(labels))(
    `is known by every label of the Encoding standard (needs ../shared/${labels})`,
    () => {
      const rows = readFileSync(sharedPath(labels), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split('\t'))
      expect(rows.length).toBe(228)
      for (const [label, encoding] of rows) {
        const expected = encoding.toLowerCase()
        expect([label, charsetOfHeader(`text/html; charset=${label}`)]).toEqual([label, expected])
        expect([label, charsetOfHeader(`text/html;charset="${label.toUpperCase()}"`)]).toEqual([
          label,
          expected,
        ])
        const inMeta = { 'utf-16le': 'utf-8', 'utf-16be': 'utf-8', 'x-user-defined': 'windows-1252' }[
          expected
        ]
        expect([label, prescan(latin(`<meta charset='${label}'>`), normalizeEncoding)]).toEqual([
          label,
          inMeta ?? expected,
        ])
        expect(() => decodeHtml(latin('<p>a</p>'), `text/html; charset=${label}`).text).not.toThrow()
      }
    },
  )

  it.each<[string, Uint8Array, string | undefined, string, string]>([
    ['the mark beats the header', Buffer.from('\uFEFFé'), 'text/html; charset=koi8-r', 'utf-8', 'bom'],
    ['the header beats the meta', latin('<meta charset=koi8-r>'), 'a/b;charset=utf-8', 'utf-8', 'header'],
    ['an unknown header is passed over', latin('<meta charset=koi8-r>'), 'a/b;charset=x', 'koi8-r', 'meta'],
    ['valid bytes are UTF-8', Buffer.from('é'), 'text/html', 'utf-8', 'valid-utf-8'],
    ['other bytes are windows-1252', latin('\x80\xe9'), undefined, 'windows-1252', 'fallback'],
    ['an XML declaration counts', latin('<?xml encoding="koi8-r"?><p>\xc1'), undefined, 'koi8-r', 'meta'],
    ['nothing is UTF-8', new Uint8Array(0), undefined, 'utf-8', 'valid-utf-8'],
    [
      'a content that ends in "charset"',
      latin('<meta content="charset">'),
      undefined,
      'utf-8',
      'valid-utf-8',
    ],
  ])('%s', (_name, bytes, header, encoding, how) => {
    expect(sniffEncoding(bytes, header)).toEqual({ encoding, how })
  })

  it('is what html-encoding-sniffer finds, on any soup of markup', () => {
    const pieces = [
      '<meta |<META/|<m|</a |<!--|-->|<!|<?|>|/| |\n|"|\'|=|charset|content|http-equiv|content-type',
      'text/html; charset=|;|koi8-r|utf-8|x|<meta charset="',
      '<meta http-equiv=content-type content="text/html; charset=big5">|é',
    ].flatMap((row) => row.split('|'))
    const piece = fc.constantFrom(...pieces)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(''))
        let expected: string
        try {
          expected = sniff(bytes, { defaultEncoding: 'none' }).toLowerCase()
        } catch {
          return // it throws on a content that ends right after "charset"
        }
        const found = prescan(bytes, normalizeEncoding) ?? 'none'
        // It lets a tag that the bytes cut off speak; the standard does not. It also differs on unbalanced
        // quotes.
        if (found === 'none' && (sniffCut(pieces) || unbalanced(pieces))) return
        expect(found).toBe(expected)
      }),
      seeded(3000),
    )
  })
})

describe('a page decoded without the tables of other encodings', () => {
  it.each<[string, string, string | undefined, boolean]>([
    ['a header', 'é', 'text/html; charset=UTF-8', true],
    ['a label with spaces', 'é', 'text/html; charset=" utf8 "', true],
    ['a meta element', '<meta charset=utf-8>é', 'text/html', true],
    ['nothing but valid bytes', 'é', undefined, true],
    ['a mark', '\uFEFFé', 'text/html; charset=koi8-r', true],
    ['another encoding', '<meta charset=koi8-r>é', 'text/html', false],
    ['an unknown label before UTF-8', '<meta charset=utf-8>é', 'text/html; charset=x', false],
  ])('is the same, or left to the others: %s', (_name, text, header, isRead) => {
    const bytes = Buffer.from(text)
    const page = decodeUtf8Html(bytes, header)
    expect(page !== undefined).toBe(isRead)
    if (page === undefined) return
    const full = decodeHtml(bytes, header)
    expect([page.text, page.encoding, page.how]).toEqual([full.text, full.encoding, full.how])
  })

  it('is never different, on any soup of markup', () => {
    const piece = fc.constantFrom(
      '<meta charset=',
      'utf-8',
      'koi8-r',
      'utf-16',
      '>',
      ' ',
      '<!--',
      '-->',
      'é',
      '<?xml encoding="',
      '"?>',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom(undefined, 'a/b;charset=utf8', 'a/b;charset=x'),
        (pieces, header) => {
          const bytes = Buffer.from(pieces.join(''))
          const page = decodeUtf8Html(bytes, header)
          if (page !== undefined) expect(page.encoding).toBe(decodeHtml(bytes, header).encoding)
        },
      ),
      seeded(500),
    )
  })
})

const sniffCut = (pieces: string[]): boolean =>
  prescan(Buffer.from(`${pieces.join('')}>`), normalizeEncoding) !== undefined
const unbalanced = (pieces: string[]): boolean => /["']/.test(pieces.join(''))

describe('a decoded page', () => {
  it('has the euro sign and curly quotes of windows-1252, also under the label latin1', () => {
    const bytes = latin('\x80 \x93quoted\x94 \xe9 \x81')
    expect(decodeHtml(bytes).text).toBe('€ “quoted” é \x81')
    expect(decodeHtml(bytes, 'text/html; charset=latin1').text).toBe('€ “quoted” é \x81')
  })

  it('is read in UTF-16, and scanned as UTF-8', () => {
    const little = Buffer.from('\uFEFF<a href=ü>', 'utf16le')
    const page = decodeHtml(little)
    expect(page.encoding).toBe('utf-16le')
    expect(page.text).toBe('<a href=ü>')
    expect(page.bytes.equals(Buffer.from('<a href=ü>'))).toBe(true)
    expect(decodeHtml(Buffer.from(little).swap16()).text).toBe('<a href=ü>')
  })

  it('has its pieces decoded alone', () => {
    const page = decodeHtml(latin('<a title="\xcb\xcf\xd4">'), 'text/html; charset=koi8-r')
    expect(page.piece(10, 13)).toBe('кот')
    expect(decodeHtml(latin('\x93\xfa\x96{'), 'text/html; charset=shift_jis').text).toBe('日本')
    expect(decodeHtml(latin('\x1b$BF|K\\\x1b(B<p>'), 'text/html; charset=iso-2022-jp').bytes.toString()).toBe(
      '日本<p>',
    )
  })

  it('is one unknown character in the encodings that are refused', () => {
    expect(decodeHtml(latin('<script>'), 'text/html; charset=iso-2022-kr').text).toBe('\uFFFD')
  })

  it('is never more than its bytes say: any bytes decode, whatever the label', () => {
    const labels = fc.constantFrom(
      'utf-8',
      'gbk',
      'big5',
      'euc-jp',
      'iso-2022-jp',
      'utf-16be',
      'koi8-u',
      'none',
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), labels, (bytes, label) => {
        const page = decodeHtml(bytes, `text/html; charset=${label}`)
        expect(Buffer.from(page.text).toString()).toBe(page.text)
      }),
      seeded(500),
    )
  })
})
