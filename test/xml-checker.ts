/** Is this well-formed XML? A small strict reader: enough for the SVG that reports draw, and no more. */

/** Names of all elements, in order; throws where the text is not well-formed. */
export function xmlElements(text: string): string[] {
  const names: string[] = []
  const open: string[] = []
  let at = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    checkText(text.slice(at, tag < 0 ? text.length : tag), open.length > 0)
    if (tag < 0) break
    const [whole, closing, name, attributes, empty] =
      /^<(\/?)([A-Za-z][\w:-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/.exec(text.slice(tag)) ?? []
    if (whole === undefined) throw new Error(`not a tag: ${text.slice(tag, tag + 60)}`)
    if (closing === '/') {
      const opened = open.pop()
      if (opened !== name) throw new Error(`</${name}> closes <${opened}>`)
    } else {
      names.push(name)
      checkAttributes(attributes)
      if (empty !== '/') open.push(name)
    }
    at = tag + whole.length
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is never closed`)
  return names
}

function checkAttributes(attributes: string): void {
  const names = [...attributes.matchAll(/([A-Za-z][\w:-]*)="([^"]*)"/g)].map(([, name, value]) => {
    checkText(value, true)
    return name
  })
  if (new Set(names).size !== names.length) throw new Error(`an attribute stands twice: ${attributes}`)
}

function checkText(text: string, inside: boolean): void {
  if (!inside && text.trim() !== '') throw new Error(`text outside of all elements: ${text.slice(0, 60)}`)
  const loose = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.exec(text)
  if (loose !== null) throw new Error(`a loose &: ${text.slice(loose.index, loose.index + 30)}`)
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u.test(text))
    throw new Error('a character that XML has no room for')
}
