/** One thing for all users with the same key: it is opened for the first user and closed after the last one. */
export class SharedUse<T> {
  readonly #close: (value: T) => Promise<void>
  readonly #entries = new Map<string, { readonly opened: Promise<T>; users: number }>()

  constructor(close: (value: T) => Promise<void>) {
    this.#close = close
  }

  /** `leave` must follow, once. Rejects if it cannot be opened. */
  async use(
    key: string,
    open: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly leave: () => Promise<void> }> {
    const entry = this.#entries.get(key) ?? { opened: open(), users: 0 }
    this.#entries.set(key, entry)
    entry.users++
    const isLast = (): boolean => --entry.users === 0 && this.#entries.delete(key)
    const value = await entry.opened.catch((error: unknown) => {
      isLast()
      throw error
    })
    return { value, leave: async () => (isLast() ? this.#close(value) : undefined) }
  }
}
