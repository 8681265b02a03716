/** Repeats requests that fail while NATS is in a state that passes by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient, transientSeconds } from './nats-errors.ts'

const pauseMs = 200

/** Repeats what fails with such an error, for `transientSeconds`; then the last error is thrown. */
export async function retried<T>(
  run: () => Promise<T>,
  passes: (error: unknown) => boolean = isTransient,
): Promise<T> {
  const endsAt = performance.now() + 1000 * transientSeconds
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!passes(error) || performance.now() >= endsAt) throw error
      await sleep(pauseMs)
    }
  }
}
