import { expect, it } from 'vitest'
import type { ControlState, SettingField } from '../api/index.ts'
import { changesOf } from './settings.ts'

const field = (name: string, more: Partial<SettingField>): SettingField => ({
  name,
  label: name,
  factor: 1,
  min: 0,
  isOpen: false,
  isWhole: false,
  isBudget: false,
  ...more,
})

const state: ControlState = {
  isPossible: true,
  actions: [],
  isStopped: false,
  isPaused: false,
  isStopping: false,
  settings: [
    field('pages', { label: 'Pages at most', isBudget: true, value: 2000 }),
    field('coverage', { label: 'Coverage, %', factor: 100, isBudget: true, value: 0.95 }),
    field('seconds', { label: 'Time, minutes', factor: 1 / 60, isBudget: true, value: 3600 }),
    field('bytes', { label: 'Bytes, MB', factor: 1e-6, isBudget: true }),
    field('wait', { label: 'Gap, seconds', value: 1 }),
    field('connections', { label: 'Connections', value: 64 }),
  ],
  exclude: [],
  retryable: { sites: 0, pages: 0 },
  entries: [],
}
const shown = {
  pages: '2000',
  coverage: '95',
  seconds: '60',
  bytes: '',
  wait: '1',
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
  expect(changes({ pages: '', wait: '' })).toEqual([
    { name: 'pages', value: null, text: 'Pages at most: 2,000 → none' },
  ])
})
