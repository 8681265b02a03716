/**
 * Looks at held pages: what each request sends, and what its response says about the page. The record has
 * what the last look found; in memory are the validators' credit (validators.ts) and the conditions of
 * requests under way.
 */
import { printsOf } from '../../record/outcome-record.ts'
import type { FetchResult } from '../fetch-result.ts'
import type { Verdict } from '../../../engine/recrawl-policy.ts'
import { changeVerdict, isOtherBody, type ChangeRule, type Found, type PageVerdict } from './change.ts'
import type { Validator, Validators } from './validators.ts'

/** Does a look with this verdict show the page as it is? */
export function isObservation(verdict: Verdict): boolean {
  return verdict === 'first' || verdict === 'changed' || verdict === 'same'
}

/** What the record says of a held page. */
export interface HeldPage extends Found {
  /** After the last look. */
  readonly validator: Validator
  /** Validators of the last look that differ from those of the version. */
  readonly later: Validator
  /** When the page was observed last, in milliseconds of the epoch. */
  readonly observedMs: number
  /** True if the last look found no page. */
  readonly isMissing: boolean
}

/** The result of a look, as it is recorded. */
export interface PageLook extends Validator {
  readonly verdict: Verdict
  readonly error?: string | undefined
  readonly failureText?: string | undefined
  readonly conditional?: boolean | undefined
  readonly changedMs?: number | undefined
  readonly lie?: boolean | undefined
  readonly observedMs?: number | undefined
}

interface PageLooksOptions {
  readonly validators: Validators
  readonly rule: ChangeRule
  /** False for pages that were never fetched. */
  readonly isHeld: (page: number) => boolean
  readonly held: (page: number) => HeldPage
  /** Fail the pages of a site that cannot be reached, instead of waiting for the site. */
  readonly failsUnreachable: boolean
}

export class PageLooks {
  readonly #options: PageLooksOptions
  readonly #conditional = new Set<number>()

  constructor(options: PageLooksOptions) {
    this.#options = options
  }

  get failsUnreachable(): boolean {
    return this.#options.failsUnreachable
  }

  isHeld(page: number): boolean {
    return this.#options.isHeld(page)
  }

  first(page: number): PageLook {
    this.#options.validators.first(page)
    return { verdict: 'first' }
  }

  /** What the request for a held page sends. */
  conditions(page: number, site: number): Validator {
    const { validators, held } = this.#options
    const { validator, isMissing } = held(page)
    const conditions = isMissing ? {} : validators.conditions(page, site, validator)
    const isConditional = conditions.etag !== undefined || conditions.lastModified !== undefined
    if (isConditional) this.#conditional.add(page)
    return conditions
  }

  /** The request was not answered, or not sent after all. */
  failed(page: number, verdict: 'failed' | 'forbidden', error: string, failureText?: string): PageLook {
    const { later, observedMs } = this.#options.held(page)
    const conditional = this.#conditional.delete(page)
    return { ...later, verdict, error, failureText, conditional, observedMs }
  }

  /** The request will be sent again. */
  postponed(page: number): void {
    this.#conditional.delete(page)
  }

  /** What a response shows; undefined: nothing. */
  look(page: number, result: FetchResult): PageLook | undefined {
    const { validators } = this.#options
    const held = this.#options.held(page)
    const { status, site } = result
    const prints = printsOf(result)
    const verdict = this.#verdictOf(page, held, result, prints)
    if (verdict === undefined) return undefined
    const conditional = this.#conditional.delete(page)
    if (verdict === 'missing' || verdict === 'gone')
      return { ...held.later, verdict, error: `http-${status}`, conditional }
    const now = validatorOf(result, status === 304 ? held.validator : {})
    const at = (result.startMs + result.durationMs) / 1000
    const evidence = validators.looked({
      page,
      site,
      status,
      isConditional: conditional,
      isChanged: verdict === 'changed',
      isOtherBody: isOtherBody(held.prints, prints),
      before: held.validator,
      now,
      lastLookAt: held.observedMs / 1000,
      at,
      date: result.date,
    })
    const { isLie: lie, changedAgo } = evidence
    const changedMs = changedAgo === undefined ? undefined : Math.round(1000 * (at - changedAgo))
    return { ...(verdict === 'changed' ? {} : now), verdict, conditional, lie, changedMs }
  }

  /** Whether `look` will find another version of a held page in this response. */
  isChanged(page: number, result: FetchResult): boolean {
    return this.#verdictOf(page, this.#options.held(page), result, printsOf(result)) === 'changed'
  }

  #verdictOf(
    page: number,
    held: HeldPage,
    { status, location }: FetchResult,
    prints: Found['prints'],
  ): PageVerdict | undefined {
    const isConditional = this.#conditional.has(page)
    const found = changeVerdict(held, { status, location, prints, isConditional }, this.#options.rule)
    // A page that was gone and has content again has changed, even with the same content.
    return held.isMissing && found === 'same' ? 'changed' : found
  }

  /** Does the response have the body of the page's version? */
  isSameBody(page: number, result: FetchResult): boolean {
    const { prints } = this.#options.held(page)
    return prints !== undefined && !isOtherBody(prints, printsOf(result))
  }
}

function validatorOf({ etag, lastModified }: FetchResult, before: Validator): Validator {
  return { etag: etag ?? before.etag, lastModified: lastModified ?? before.lastModified }
}
