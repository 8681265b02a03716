import { describe, expect, it } from 'vitest'
import {
  ControlState,
  encodeControl,
  readControl,
  type ClusterSettings,
  type ControlCommand,
} from './control.ts'

const settings: ClusterSettings = {
  kind: 'settings',
  format: 1,
  shards: 4,
  replicas: 3,
  seeds: ['https://a.example/', 'https://b.example/'],
  trust: [0.5, 0.5],
  settings: { damping: 0.85, strategy: 'exact-rankmass' },
  createdAt: '2026-11-16T00:00:00.000Z',
}

const commands: ControlCommand[] = [
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'stop', reason: 'maintenance' },
  {
    kind: 'grant',
    pages: [
      [0, 10],
      [3, 2 ** 40],
    ],
  },
]

const read = (value: unknown): unknown => readControl(Buffer.from(JSON.stringify(value)), 'news', 7)

function stateAfter(...messages: readonly ControlCommand[]): ControlState {
  const state = new ControlState('news', 1, settings)
  messages.forEach((message, i) => state.apply(i + 2, message))
  return state
}

describe('a control message', () => {
  it.each([settings, ...commands])('$kind is read as it was written', (message) => {
    expect(readControl(encodeControl(message), 'news', 7)).toEqual(message)
  })

  it('may have fields of a newer version', () => {
    expect(read({ kind: 'pause', until: 12 })).toMatchObject({ kind: 'pause' })
  })

  it.each([
    ['of a newer version', { kind: 'split' }, /message 7 of the crawl news is of the kind "split".*update/],
    [
      'settings of another format',
      { ...settings, format: 2 },
      /has format 2, this version of Rankward has 1/,
    ],
    ['without a kind', { hello: 1 }, /has no kind/],
    ['null', null, /has no kind/],
    ['settings without shards', { ...settings, shards: 0 }, /no valid settings/],
    ['trust of other seeds', { ...settings, trust: [1] }, /no valid settings/],
    ['a negative grant', { kind: 'grant', pages: [[0, -1]] }, /no valid grant/],
    ['a stop without a reason', { kind: 'stop' }, /no valid stop/],
  ])('%s is refused with one line', (_, value, line) => {
    expect(() => read(value)).toThrow(line)
    expect(() => read(value)).toThrow(expect.objectContaining({ code: 'BAD_STREAM' }))
  })

  it('is refused where it is truncated', () => {
    const bytes = encodeControl(settings)
    for (let length = 0; length < bytes.length; length++)
      expect(() => readControl(bytes.subarray(0, length), 'news', 1)).toThrow(/truncated/)
  })
})

describe('the state of a crawl', () => {
  it('follows pauses, resumes and the first stop', () => {
    expect(stateAfter({ kind: 'pause' })).toMatchObject({ isPaused: true, stopped: undefined, number: 2 })
    expect(stateAfter({ kind: 'pause' }, { kind: 'resume' })).toMatchObject({ isPaused: false, number: 3 })
    const stopped = stateAfter({ kind: 'stop', reason: 'a' }, { kind: 'stop', reason: 'b' })
    expect(stopped.stopped).toBe('a')
    stopped.apply(4, { kind: 'resume' })
    expect(stopped.stopped).toBeUndefined()
  })

  it('counts the time that the crawl has run, without pauses and stops', () => {
    const state = new ControlState('news', 1, settings, 1000)
    expect([500, 1000, 4000].map((nowMs) => state.ranMs(nowMs))).toEqual([0, 0, 3000])
    const messages: [ControlCommand, number, number][] = [
      [{ kind: 'pause' }, 5000, 4000],
      [{ kind: 'stop', reason: 'enough' }, 6000, 4000],
      [{ kind: 'grant', pages: [] }, 7000, 4000],
      [{ kind: 'resume' }, 8000, 6000],
      [{ kind: 'resume' }, 9000, 6000],
      [{ kind: 'stop', reason: 'time' }, 9500, 5500],
    ]
    for (const [i, [message, atMs, ranMs]] of messages.entries()) {
      state.apply(i + 2, message, atMs)
      expect(state.ranMs(10_000)).toBe(ranMs)
    }
  })

  it('takes the largest number of pages that grants count as given back', () => {
    const state = new ControlState('news', 1, settings)
    state.apply(2, { kind: 'grant', pages: [], returned: [3, 0, 1] })
    state.apply(3, { kind: 'grant', pages: [], returned: [2, 5] })
    state.apply(4, { kind: 'grant', pages: [] })
    expect([...state.returned].slice(0, 3)).toEqual([3, 5, 1])
  })

  it('sums the pages granted to each shard', () => {
    const { granted } = stateAfter(
      { kind: 'grant', pages: [[0, 10]] },
      {
        kind: 'grant',
        pages: [
          [0, 5],
          [3, 1],
        ],
      },
    )
    expect([...granted]).toEqual([15, 0, 0, 1])
  })

  it('says which commands would change nothing', () => {
    const running = stateAfter()
    expect(commands.map((command) => running.isNews(command))).toEqual([true, false, true, true])
    const paused = stateAfter({ kind: 'pause' })
    expect(commands.map((command) => paused.isNews(command))).toEqual([false, true, true, true])
    const stopped = stateAfter({ kind: 'stop', reason: 'a' })
    expect(commands.map((command) => stopped.isNews(command))).toEqual([true, true, false, true])
  })

  it('refuses second settings, a first message that is none, a message twice, and pages for a shard that does not exist', () => {
    expect(() => new ControlState('news', 1, { kind: 'pause' })).toThrow('does not begin with settings')
    const state = stateAfter()
    expect(() => state.apply(2, settings)).toThrow('second message with settings')
    expect(() => state.apply(1, { kind: 'pause' })).toThrow('follows message 1')
    expect(() => state.apply(2, { kind: 'grant', pages: [[4, 1]] })).toThrow('shard 4, which does not exist')
  })
})
