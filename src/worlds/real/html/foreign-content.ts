/**
 * Where the page is inside SVG or MathML. There `<title>`, `<style>` and `<script>` hold markup instead of text, CDATA
 * sections exist, and a tag such as `<p>` ends it all. The stack has the elements from the outermost svg or math
 * inwards, each with the language of what it holds: foreignObject and the like hold HTML again.
 *
 *   <svg> <g> <foreignObject> <p>        the HTML inside is not on the stack
 *   svg   svg html
 *
 * The tree of the standard knows which HTML elements are open; here an HTML end tag inside SVG is taken to close one
 * outside (an svg that was never closed), not to be a stray.
 */
const inHtml = 0
const inSvg = 1
const inMath = 2

const htmlInSvg = new Set(['foreignobject', 'desc', 'title'])
const htmlInMath = new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml'])

/** HTML's own tags end SVG and MathML when they stand in it. */
const breakouts = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
    'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

/** End tags that must mean an element outside. */
const outside = new Set([
  ...breakouts,
  ...(
    'a article aside body button caption details dialog fieldset figure font footer form header html label main nav ' +
    'section summary tbody td template th thead tr'
  ).split(' '),
])

/** Deeper elements are not kept, so that a search of the stack stays short on any page. */
const depthMax = 256

export class ForeignContent {
  /** False on most pages from end to end: then nothing here is asked anything. */
  active = false
  readonly #names: string[] = []
  readonly #languages: number[] = []

  /** Are tags read as SVG or MathML here, not as HTML? */
  get foreign(): boolean {
    return this.active && this.#languages.at(-1) !== inHtml
  }

  clear(): void {
    if (this.active) this.#cutTo(0)
  }

  /** Takes note of a start tag; says whether it is to be read as HTML. */
  open(name: string, selfClosing: boolean): boolean {
    if (this.foreign && breakouts.has(name)) this.#leave()
    const language = this.#languages.at(-1) ?? inHtml
    if (selfClosing || this.#names.length === depthMax) return language === inHtml
    if (language === inHtml) {
      if (name === 'svg') this.#push(name, inSvg)
      else if (name === 'math') this.#push(name, inMath)
      return true
    }
    const holdsHtml = (language === inSvg ? htmlInSvg : htmlInMath).has(name)
    this.#push(name, holdsHtml ? inHtml : language)
    return false
  }

  /** `openOutside`: is an HTML element of this name open, as far as is known? */
  close(name: string, openOutside: boolean): void {
    if (this.foreign && (name === 'p' || name === 'br')) return this.#leave()
    const at = this.#names.lastIndexOf(name)
    if (at !== -1) this.#cutTo(at)
    else if (openOutside && this.foreign && outside.has(name)) this.#leave()
  }

  #push(name: string, language: number): void {
    this.#names.push(name)
    this.#languages.push(language)
    this.active = true
  }

  /** Out to the nearest HTML. */
  #leave(): void {
    while (this.foreign) this.#cutTo(this.#names.length - 1)
  }

  #cutTo(depth: number): void {
    this.#names.length = this.#languages.length = depth
    this.active = depth > 0
  }
}
