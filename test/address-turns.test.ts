/** Addresses that several workers share: turns keep the gap whatever happens to workers and messages, freezes apart. */
import { describe, expect, it } from 'vitest'
import { AddressTurns, homeOf, TurnRequests, type TurnAnswer } from '../src/cluster/address-turns.ts'
import { Members } from '../src/cluster/members.ts'
import { seededRandom, type Random } from '../src/lib/random.ts'
import { EventQueue } from '../src/simulation/cluster/event-queue.ts'

const gap = 3
const addresses = [1, 2, 3]
const beatSeconds = 2
const beatMaxSeconds = 10

/** Workers that send a request to each address whenever they get a turn. */
class Sharing {
  readonly queue = new EventQueue()
  readonly random: Random
  readonly keys = new Map<string, number>()
  readonly workers = new Map<string, Sharer>()
  readonly uses: { address: number; worker: string; seconds: number }[] = []
  readonly homes = new Set<string>()
  readonly isHasty: boolean
  #made = 0

  constructor(seed: number, isHasty: boolean) {
    this.random = seededRandom(seed, 3)
    this.isHasty = isHasty
    for (let i = 0; i < 4; i++) this.start()
  }

  start(): void {
    const name = `w${this.#made++}`
    this.workers.set(name, new Sharer(this, name))
    this.queue.at(this.queue.now + 10 + this.random.fraction() * 300, () => {
      this.workers.delete(name)
      this.queue.at(this.queue.now + this.random.fraction() * 60, () => this.start())
    })
  }

  /** Sends a message that arrives after up to a second, twice or not at all. */
  send(run: () => void): void {
    const { random } = this
    if (random.fraction() >= 0.1) this.queue.at(this.queue.now + random.fraction(), run)
    if (random.fraction() < 0.1) this.queue.at(this.queue.now + random.fraction() * 10, run)
  }
}

class Sharer {
  readonly name: string
  readonly #all: Sharing
  readonly #members: Members
  readonly #turns: AddressTurns
  readonly #requests = new TurnRequests()
  #beatAt = -Infinity
  #live = ''

  constructor(all: Sharing, name: string) {
    this.#all = all
    this.name = name
    this.#members = new Members(name)
    this.#turns = new AddressTurns(all.isHasty ? -Infinity : all.queue.now)
    all.queue.at(this.#now, () => this.#beat())
    all.queue.at(this.#now, () => this.#look())
  }

  get #now(): number {
    return this.#all.queue.now
  }

  get #isDead(): boolean {
    return this.#all.workers.get(this.name) !== this
  }

  get #isActive(): boolean {
    return this.#now - this.#beatAt <= beatMaxSeconds
  }

  #isHome(address: number): boolean {
    return homeOf(address, this.#members.live) === this.name
  }

  #beat(): void {
    if (this.#isDead) return
    const { keys, queue } = this.#all
    const reply = (revisions: ReadonlyMap<string, number>): void => {
      if (this.#isDead) return
      const wasActive = this.#isActive
      this.#beatAt = this.#now
      this.#members.beat(revisions)
      const live = this.#members.live.toSorted().join(' ')
      if (!this.#all.isHasty) {
        if (!wasActive) this.#turns.returned(this.#now)
        else if (live !== this.#live)
          this.#turns.membersChanged((address) => this.#isHome(address), this.#now)
      }
      this.#live = live
    }
    // A beat and its response take up to a second together.
    if (this.#all.random.fraction() >= 0.2) {
      queue.at(this.#now + this.#all.random.fraction() / 2, () => {
        if (this.#isDead) return
        keys.set(this.name, (keys.get(this.name) ?? 0) + 1)
        const revisions = new Map(keys)
        queue.at(queue.now + this.#all.random.fraction() / 2, () => reply(revisions))
      })
    }
    queue.at(this.#now + beatSeconds, () => this.#beat())
  }

  #look(): void {
    if (this.#isDead) return
    for (const address of addresses) if (this.#isActive) this.#request(address)
    this.#all.queue.at(this.#now + 0.5, () => this.#look())
  }

  #request(address: number): void {
    if (!this.#requests.send(address, this.#now)) return
    const home = homeOf(address, this.#members.live)!
    const sentAt = this.#now
    const answered = (answer: TurnAnswer | undefined): void => {
      if (this.#isDead || !this.#requests.answered(address, answer, this.#now, sentAt)) return
      if (!this.#isActive) return
      this.#all.homes.add(home)
      this.#all.uses.push({ address, worker: this.name, seconds: this.#now })
    }
    this.#all.send(() => {
      const answer = this.#all.workers.get(home)?.grant(address)
      if (answer !== undefined) this.#all.send(() => answered(answer))
    })
    this.#all.queue.at(this.#now + 3, () => answered(undefined))
  }

  /** Another worker requests a turn. */
  grant(address: number): TurnAnswer | undefined {
    return this.#isActive && this.#isHome(address) ? this.#turns.request(address, gap, this.#now) : undefined
  }
}

function run(seed: number, isHasty = false): { closest: number; uses: number; homes: number } {
  const all = new Sharing(seed, isHasty)
  while (all.queue.now < 1500 && all.queue.step());
  let closest = Infinity
  for (const address of addresses) {
    const times = all.uses.filter((use) => use.address === address).map(({ seconds }) => seconds)
    times.forEach((seconds, i) => i > 0 && (closest = Math.min(closest, seconds - times[i - 1])))
  }
  return { closest, uses: all.uses.length, homes: all.homes.size }
}

const seeds = Array.from({ length: process.env.FULL === '1' ? 1000 : 60 }, (_, i) => i + 1)

describe('turns of an address', () => {
  it('keep its gap while workers die and join and messages are lost, late and repeated', () => {
    let uses = 0
    let homes = 0
    for (const seed of seeds) {
      const result = run(seed)
      expect(result.closest, `seed ${seed}`).toBeGreaterThanOrEqual(gap)
      uses += result.uses
      homes += result.homes
    }
    expect(homes).toBeGreaterThan(4 * seeds.length)
    // A turn takes at least the gap and the time in which it may be used; the rest of the time is lost to faults.
    expect(uses).toBeGreaterThan((seeds.length * addresses.length * 1500) / (gap + 1) / 5)
  })

  it('would not keep it without the time after a change of members', () => {
    expect(seeds.some((seed) => run(seed, true).closest < gap)).toBe(true)
  })
})
