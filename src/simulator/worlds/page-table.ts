/**
 * The page table of the virtual world: nodes of a stored graph, numbered in discovery order, and sites
 * likewise. The engine sees only these numbers, as in a real crawl.
 */
import type { LinkNumbers } from '../../webgraph/closed-part.ts'

const unknown = 0xffff_ffff

export class VirtualPageTable {
  /** By the number that links have for a node. */
  readonly #pageOfTarget: Uint32Array
  readonly #nodeOfPage: Uint32Array
  readonly #siteOfNode: Uint32Array
  readonly #siteNumbers: Uint32Array
  #sites = 0
  /** Undefined if links have the numbers of nodes. */
  readonly linkNumbers: LinkNumbers | undefined
  known = 0

  constructor(nodes: number, siteOfNode: Uint32Array, siteCount: number, linkNumbers?: LinkNumbers) {
    this.linkNumbers = linkNumbers
    this.#pageOfTarget = new Uint32Array(linkNumbers?.numbers.length ?? nodes).fill(unknown)
    this.#nodeOfPage = new Uint32Array(nodes)
    this.#siteOfNode = siteOfNode
    this.#siteNumbers = new Uint32Array(siteCount).fill(unknown)
  }

  /** The page number of a node; a node never seen before becomes the next page. */
  pageOf(node: number): number {
    return this.#pageOf(this.#targetOf(node))
  }

  /** Replaces the targets of links by page numbers. Nodes never seen before become the next pages, in this order. */
  pagesOf(targets: Uint32Array, start: number, count: number, pages: Uint32Array): void {
    const pageOfTarget = this.#pageOfTarget
    // Separate loops: while one number is read from memory, the next ones are already requested. With the branch in the
    // same loop, a third of the time of a crawl was spent here.
    for (let i = 0; i < count; i++) pages[i] = pageOfTarget[targets[start + i]]
    for (let i = 0; i < count; i++) if (pages[i] === unknown) pages[i] = this.#pageOf(targets[start + i])
  }

  #targetOf(node: number): number {
    return this.linkNumbers === undefined ? node : this.linkNumbers.members[node]
  }

  #pageOf(target: number): number {
    const page = this.#pageOfTarget[target]
    if (page !== unknown) return page
    this.#nodeOfPage[this.known] = this.linkNumbers === undefined ? target : this.linkNumbers.numbers[target]
    return (this.#pageOfTarget[target] = this.known++)
  }

  isKnown(node: number): boolean {
    return this.#pageOfTarget[this.#targetOf(node)] !== unknown
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
    return this.#pageOfTarget.byteLength + this.#nodeOfPage.byteLength + this.#siteNumbers.byteLength
  }
}
