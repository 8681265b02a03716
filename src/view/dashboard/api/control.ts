/** The API of the control of a crawl. */
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
  /** The options that can be changed while the crawl runs, in the order of the form. */
  readonly settings: readonly SettingField[]
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
  /** By name of the option. Omitted values stay; `null` removes a budget. */
  readonly settings: Readonly<Record<string, number | null>>
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

/** An option that can be changed: its name in the library, how the page names it, and its range. */
export interface SettingField {
  readonly name: string
  readonly label: string
  /** The value in the API times this is the value on the page: coverage is shown in percent. */
  readonly factor: number
  /** In the API. */
  readonly min: number
  readonly max?: number | undefined
  /** The bounds themselves are refused. */
  readonly isOpen: boolean
  readonly isWhole: boolean
  /** `null` removes it. */
  readonly isBudget: boolean
  /** Absent: there is no such budget. */
  readonly value?: number | undefined
}
