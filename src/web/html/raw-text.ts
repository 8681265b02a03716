/**
 * Finds the ends of ranges in which a `<` is not a tag: comments, CDATA, raw text, scripts. Each function
 * takes the position after the opening and returns the position where scanning continues; the page's length
 * if nothing closes it.
 */
import {
  bang,
  classes,
  dash,
  endsTagName,
  greaterThan,
  lessThan,
  nextByte,
  slash,
  spells,
  ascii,
} from './bytes.ts'

/** After `<!--`: `-->`, `--!>`, and at its very start also `>` and `->` end a comment. */
export function commentEnd(bytes: Uint8Array, start: number): number {
  const length = bytes.length
  for (let at = start; ; at++) {
    at = nextByte(bytes, greaterThan, at)
    if (at >= length) return length
    const inside = at - start
    if (inside === 0) return at + 1
    if (bytes[at - 1] === dash && (inside === 1 || bytes[at - 2] === dash)) return at + 1
    if (inside >= 3 && bytes[at - 1] === bang && bytes[at - 2] === dash && bytes[at - 3] === dash)
      return at + 1
  }
}

/** After `<![CDATA[` in SVG or MathML: `]]>` ends it. Elsewhere it is a comment up to the next `>`. */
export function cdataEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; at++) {
    at = nextByte(bytes, greaterThan, at)
    if (at >= bytes.length) return bytes.length
    if (at - start >= 2 && bytes[at - 1] === 0x5d && bytes[at - 2] === 0x5d) return at + 1
  }
}

/** The start of the `</name` that ends this element's text. */
export function rawTextEnd(bytes: Uint8Array, start: number, name: Uint8Array): number {
  for (let at = start; ; at++) {
    at = nextByte(bytes, lessThan, at)
    if (at >= bytes.length) return bytes.length
    if (isEndTag(bytes, at, name)) return at
  }
}

const script = ascii('script')

/**
 * The same for scripts, in which `<!--` hides `<script>…</script>` pairs up to `-->`: pages of the nineties
 * wrapped scripts in comments, and some scripts wrote script elements.
 */
export function scriptEnd(bytes: Uint8Array, start: number): number {
  const length = bytes.length
  let at = start
  for (;;) {
    at = nextByte(bytes, lessThan, at)
    if (at >= length) return length
    if (isEndTag(bytes, at, script)) return at
    if (bytes[at + 1] === bang && bytes[at + 2] === dash && bytes[at + 3] === dash) {
      at = escapedScriptEnd(bytes, at + 4)
    } else {
      at++
    }
  }
}

/** After `<!--` in a script: the `</script` that ends the script, or the position after the `-->`. */
function escapedScriptEnd(bytes: Uint8Array, start: number): number {
  const length = bytes.length
  let inner = false
  for (let at = start; at < length; at++) {
    const byte = bytes[at]
    // The opening dashes count: `<!-->` closes at once, as does `<!--->`.
    if (byte === greaterThan && bytes[at - 1] === dash && bytes[at - 2] === dash) return at + 1
    if (byte !== lessThan) continue
    if (bytes[at + 1] === slash) {
      if (!isEndTag(bytes, at, script)) continue
      if (!inner) return at
      inner = false
    } else if (!inner && spells(bytes, at + 1, script) && endsName(bytes, at + 1 + script.length)) {
      inner = true
    }
  }
  return length
}

export function isEndTag(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  return bytes[at + 1] === slash && spells(bytes, at + 2, name) && endsName(bytes, at + 2 + name.length)
}

function endsName(bytes: Uint8Array, at: number): boolean {
  return at < bytes.length && (classes[bytes[at]] & endsTagName) !== 0
}
