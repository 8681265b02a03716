import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { IdleRobots } from './timed-world.ts'
import { RobotQueue } from './robot-queue.ts'

const robots = 40

describe('a queue of robots', () => {
  it('gives what a sorted list gives, whatever comes, goes and is lowered', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), robot: fc.nat(robots - 1), key: fc.nat(9) }),
      fc.record({ kind: fc.constant('delete' as const), robot: fc.nat(robots - 1) }),
      fc.record({ kind: fc.constant('take' as const) }),
      fc.record({ kind: fc.constant('lower' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new RobotQueue(robots)
        let list: { robot: number; key: number }[] = []
        for (const what of steps) {
          if (what.kind === 'add') {
            if (queue.has(what.robot)) continue
            queue.add(what.robot, what.key)
            list.push(what)
          } else if (what.kind === 'delete') {
            if (!queue.has(what.robot)) continue
            queue.delete(what.robot)
            list = list.filter(({ robot }) => robot !== what.robot)
          } else if (what.kind === 'lower') {
            // So much that keys up to 9 become equal.
            queue.lower(2 ** 60)
            list = list.map(({ robot, key }) => ({ robot, key: key - 2 ** 60 }))
          } else if (list.length > 0) expect(queue.take()).toBe(list.shift()?.robot)
          list.sort((a, b) => a.key - b.key || a.robot - b.robot)
          expect(queue.length).toBe(list.length)
          expect(queue.first()).toBe(list[0]?.robot ?? -1)
          expect(queue.firstKey()).toBe(list[0]?.key ?? Infinity)
        }
      }),
      seeded(500),
    )
  })
})

describe('idle robots', () => {
  it('come lowest number first', () => {
    const idle = new IdleRobots(70)
    expect(Array.from({ length: 70 }, () => idle.take())).toEqual(
      Array.from({ length: 70 }, (_, robot) => robot),
    )
    for (const robot of [69, 31, 32, 5]) idle.add(robot)
    expect([idle.take(), idle.take()]).toEqual([5, 31])
    idle.add(0)
    expect([idle.take(), idle.take(), idle.take()]).toEqual([0, 32, 69])
    expect(() => idle.take()).toThrow('more connections are asked for than there are robots')
  })
})
