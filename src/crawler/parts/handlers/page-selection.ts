/** Elements of a page by CSS selector: css-select on the document that htmlparser2 reads. */
import { selectAll } from 'css-select'
import type { AnyNode, Element } from 'domhandler'
import { getInnerHTML } from 'domutils'
import { parseDocument } from 'htmlparser2'
import type { PageSelection } from '../../../engine/user-code/page-handler.ts'
import { visibleLines } from './visible-nodes.ts'

/** A function that finds elements. The document is parsed on the first call. */
export function selectorOf(html: () => string): (selector: string) => PageSelection {
  let document: AnyNode | undefined
  return (selector) => {
    document ??= parseDocument(html())
    return new Selection(selectAll<AnyNode, Element>(selector, document))
  }
}

class Selection implements PageSelection {
  readonly #elements: readonly Element[]

  constructor(elements: readonly Element[]) {
    this.#elements = elements
  }

  get length(): number {
    return this.#elements.length
  }

  text(): string {
    return visibleLines(this.#elements)
  }

  attr(name: string): string | undefined {
    return this.#elements[0]?.attribs[name.toLowerCase()]
  }

  html(): string {
    return this.#elements.length === 0 ? '' : getInnerHTML(this.#elements[0])
  }

  first(): PageSelection {
    return new Selection(this.#elements.slice(0, 1))
  }

  find(selector: string): PageSelection {
    // An element is not within itself.
    const within = this.#elements.flatMap(({ children }) => children)
    return new Selection([...new Set(selectAll<AnyNode, Element>(selector, within))])
  }

  map<Result>(each: (element: PageSelection, index: number) => Result): Result[] {
    return this.#elements.map((element, index) => each(new Selection([element]), index))
  }

  *[Symbol.iterator](): Iterator<PageSelection> {
    for (const element of this.#elements) yield new Selection([element])
  }
}
