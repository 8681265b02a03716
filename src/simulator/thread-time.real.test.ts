import { expect, it } from 'vitest'
import { threadCpuSeconds } from './task.ts'

const available = threadCpuSeconds() !== undefined

it.skipIf(!available)('processor time of a thread grows with its work, and not while it waits', async () => {
  const start = threadCpuSeconds()!
  let sum = 0
  let work = 0
  while (threadCpuSeconds()! - start < 0.05) for (let i = 0; i < 1e5; i++, work++) sum += Math.sqrt(i)
  expect(sum).toBeGreaterThan(0)
  expect(work).toBeGreaterThan(0)
  const before = threadCpuSeconds()!
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(threadCpuSeconds()! - before).toBeLessThan(0.1)
})
