/**
 * The page table of the virtual world: nodes of a stored graph, numbered in discovery order, and sites
 * likewise. The engine sees only these numbers, as in a real crawl.
 */
const unknown = 0xffff_ffff

export class VirtualPageTable {
  readonly #pageOfNode: Uint32Array
  readonly #nodeOfPage: Uint32Array
  readonly #siteOfNode: Uint32Array
  readonly #siteNumbers: Uint32Array
  #sites = 0
  known = 0

  constructor(nodes: number, siteOfNode: Uint32Array, siteCount: number) {
    this.#pageOfNode = new Uint32Array(nodes).fill(unknown)
    this.#nodeOfPage = new Uint32Array(nodes)
    this.#siteOfNode = siteOfNode
    this.#siteNumbers = new Uint32Array(siteCount).fill(unknown)
  }

  /** The page number of a node; a node never seen before becomes the next page. */
  pageOf(node: number): number {
    const page = this.#pageOfNode[node]
    if (page !== unknown) return page
    this.#nodeOfPage[this.known] = node
    return (this.#pageOfNode[node] = this.known++)
  }

  isKnown(node: number): boolean {
    return this.#pageOfNode[node] !== unknown
  }

  nodeOf(page: number): number {
    return this.#nodeOfPage[page]
  }

  /** The site of a page, numbered as sites are found. */
  siteOf(page: number): number {
    const site = this.#siteOfNode[this.#nodeOfPage[page]]
    if (this.#siteNumbers[site] === unknown) this.#siteNumbers[site] = this.#sites++
    return this.#siteNumbers[site]
  }

  /** The site of a page, by its number in the stored web. */
  webSiteOf(page: number): number {
    return this.#siteOfNode[this.#nodeOfPage[page]]
  }

  /** The number of nodes of each site of the stored web, reachable or not. */
  siteSizes(): Uint32Array {
    const sizes = new Uint32Array(this.#siteNumbers.length)
    for (const site of this.#siteOfNode) sizes[site]++
    return sizes
  }

  get byteLength(): number {
    return this.#pageOfNode.byteLength + this.#nodeOfPage.byteLength + this.#siteNumbers.byteLength
  }
}
