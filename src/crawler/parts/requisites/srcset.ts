/** The URLs of a `srcset` attribute, by the HTML standard: candidates with descriptors such as `2x` or `800w`, between commas. */
export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = []
  const pattern = /[\s,]*(\S+)/gy
  for (let match = pattern.exec(srcset); match !== null; match = pattern.exec(srcset)) {
    const [, word] = match
    // A comma at the end of the URL is the end of the candidate.
    const url = word.slice(0, endBeforeCommas(word))
    if (url !== '') urls.push(url)
    if (url === word) pattern.lastIndex = descriptorsEnd(srcset, pattern.lastIndex)
  }
  return urls
}

/** Without a regular expression: `,+$` takes quadratic time for commas within a word. */
function endBeforeCommas(word: string): number {
  let end = word.length
  while (word[end - 1] === ',') end--
  return end
}

/** The position after the comma that ends the descriptors; commas in parentheses do not. */
function descriptorsEnd(srcset: string, from: number): number {
  let depth = 0
  for (let at = from; at < srcset.length; at++) {
    const char = srcset[at]
    if (char === '(') depth++
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) return at + 1
  }
  return srcset.length
}
