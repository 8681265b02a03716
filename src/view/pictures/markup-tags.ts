/** Sentences of a report as elements: `code` in backticks, and measures with their indices, as `sentence` writes them. */
import { tag, type Tag } from './tags.ts'

export function sentenceTags(text: string): (Tag | string)[] {
  return text
    .split(/(`[^`]*`|\bP_(?:ST|CS|BC)\b)/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      if (/^`[^`]*`$/.test(part)) return [tag('code', {}, part.slice(1, -1))]
      return /^P_(?:ST|CS|BC)$/.test(part) ? ['P', tag('sub', {}, part.slice(2))] : [part]
    })
}
