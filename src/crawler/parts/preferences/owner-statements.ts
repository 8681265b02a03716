/** What owners say about pages of a crawl: in the recorded files of their sites, parsed once for each, and in the pages themselves. */
import { Licence } from '../../../web/preferences/licence.ts'
import { Reservations } from '../../../web/preferences/reservations.ts'
import {
  parseRobotsPreferences,
  type RobotsPreferences,
} from '../../../web/preferences/robots-preferences.ts'
import { robotsOfStatus } from '../../../web/robots/robots-answer.ts'
import { robotsBytes, type RobotsRecord } from '../../desk/robots-cache.ts'
import { originOf } from '../../desk/site-access.ts'

/** The part of a page's record that it needs. */
export interface StatedPage {
  readonly preferences?: readonly string[] | undefined
}

interface OwnerStatementsOptions {
  /** A recorded file: robots.txt by its origin, others by their names (`reservationsOf`, `licenceOf`). */
  readonly file: (name: string) => RobotsRecord | undefined
  readonly userAgent: string
  /** After this time the files are read again: a running crawl may have newer ones. Default: never. */
  readonly heldSeconds?: number
  readonly now?: () => number
}

interface Site {
  readonly robots: RobotsPreferences
  readonly reservations: Reservations | undefined
  readonly licence: Licence | undefined
  readonly readAt: number
}

const sitesMax = 5000
const none: readonly string[] = []

/** The names in the record of the files that a crawl with a purpose requests. */
export const reservationsOf = (origin: string): string => `${origin}/.well-known/tdmrep.json`
export const licenceOf = (origin: string): string => `${origin} RSL`

export class OwnerStatements {
  readonly #options: OwnerStatementsOptions
  readonly #sites = new Map<string, Site>()

  constructor(options: OwnerStatementsOptions) {
    this.#options = options
  }

  /** All statements about a page; `page` is undefined if it was not fetched. */
  of(url: string, page: StatedPage | undefined): readonly string[] {
    const ofSite = this.ofSite(url)
    const own = page?.preferences ?? none
    return own.length === 0 ? ofSite : [...own, ...ofSite]
  }

  /** Those that were made before it was fetched. */
  ofSite(url: string): readonly string[] {
    const origin = originOf(url)
    const { robots, reservations, licence } = this.#site(origin)
    if (robots.isSilent && reservations === undefined) return none
    const path = url.slice(origin.length)
    return [
      ...robots.statementsOf(path),
      ...(reservations?.statementsOf(path) ?? none),
      ...(licence?.statementsOf(path) ?? none),
    ]
  }

  /** The licences that robots.txt names. */
  licencesOf(origin: string): readonly string[] {
    return this.#site(origin).robots.licences
  }

  /** A file of this origin has been recorded. */
  forget(origin: string): void {
    this.#sites.delete(origin)
  }

  #site(origin: string): Site {
    const { heldSeconds = Infinity, now = () => 0 } = this.#options
    const held = this.#sites.get(origin)
    if (held !== undefined && now() - held.readAt < heldSeconds) return held
    if (this.#sites.size >= sitesMax) this.#sites.delete(this.#sites.keys().next().value!)
    const site = this.#read(origin, now())
    this.#sites.set(origin, site)
    return site
  }

  #read(origin: string, readAt: number): Site {
    const robots = this.#file(origin)
    const reservations = this.#file(reservationsOf(origin))
    const licence = this.#file(licenceOf(origin))
    return {
      robots: parseRobotsPreferences(robots ?? '', this.#options.userAgent),
      reservations: reservations && new Reservations(textOf(reservations)),
      licence: licence && new Licence(textOf(licence), origin),
      readAt,
    }
  }

  /** Undefined if there is none. */
  #file(name: string): Uint8Array | undefined {
    const record = this.#options.file(name)
    return record !== undefined && robotsOfStatus(record.status) === 'parse' ? robotsBytes(record) : undefined
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
