/** Runs something for all items, so many of them at a time. Rejects at the first failure, after those that have begun. */
export async function someAtOnce<T>(
  count: number,
  items: Iterable<T>,
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let failure: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true && failure === undefined; next = rest.next())
      await run(next.value).catch((error: unknown) => (failure ??= { error }))
  }
  await Promise.all(Array.from({ length: count }, lane))
  if (failure !== undefined) throw failure.error
}

/**
 * Streams that are created at a time. With three replicas each waits for an election: 64 take 5 s instead of 31, and 9 if 32 are created at
 * a time.
 */
export const streamsAtOnce = 8
