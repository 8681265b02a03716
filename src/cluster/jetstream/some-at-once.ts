/** Runs something for all items, so many of them at a time. Rejects at the first failure, after those that have begun. */
export async function someAtOnce<T>(
  count: number,
  items: Iterable<T>,
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next())
      await run(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: count }, lane))
  if (failures.length > 0) throw failures[0]
}

/**
 * Streams that are created at a time. With three replicas each waits for an election: 64 take 5 s instead of 31, and 9 if 32 are created at
 * a time.
 */
export const streamsAtOnce = 8
