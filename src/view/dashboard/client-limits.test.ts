import { describe, expect, it } from 'vitest'
import { ClientLimits, type Client, type Refusal } from './client-limits.ts'

const limits = { ofAll: 10, ofOne: 3, ofUnknown: 7 }

const client = (address: string, isKnown = false): Client => ({ address, isKnown })

/** Takes as many as there are; returns how many, and why there are no more. */
function takeAll(places: ClientLimits, of: Client): [taken: number, because: Refusal] {
  for (let taken = 0; ; taken++) {
    const place = places.take(of)
    if (typeof place === 'string') return [taken, place]
  }
}

describe('what all clients share', () => {
  it('cannot be taken by one of them', () => {
    const places = new ClientLimits(limits)
    expect(takeAll(places, client('127.0.0.1'))).toEqual([3, 'one'])
    expect(takeAll(places, client('::ffff:127.0.0.1'))).toEqual([0, 'one'])
    expect(takeAll(places, client('127.0.0.2'))).toEqual([3, 'one'])
  })

  it('cannot be taken by all without the token, whatever their addresses', () => {
    const places = new ClientLimits(limits)
    for (let i = 1; i < 20; i++) takeAll(places, client(`127.0.0.${i}`))
    expect(takeAll(places, client('127.0.0.99'))).toEqual([0, 'all'])
    expect(takeAll(places, client('127.0.0.1', true))).toEqual([3, 'one'])
    expect(takeAll(places, client('127.0.0.2', true))).toEqual([0, 'all'])
  })

  it('counts the addresses of an IPv6 network as one client', () => {
    const places = new ClientLimits(limits)
    expect(takeAll(places, client('2001:db8:0:7::1'))).toEqual([3, 'one'])
    expect(takeAll(places, client('2001:db8:0:7:8:9:a:b'))).toEqual([0, 'one'])
    expect(takeAll(places, client('2001:db8:0:8::1'))).toEqual([3, 'one'])
    expect(takeAll(places, client('::1'))).toEqual([1, 'all'])
  })

  it('is free again once it is given back, and only once', () => {
    const places = new ClientLimits(limits)
    const free = places.take(client('127.0.0.1')) as () => void
    takeAll(places, client('127.0.0.1'))
    free()
    free()
    expect(takeAll(places, client('127.0.0.1'))).toEqual([1, 'one'])
  })
})
