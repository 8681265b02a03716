import { describe, expect, it } from 'vitest'
import { checkClock } from './clock-check.ts'

describe('the clock of a worker', () => {
  const serverMs = 1_800_000_000_000

  it('may differ from that of the servers by a minute, however long a beat takes', () => {
    const beats = [
      ...[-60_000, 0, 60_000].map((offMs) => [offMs, offMs + 1]),
      // Stored at once, acknowledged after an hour; and the other way round.
      [0, 3_600_000],
      [-3_600_000, 0],
    ]
    for (const [sentMs, acknowledgedMs] of beats)
      expect(() => checkClock(serverMs + sentMs, serverMs, serverMs + acknowledgedMs)).not.toThrow()
  })

  it.each([
    ['3600 seconds ahead of', 3_600_000],
    ['61 seconds ahead of', 61_000],
    ['3600 seconds behind', -3_600_000],
  ])('that is %s theirs is refused with what to do', (text, offMs) => {
    expect(() => checkClock(serverMs + offMs, serverMs, serverMs + offMs + 5)).toThrow(
      `The clock of this machine is ${text} that of the NATS servers: set it, for example by NTP, and start the worker again.`,
    )
  })
})
