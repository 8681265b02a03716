/**
 * Memory for arrays that grow with the number of pages.
 *
 * Large memory is reserved in pieces that the C library maps one by one: unused parts take no physical memory, and
 * freed pieces return to the system. Smaller pieces would come from its heap, where the space between them
 * stays occupied; this made up a third of the memory of a crawl.
 *
 * Memory that a table has outgrown is freed at once. The garbage collector would leave it for minutes, since it
 * is not part of the heap that makes it run. A freed array has length 0 from then on. Memory that a saved state
 * refers to is *lent*, and freed only when it has been returned.
 */

/** Memory below this size is left to the garbage collector. */
const freedMin = 1 << 20
/** Larger memory is mapped. */
const heapMax = 4 << 20
/** The C library (glibc) may take up to 32 MiB from its heap, and always maps more than that. */
const mappedMin = 33 << 20

/** Zeroed memory for an array of so many bytes; it may be larger, if the system grants that. */
export function newMemory(bytes: number): ArrayBuffer {
  if (bytes <= heapMax || bytes >= mappedMin) return new ArrayBuffer(bytes)
  try {
    return new ArrayBuffer(mappedMin)
  } catch {
    return new ArrayBuffer(bytes)
  }
}

interface Loans {
  count: number
  /** Freed by its owner in the meantime. */
  isFreed: boolean
}

const loans = new WeakMap<ArrayBufferLike, Loans>()

/** Frees the memory of an array that nothing else uses. */
export function freeMemory({ buffer }: ArrayBufferView): void {
  if (buffer.byteLength < freedMin || !(buffer instanceof ArrayBuffer)) return
  const loan = loans.get(buffer)
  if (loan === undefined) free(buffer)
  else loan.isFreed = true
}

/** Keeps the memory of this array until it is returned. */
export function lendMemory({ buffer }: ArrayBufferView): void {
  const loan = loans.get(buffer)
  if (loan === undefined) loans.set(buffer, { count: 1, isFreed: false })
  else loan.count++
}

export function returnMemory({ buffer }: ArrayBufferView): void {
  const loan = loans.get(buffer)
  if (loan === undefined || --loan.count > 0) return
  loans.delete(buffer)
  if (loan.isFreed && buffer instanceof ArrayBuffer) free(buffer)
}

/** Memory sent to a closed port is freed. (`ArrayBuffer.prototype.transfer` does the same from Node 22 on.) */
function free(buffer: ArrayBuffer): void {
  const { port1 } = new MessageChannel()
  port1.close()
  port1.postMessage(undefined, [buffer])
}
