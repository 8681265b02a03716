/** Addresses that several workers share: turns keep the gap whatever happens to workers and messages, freezes apart. */
import { describe, expect, it } from 'vitest'
import { homeOf, turnTimingOf, type TurnAnswer } from '../src/cluster/protocol/address-turns.ts'
import { Members } from '../src/cluster/protocol/members.ts'
import { SharedAddresses } from '../src/cluster/protocol/shared-addresses.ts'
import { seededRandom, type Random } from '../src/lib/random.ts'
import { EventQueue } from '../src/simulator/cluster/event-queue.ts'
import { consecutive } from './support/access-log.ts'

const gapSeconds = 0.5
const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::1']
const beatSeconds = 2
const silenceSeconds = 10
const responseSeconds = 1

interface Use {
  readonly site: string
  readonly worker: string
  readonly startMs: number
  endMs: number
}

interface Faults {
  readonly loss: number
  readonly delay: number
  readonly deaths: boolean
  /** A new home does not ask the other members when their turns end. */
  readonly isHasty?: boolean
}

const faulty: Faults = { loss: 0.1, delay: 0.4, deaths: true }
const calm: Faults = { loss: 0, delay: 0.01, deaths: false }

/** Workers that send requests to each address, one at a time, a gap after another, whenever they have the turn. */
class Sharing {
  readonly queue = new EventQueue()
  readonly random: Random
  readonly keys = new Map<string, number>()
  readonly workers = new Map<string, Sharer>()
  readonly uses: Use[] = []
  readonly homes = new Set<string>()
  readonly faults: Faults
  /** While true, no message arrives. */
  isDown = false
  messages = 0
  #made = 0

  constructor(seed: number, faults: Faults, workers: number) {
    this.random = seededRandom(seed, 3)
    this.faults = faults
    for (let i = 0; i < workers; i++) this.start()
  }

  start(): void {
    const name = `w${this.#made++}`
    this.workers.set(name, new Sharer(this, name))
    if (!this.faults.deaths) return
    this.queue.at(this.queue.now + 10 + this.random.fraction() * 300, () => {
      this.workers.get(name)!.die()
      // Some remove their key; others are killed. Some are started again at once.
      const kind = this.random.below(3)
      if (kind > 0) this.keys.delete(name)
      this.queue.at(this.queue.now + (kind === 1 ? 0.01 : this.random.fraction() * 60), () => this.start())
    })
  }

  runUntil(seconds: number): void {
    while (this.queue.now < seconds && this.queue.step());
  }

  /** Sends a message that arrives late, twice or not at all. */
  send(run: () => void): void {
    const { random, faults } = this
    this.messages++
    const arrive = (): void => {
      if (!this.isDown) run()
    }
    if (random.fraction() >= faults.loss)
      this.queue.at(this.queue.now + random.fraction() * faults.delay, arrive)
    if (random.fraction() < faults.loss) this.queue.at(this.queue.now + random.fraction() * 10, arrive)
  }
}

class Sharer {
  readonly name: string
  readonly shared: SharedAddresses
  readonly #all: Sharing
  readonly #members: Members
  isDead = false
  /** When the worker may use each address again: its own gap. */
  readonly #freeAt = new Map<string, number>()

  constructor(all: Sharing, name: string) {
    this.#all = all
    this.name = name
    this.#members = new Members(name, 1)
    this.shared = new SharedAddresses({
      members: this.#members,
      timing: turnTimingOf(gapSeconds, silenceSeconds),
      now: () => all.queue.now,
      port: {
        request: (home, address, isBusy, onAnswer) => {
          all.homes.add(home)
          this.#ask(home, (other) => other.requested(address, name, isBusy), onAnswer)
        },
        join: (member, read, onAnswer) => {
          if (all.faults.isHasty === true) onAnswer({ seconds: 0, waitSeconds: 0 })
          else this.#ask(member, (other) => other.joined(name, read), onAnswer)
        },
      },
    })
    all.queue.at(this.#now, () => this.#beat())
    for (const address of addresses) all.queue.at(this.#now, () => this.#look(address))
    all.queue.at(this.#now, () => this.#tick())
  }

  get #now(): number {
    return this.#all.queue.now
  }

  /** Its requests end with it. */
  die(): void {
    this.isDead = true
    this.#all.workers.delete(this.name)
    for (const use of this.#all.uses)
      if (use.worker === this.name) use.endMs = Math.min(use.endMs, 1000 * this.#now)
  }

  #ask(
    worker: string,
    run: (other: SharedAddresses) => TurnAnswer,
    onAnswer: (answer: TurnAnswer | undefined) => void,
  ): void {
    let isAnswered = false
    const reply = (answer: TurnAnswer | undefined): void => {
      if (isAnswered || this.isDead) return
      isAnswered = true
      onAnswer(answer)
    }
    this.#all.send(() => {
      const other = this.#all.workers.get(worker)
      if (other === undefined) return
      const answer = run(other.shared)
      this.#all.send(() => reply(answer))
    })
    this.#all.queue.at(this.#now + responseSeconds, () => reply(undefined))
  }

  #beat(): void {
    if (this.isDead) return
    const { keys, queue, random, faults } = this.#all
    const sentAt = this.#now
    const isLost = random.fraction() < 2 * faults.loss || this.#all.isDown
    // A beat and its response take up to a second together.
    queue.at(this.#now + random.fraction() / 2, () => {
      if (this.isDead || isLost) return
      keys.set(this.name, (keys.get(this.name) ?? 0) + 1)
      const revisions = new Map(keys)
      queue.at(queue.now + random.fraction() / 2, () => {
        if (this.isDead) return
        this.#members.beat(revisions)
        this.shared.beat(sentAt, [...revisions.keys()])
      })
    })
    queue.at(this.#now + beatSeconds, () => this.#beat())
  }

  #tick(): void {
    if (this.isDead) return
    this.shared.tick()
    this.#all.queue.at(this.#now + 0.5, () => this.#tick())
  }

  #look(address: string): void {
    if (this.isDead) return
    const again = (seconds: number): void =>
      void this.#all.queue.at(this.#now + Math.max(seconds, 0.01), () => this.#look(address))
    const restSeconds = (this.#freeAt.get(address) ?? 0) - this.#now
    const waitSeconds = restSeconds > 0 ? restSeconds : this.shared.waitFor(address)
    if (waitSeconds > 0) return again(waitSeconds)
    this.shared.began(address)
    const took = this.#all.random.fraction() ** 4 * 5
    const startMs = 1000 * this.#now
    this.#all.uses.push({ site: address, worker: this.name, startMs, endMs: startMs + 1000 * took })
    this.#all.queue.at(this.#now + took, () => {
      if (this.isDead) return
      this.shared.ended(address)
      this.#freeAt.set(address, this.#now + gapSeconds)
      // Sometimes a worker has no page for an address for a while.
      again(this.#all.random.fraction() < 0.02 ? 60 : gapSeconds)
    })
  }
}

function closestMs(all: Sharing): number {
  return Math.min(...consecutive(all.uses).map(({ previous, next }) => next.startMs - previous.startMs))
}

/** From the end of a request to the start of the next one; below 0 if they overlap. */
function closestAfterEndMs(all: Sharing): number {
  return Math.min(...consecutive(all.uses).map(({ gapMs }) => gapMs))
}

const seeds = Array.from({ length: process.env.FULL === '1' ? 200 : 15 }, (_, i) => i + 1)
/** Sums of times in seconds. */
const toleranceMs = 1e-6

describe('turns of an address', () => {
  it('keep its gap while workers die and join and messages are lost, late and repeated', () => {
    let uses = 0
    let homes = 0
    let changes = 0
    for (const seed of seeds) {
      const all = new Sharing(seed, faulty, 4)
      all.runUntil(1500)
      expect(closestMs(all), `seed ${seed}`).toBeGreaterThanOrEqual(1000 * gapSeconds - toleranceMs)
      uses += all.uses.length
      homes += all.homes.size
      changes += consecutive(all.uses).filter(({ previous, next }) => previous.worker !== next.worker).length
    }
    expect(homes).toBeGreaterThan(4 * seeds.length)
    expect(changes).toBeGreaterThan(100 * seeds.length)
    expect(uses).toBeGreaterThan(1000 * seeds.length)
  })

  it('would not keep it without the time after a worker has joined', () => {
    const isBroken = seeds.some((seed) => {
      const all = new Sharing(seed, { ...faulty, isHasty: true }, 4)
      all.runUntil(1500)
      return closestMs(all) < 1000 * gapSeconds - toleranceMs
    })
    expect(isBroken).toBe(true)
  })

  it('do not overlap while requests take longer than a turn, and every worker gets some', () => {
    const all = new Sharing(1, calm, 3)
    all.runUntil(600)
    expect(closestAfterEndMs(all)).toBeGreaterThanOrEqual(1000 * gapSeconds - toleranceMs)
    for (const address of addresses) {
      const counts = [...all.workers.keys()].map(
        (name) => all.uses.filter(({ site, worker }) => site === address && worker === name).length,
      )
      expect(Math.min(...counts), `${address}: ${counts.join()}`).toBeGreaterThan(Math.max(...counts) / 3)
    }
  })

  it('begin at once where no turn of another home can be open', () => {
    const all = new Sharing(1, calm, 3)
    all.runUntil(5)
    expect(new Set(all.uses.map(({ site }) => site)).size).toBe(addresses.length)
  })

  it('of a worker that is alone need no messages', () => {
    const all = new Sharing(1, calm, 1)
    all.runUntil(60)
    expect(all.messages).toBe(0)
    expect(all.uses.length).toBeGreaterThan(10)
  })

  it('are not used while messages and beats are lost, and are again afterwards', () => {
    const all = new Sharing(1, calm, 3)
    all.runUntil(60)
    all.isDown = true
    all.runUntil(60 + silenceSeconds + 1)
    const before = all.uses.length
    all.runUntil(200)
    expect(all.uses).toHaveLength(before)
    all.isDown = false
    all.runUntil(300)
    expect(all.uses.length).toBeGreaterThan(before + 50)
    expect(closestMs(all)).toBeGreaterThanOrEqual(1000 * gapSeconds - toleranceMs)
  })

  it('of the addresses of a home that dies are granted by the next one', () => {
    const all = new Sharing(1, calm, 3)
    all.runUntil(60)
    const [address] = addresses
    const home = homeOf(address, all.workers.keys())!
    all.workers.get(home)!.die()
    const before = all.uses.filter(({ site }) => site === address).length
    all.runUntil(120)
    expect(all.uses.filter(({ site }) => site === address).length).toBeGreaterThan(before + 10)
    expect(closestMs(all)).toBeGreaterThanOrEqual(1000 * gapSeconds - toleranceMs)
  })
})
