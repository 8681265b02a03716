/** Where facts are kept, in order. The crawl's whole durable record. */
export interface Journal {
  /** Takes a batch of facts (fact.ts). It is durable once `flushed` has settled; batches keep their order. */
  append(facts: Uint8Array): void
  /** Settles when everything appended so far is durable. Rejects where it cannot be made so: the crawl must then stop. */
  flushed(): Promise<void>
  /** All batches from the first on. */
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
