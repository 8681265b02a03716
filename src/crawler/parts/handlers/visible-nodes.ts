/** The text of elements as a reader sees it: a line for each block, other white space collapsed, without scripts and styles. */
import { isText, type AnyNode, type Element } from 'domhandler'
import { isBlock, tagNumbers, tagTraits } from '../../../web/content/tags.ts'

const unseen = new Set(['script', 'style', 'template'])

export function visibleLines(elements: readonly Element[]): string {
  let text = ''
  /** Elements wait beside the end of the block that they are in. A stack, since pages may nest without end. */
  const waiting: (AnyNode | '\n' | ' ')[] = elements
    .toReversed()
    .flatMap((element) => [' ' as const, element])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') text += next
    else if (isText(next)) text += next.data.replace(/\s+/g, ' ')
    else if ('children' in next) {
      const name = 'name' in next ? next.name : ''
      if (unseen.has(name)) continue
      const isBlockElement = isBlockName(name)
      if (isBlockElement || name === 'br') text += '\n'
      if (isBlockElement) waiting.push('\n')
      for (const child of next.children.toReversed()) waiting.push(child)
    }
  }
  return text
    .replace(/ *\n[ \n]*/g, '\n')
    .replace(/ +/g, ' ')
    .trim()
}

function isBlockName(name: string): boolean {
  const tag = Object.hasOwn(tagNumbers, name) ? tagNumbers[name] : 0
  return (tagTraits[tag] & isBlock) !== 0
}
