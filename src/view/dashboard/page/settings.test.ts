import { expect, it } from 'vitest'
import type { ControlState } from '../api/index.ts'
import { changesOf } from './settings.ts'

const state: ControlState = {
  isPossible: true,
  actions: [],
  isStopped: false,
  isPaused: false,
  isStopping: false,
  budgets: { pages: 2000, coverage: 0.95, seconds: 3600 },
  waitSeconds: 1,
  waitFactor: 1,
  connections: 64,
  exclude: [],
  retryable: { sites: 0, pages: 0 },
  entries: [],
}
const shown = {
  pages: '2000',
  coverage: '95',
  seconds: '60',
  bytes: '',
  waitSeconds: '1',
  waitFactor: '1',
  connections: '64',
}
const changes = (values: Readonly<Record<string, string>>): object[] =>
  changesOf(state, new Map(Object.entries({ ...shown, ...values })))

it('only changed settings are sent, in the units of the server', () => {
  expect(changes({})).toEqual([])
  expect(changes({ pages: '5000', coverage: '99.9', seconds: '90', bytes: '1.5', connections: '8' })).toEqual(
    [
      { name: 'pages', value: 5000, text: 'Pages at most: 2,000 → 5,000' },
      { name: 'coverage', value: 0.999, text: 'Coverage, %: 95 → 99.9' },
      { name: 'seconds', value: 5400, text: 'Time, minutes: 60 → 90' },
      { name: 'bytes', value: 1_500_000, text: 'Bytes, MB: none → 1.5' },
      { name: 'connections', value: 8, text: 'Connections: 64 → 8' },
    ],
  )
})

it('an empty field removes a budget, and leaves any other setting as it is', () => {
  expect(changes({ pages: '', waitSeconds: '' })).toEqual([
    { name: 'pages', value: null, text: 'Pages at most: 2,000 → none' },
  ])
})
