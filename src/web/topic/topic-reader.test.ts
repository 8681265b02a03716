import { describe, expect, it } from 'vitest'
import { DocumentFrequencies } from './document-frequencies.ts'
import { PageDigester, type PageWords } from './page-digest.ts'
import { TopicReader } from './topic-reader.ts'
import { Topic, type TopicSettings } from './topic.ts'

const page = (
  title: string,
  body: string,
  links: PageWords['links'] = [],
  url = 'http://a.example/x',
): PageWords => ({
  url,
  title,
  body,
  links,
})

function desk(settings: TopicSettings, stem?: (word: string) => string) {
  const topic = new Topic(settings, stem)
  const frequencies = new DocumentFrequencies()
  const digester = new PageDigester(topic)
  return { topic, frequencies, digester, reader: new TopicReader(topic, frequencies) }
}

/** Of a word that n of N pages have. */
const idf = (n: number, N: number): number => Math.log(1 + (N + 1) / (n + 1))

describe('the likeness of a page to a query', () => {
  it('is the inner product of their vectors, words in the title counting more', () => {
    const { digester, reader } = desk({ query: 'solar energy', likeness: 'inner', titleWeight: 3 })
    const { relevance } = reader.read(digester.digest(page('Solar power', 'Solar energy, solar heat')))
    // The first page has all its words: n = N = 1. solar: 2 + 3·1, energy: 1.
    expect(relevance).toBeCloseTo((5 + 1) * idf(1, 1) ** 2, 12)
  })

  it('is their cosine by default', () => {
    const { digester, reader } = desk({ query: 'solar energy', titleWeight: 1 })
    reader.read(digester.digest(page('', 'the heat')))
    const { relevance } = reader.read(digester.digest(page('', 'the solar solar energy')))
    const [the, rare] = [idf(2, 2), idf(1, 2)]
    const length = Math.hypot(the, 2 * rare, rare)
    expect(relevance).toBeCloseTo((2 * rare * rare + rare * rare) / (length * Math.hypot(rare, rare)), 12)
    expect(reader.read(digester.digest(page('', 'solar energy'))).relevance).toBeGreaterThan(0.99)
    expect(reader.read(digester.digest(page('', 'heat'))).relevance).toBe(0)
  })

  it('follows a reference where there is one', () => {
    const topic = new Topic({ query: 'solar', likeness: 'inner' })
    const counts = new Uint32Array(1 << 16).fill(9)
    const reader = new TopicReader(topic, new DocumentFrequencies({ documents: 99, counts }))
    const digest = new PageDigester(topic).digest(page('', 'solar'))
    for (let i = 0; i < 3; i++) expect(reader.read(digest).relevance).toBeCloseTo(idf(9, 99) ** 2, 12)
  })

  it('is the same for words in other forms where there are stems, and in any script', () => {
    const stemmed = desk({ query: 'admission' }, (word) => word.replace(/s$/, ''))
    expect(stemmed.reader.read(stemmed.digester.digest(page('Admissions', ''))).isHot).toBe(true)
    const plain = desk({ query: 'admission' })
    expect(plain.reader.read(plain.digester.digest(page('Admissions', ''))).isHot).toBe(false)
    const greek = desk({ query: 'ΗΛΙΟΣ' })
    expect(greek.reader.read(greek.digester.digest(page('Ήλιος ηλιος', ''))).isHot).toBe(true)
  })
})

describe('what makes a page hot', () => {
  it.each([
    ['Computer science', '', true],
    ['Science', 'computer '.repeat(9), false],
    ['Science', 'Computer '.repeat(10), true],
    ['Microcomputers', 'computers', false],
  ])('%s, %s', (title, body, isHot) => {
    const { digester, reader } = desk({ query: 'computer' })
    expect(reader.read(digester.digest(page(title, body))).isHot).toBe(isHot)
  })

  it('is a rule of the user’s where there is one', () => {
    const { digester, reader } = desk({ query: 'sun', hot: 'url:x and body:moon>=2 or score>=3' })
    expect(reader.read(digester.digest(page('Sun', 'moon moon'))).isHot).toBe(true)
    expect(reader.read(digester.digest(page('Sun', 'moon'))).isHot).toBe(false)
    expect(reader.read(digester.digest(page('', '')), 3).isHot).toBe(true)
  })
})

describe('what a link says', () => {
  const links = [
    { url: 'http://a.example/en/computer-lab/', anchor: 'Labs' },
    { url: 'http://a.example/b', anchor: 'Supercomputers here' },
    { url: 'http://a.example/%63omputer', anchor: '' },
    { url: 'http://a.example/c', anchor: 'computer' },
    { url: 'http://a.example/d', anchor: 'computer science computer' },
    { url: 'http://a.example/e', anchor: 'more' },
  ]
  const { digester, reader } = desk({ query: 'computer' })
  const reading = reader.read(digester.digest(page('', 'computer science', links)))

  it('is whether its anchor or URL has a word of the topic in it', () => {
    expect([...reading.mentions]).toEqual([1, 1, 1, 1, 1, 0])
  })

  it('is how alike its anchor is to the topic', () => {
    const [labs, super_, none, same, mixed, more] = reading.similarity
    expect([labs, super_, none, more]).toEqual([0, 0, 0, 0])
    expect(same).toBeCloseTo(1, 6)
    expect(mixed).toBeCloseTo(2 / Math.sqrt(5), 6)
  })

  it('is its words, its host and its folders as clues', () => {
    const of = (link: number): number[] => [
      ...reading.clues.subarray(link === 0 ? 0 : reading.ends[link - 1], reading.ends[link]),
    ]
    // labs | a.example, a.example/en, a.example/en/computer-lab | en, computer, lab
    expect(of(0)).toHaveLength(7)
    expect(of(0)[1]).toBe(of(1)[2])
    expect(of(3)[0]).toBe(of(4)[0])
    expect(of(2)).not.toContain(of(3)[0])
  })

  it('does not depend on the port of its URL', () => {
    const cluesOf = (host: string): number[] => {
      const link = { url: `http://${host}/en/lab`, anchor: 'labs' }
      return [...reader.read(digester.digest(page('', '', [link]))).clues]
    }
    expect(cluesOf('a.example:8080')).toEqual(cluesOf('a.example'))
    expect(cluesOf('[::1]:8080')).toEqual(cluesOf('[::1]'))
    expect(cluesOf('b.example')).not.toEqual(cluesOf('a.example'))
  })
})
