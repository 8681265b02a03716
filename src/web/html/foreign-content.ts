/**
 * Tracks SVG and MathML content. There `<title>`, `<style>` and `<script>` contain markup instead of text,
 * CDATA sections exist, and a tag such as `<p>` ends the content. The stack has the elements from the
 * outermost svg or math inwards, each with the language of its content: foreignObject and the like contain
 * HTML again.
 *
 *   <svg> <g> <foreignObject> <p>        the HTML inside is not on the stack
 *   svg   svg html
 *
 * The standard's tree tracks the open HTML elements. Here, an HTML end tag inside SVG is assumed to close an
 * element outside (of an svg that was never closed).
 */
const inHtml = 0
const inSvg = 1
const inMath = 2

const htmlInSvg = new Set(['foreignobject', 'desc', 'title'])
const htmlInMath = new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml'])

/** HTML tags that end SVG and MathML. */
const breakouts = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
    'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

/** End tags that must belong to an element outside. */
const outside = new Set([
  ...breakouts,
  ...(
    'a article aside body button caption details dialog fieldset figure font footer form header html label main nav ' +
    'section summary tbody td template th thead tr'
  ).split(' '),
])

/** Deeper elements are not tracked, to keep searches of the stack short. */
const depthMax = 256

export class ForeignContent {
  /** False for all of most pages: then this class is not used. */
  active = false
  readonly #names: string[] = []
  readonly #languages: number[] = []

  /** Whether tags are currently read as SVG or MathML, not as HTML. */
  get foreign(): boolean {
    return this.active && this.#languages.at(-1) !== inHtml
  }

  clear(): void {
    if (this.active) this.#cutTo(0)
  }

  /** Processes a start tag; returns whether it is to be read as HTML. */
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

  /** `openOutside`: whether an HTML element of this name is open, as far as known. */
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

  /** Returns to the nearest HTML. */
  #leave(): void {
    while (this.foreign) this.#cutTo(this.#names.length - 1)
  }

  #cutTo(depth: number): void {
    this.#names.length = this.#languages.length = depth
    this.active = depth > 0
  }
}
