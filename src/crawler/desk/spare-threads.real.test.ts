import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { giveBackThread, startThreads, takeThread } from './spare-threads.ts'

const taken = new Set<Worker>()
function take(): Worker {
  const worker = takeThread()
  taken.add(worker)
  return worker
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([...taken].map((worker) => worker.terminate()))
  taken.clear()
})

it('a thread is kept for five seconds after each crawl, and ends', async () => {
  const worker = take()
  for (let crawls = 0; crawls < 3; crawls++) {
    giveBackThread(worker)
    vi.advanceTimersByTime(4999)
    expect(take()).toBe(worker)
  }
  giveBackThread(worker)
  const ended = once(worker, 'exit')
  vi.advanceTimersByTime(5000)
  await ended
  expect(take()).not.toBe(worker)
})

it.each([
  ['an error', (worker: Worker) => worker.postMessage({ kind: 'start' })],
  ['no error', (worker: Worker) => void worker.terminate()],
])('a spare thread that ends with %s serves no crawl', async (_, end) => {
  const worker = take()
  giveBackThread(worker)
  const ended = new Promise((resolve) => void worker.once('exit', resolve))
  end(worker)
  await ended
  expect(take()).not.toBe(worker)
})

it('threads are started only as far as there are no spare ones, and each serves one crawl at a time', () => {
  const worker = take()
  giveBackThread(worker)
  startThreads(2)
  const both = [take(), take()]
  expect(both[0]).toBe(worker)
  expect(new Set([...both, take()]).size).toBe(3)
})
