/** The API of the control of a crawl. */
import type { Budgets } from './now.ts'

/**
 * A login sets a cookie that permits reading (HttpOnly, SameSite=Strict). Needed for the event stream and frames on addresses
 * other than loopback. Control always needs the header `Authorization: Bearer TOKEN`.
 */
export interface LoginRequest {
  readonly token: string
}

export interface ControlState {
  /** False: the crawl is not live, or it has ended. Every POST is then refused with `not-running`. */
  readonly isPossible: boolean
  /** The controls that can be used now. */
  readonly actions: readonly (keyof ControlRequests)[]
  readonly isPaused: boolean
  readonly isStopping: boolean
  /** On a cluster: the crawl was stopped, and `resume` continues it. */
  readonly isStopped: boolean
  readonly budgets: Budgets
  readonly waitSeconds: number
  readonly waitFactor: number
  readonly connections: number
  /** Fetches a day; only of a continuous crawl. */
  readonly perDay?: number | undefined
  readonly exclude: readonly string[]
  /** Pages on failed sites, and sites, that a retry would request again. */
  readonly retryable: { readonly sites: number; readonly pages: number }
  /** What was changed since the crawl began, the newest first, at most 100; also in the record. */
  readonly entries: readonly ControlEntry[]
}

/** A change of the crawl, as the record has it. */
export interface ControlEntry {
  readonly atMs: number
  readonly action: ControlAction
  /** In words, for display. */
  readonly what: string
}

export type ControlAction = keyof ControlRequests | 'settings-at-start'

/** The body of each control. */
export interface ControlRequests {
  /** Takes no more pages; requests in flight finish. */
  readonly pause: Record<string, never>
  readonly resume: Record<string, never>
  /** `isAbrupt`: aborts requests in flight. */
  readonly stop: { readonly isAbrupt?: boolean }
  /** Omitted values stay; `null` removes a budget. */
  readonly settings: {
    readonly pages?: number | null
    readonly failures?: number | null
    readonly coverage?: number | null
    readonly seconds?: number | null
    readonly bytes?: number | null
    readonly waitSeconds?: number
    readonly waitFactor?: number
    readonly connections?: number
    readonly perDay?: number
  }
  /** A pattern as of `--exclude`. Waiting pages that match are refused; fetched ones stay. */
  readonly exclude: { readonly pattern: string }
  /** An http(s) URL. It gets no trust, so the coverage stays comparable. */
  readonly seed: { readonly url: string }
  /** Requests pages again that failed for a temporary reason; without `site`, of all sites. */
  readonly retry: { readonly site?: string }
}

export interface ControlResult {
  readonly entry: ControlEntry
  readonly state: ControlState
}

export type SettingName = keyof ControlRequests['settings']

/** A setting that can be changed: how the page names it, and its range. */
export interface SettingField {
  readonly label: string
  /** The value in the API times this is the value on the page: coverage is shown in percent. */
  readonly factor: number
  /** In the API. */
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
  /** `null` removes it. */
  readonly isBudget: boolean
}

const countMax = Number.MAX_SAFE_INTEGER

/** In the order of the form. */
export const settingFields: Readonly<Record<SettingName, SettingField>> = {
  pages: { label: 'Pages at most', factor: 1, min: 1, max: countMax, isWhole: true, isBudget: true },
  coverage: { label: 'Coverage, %', factor: 100, min: 1e-6, max: 1, isWhole: false, isBudget: true },
  seconds: { label: 'Time, minutes', factor: 1 / 60, min: 1, max: 1e9, isWhole: false, isBudget: true },
  bytes: { label: 'Bytes, MB', factor: 1e-6, min: 1, max: countMax, isWhole: true, isBudget: true },
  failures: { label: 'Failures at most', factor: 1, min: 1, max: countMax, isWhole: true, isBudget: true },
  waitSeconds: { label: 'Gap, seconds', factor: 1, min: 0, max: 86_400, isWhole: false, isBudget: false },
  waitFactor: {
    label: 'Gap, × last download',
    factor: 1,
    min: 0,
    max: 1000,
    isWhole: false,
    isBudget: false,
  },
  connections: { label: 'Connections', factor: 1, min: 1, max: 100_000, isWhole: true, isBudget: false },
  perDay: { label: 'Requests a day', factor: 1, min: 1, max: 1e9, isWhole: false, isBudget: false },
}
