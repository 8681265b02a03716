/**
 * The URLs that a style sheet loads: `url()`, `src()`, the strings of `@import` and of `image-set()`. Tokens are read by CSS Syntax
 * Level 3, so that text in comments and strings is no URL. One pass, linear in the length of the text.
 */
interface CssUrls {
  /** As written, with escapes decoded. */
  readonly urls: readonly string[]
  /** Whether there are more than `max`. */
  readonly isCut: boolean
}

const urlFunctions = new Set(['url', 'src'])
const imageSets = new Set(['image-set', '-webkit-image-set'])
const nameChar = /[\w\\-]|[^\0-\x7f]/u
const white = /\s/u
const bareRun = /[^)\\]+/y
const doubleRun = /[^"\\\n]+/y
const singleRun = /[^'\\\n]+/y

export function cssUrls(css: string, max = Infinity): CssUrls {
  const reader = new CssReader(css, max)
  reader.read()
  return { urls: reader.urls, isCut: reader.urls.length >= max && !reader.isAtEnd }
}

class CssReader {
  readonly #css: string
  readonly #max: number
  #at = 0
  /** Open parentheses: whether strings directly inside are URLs. */
  readonly #open: boolean[] = []
  /** The next string is the URL of an `@import`. */
  #isImport = false
  readonly urls: string[] = []

  constructor(css: string, max: number) {
    this.#css = css
    this.#max = max
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#css.length
  }

  read(): void {
    while (!this.isAtEnd && this.urls.length < this.#max) this.#token()
  }

  #token(): void {
    const css = this.#css
    const char = css[this.#at]
    if (char === '/' && css[this.#at + 1] === '*') this.#at = after(css, '*/', this.#at + 2)
    else if (char === '"' || char === "'") this.#text()
    else if (char === '@') this.#atRule()
    else if (nameChar.test(char)) this.#name()
    else {
      if (char === '(') this.#open.push(false)
      else if (char === ')') this.#open.pop()
      else if (char === ';' || char === '{' || char === '}') {
        this.#isImport = false
        this.#open.length = 0
      }
      this.#at++
    }
  }

  #text(): void {
    const isUrl = this.#isImport || this.#open.at(-1) === true
    const value = this.#string()
    if (isUrl) this.#add(value)
  }

  #add(url: string): void {
    this.#isImport = false
    this.urls.push(url)
  }

  #atRule(): void {
    this.#at++
    const name = this.#ident()
    this.#isImport = name === 'import'
    // The URL of a namespace is a name, and is not loaded.
    if (name === 'namespace') this.#at = after(this.#css, ';', this.#at)
  }

  #name(): void {
    const name = this.#ident()
    if (this.#css[this.#at] !== '(') return
    this.#at++
    if (urlFunctions.has(name)) this.#url()
    else this.#open.push(imageSets.has(name))
  }

  /** After `url(`. */
  #url(): void {
    const css = this.#css
    while (!this.isAtEnd && white.test(css[this.#at])) this.#at++
    const quote = css[this.#at]
    if (quote === '"' || quote === "'") {
      const value = this.#string()
      this.#at = after(css, ')', this.#at)
      this.#add(value)
      return
    }
    let value = ''
    let isBad = false
    while (!this.isAtEnd && css[this.#at] !== ')') {
      const char = css[this.#at]
      if (char === '\\') value += this.#escape()
      else {
        const run = this.#run(bareRun)
        isBad ||= /["'(]/.test(run)
        value += run
      }
    }
    this.#at++
    if (!isBad) this.#add(value.trim())
  }

  /** A quoted string; a line end that is not escaped ends it. */
  #string(): string {
    const css = this.#css
    const quote = css[this.#at++]
    let value = ''
    while (!this.isAtEnd) {
      const char = css[this.#at]
      if (char === quote) {
        this.#at++
        break
      }
      if (char === '\n') break
      value += char === '\\' ? this.#escape() : this.#run(quote === '"' ? doubleRun : singleRun)
    }
    return value
  }

  /** Reads what the pattern matches here, of at least one character: a `data:` URL may have megabytes. */
  #run(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [run] = pattern.exec(this.#css)!
    this.#at += run.length
    return run
  }

  /** A name in lower case. */
  #ident(): string {
    let name = ''
    while (!this.isAtEnd && nameChar.test(this.#css[this.#at])) {
      if (this.#css[this.#at] === '\\') name += this.#escape()
      else name += this.#css[this.#at++]
    }
    return name.toLowerCase()
  }

  #escape(): string {
    const match = /^\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(\r\n|[^]))?/iu.exec(
      this.#css.slice(this.#at, this.#at + 9),
    )
    const [whole, hex, char = ''] = match ?? ['\\']
    this.#at += whole.length
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16)
      return code === 0 || code > 0x10_ffff ? '\uFFFD' : String.fromCodePoint(code)
    }
    // An escaped line end continues a string.
    return /^\r?\n$/.test(char) ? '' : char
  }
}

/** The position after the next `end`. */
function after(css: string, end: string, from: number): number {
  const at = css.indexOf(end, from)
  return at === -1 ? css.length : at + end.length
}
