/**
 * What the extractor knows about element names. A name is looked up by a 32-bit hash of its lower-cased letters, computed while
 * it is scanned, so that no string is made for a tag.
 */

/** Bits of `tagTraits`. */
export const isBlock = 1
/** Has no content. */
export const isVoid = 2
/** Its content is not text of the page, and is skipped up to its end tag. */
export const isRaw = 4
/** Its content is markup that a reader does not see. */
export const isSkipped = 8
/** Emphasis and the like: a word may continue over its tags. */
export const isFormatting = 16
/** A start tag of this kind closes an open paragraph. */
export const endsParagraph = 32
/** End tags of elements outside of it are ignored inside of it. */
export const isBarrier = 64

const traits: Record<string, [names: string, traits: number]> = {
  container: [
    'article aside blockquote center details dialog dir div fieldset figcaption figure footer form header hgroup ' +
      'main menu nav section search summary address',
    isBlock | endsParagraph,
  ],
  list: ['dl ol ul', isBlock | endsParagraph],
  item: ['dd dt li', isBlock | endsParagraph],
  heading: ['h1 h2 h3 h4 h5 h6', isBlock | endsParagraph],
  paragraph: ['p', isBlock | endsParagraph],
  code: ['pre listing xmp', isBlock | endsParagraph],
  table: ['table', isBlock | endsParagraph | isBarrier],
  row: ['tbody thead tfoot tr', isBlock],
  cell: ['td th caption', isBlock | isBarrier],
  control: ['button label legend', isBlock],
  page: ['body html', isBlock],
  empty: ['area base col embed input link meta param source track wbr', isVoid],
  rule: ['hr', isVoid | isBlock | endsParagraph],
  line: ['br', isVoid],
  picture: ['img', isVoid],
  raw: ['script style title textarea iframe noembed noframes xmp', isRaw],
  hidden: ['template svg select datalist object canvas audio video annotation annotation-xml', isSkipped],
  scriptless: ['noscript', isBlock],
  link: ['a', 0],
  formatting: [
    'abbr b big bdi bdo cite del dfn em font i ins kbd mark q s samp code small strike strong sub sup tt u var rp rt ruby',
    isFormatting,
  ],
  inline: ['span time data output picture math', 0],
}

/** The hash of no letters. */
export const nameSeed = 17

export function hashLetter(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code >= 65 && code <= 90 ? code | 32 : code)) | 0
}

export function hashName(name: string): number {
  let hash = nameSeed
  for (let at = 0; at < name.length; at++) hash = hashLetter(hash, name.charCodeAt(at))
  return hash
}

/** Names by tag number; 0 stands for all other elements. */
export const tagNames: string[] = ['']
export const tagTraits: number[] = [0]
const tagOfHash = new Map<number, number>()
for (const [names, bits] of Object.values(traits)) {
  for (const name of names.split(' ')) {
    if (tagOfHash.has(hashName(name))) continue
    tagOfHash.set(hashName(name), tagNames.length)
    tagNames.push(name)
    tagTraits.push(bits)
  }
}

/** The tag number of a name with this hash; 0 if it is not known. */
export function tagOfNameHash(hash: number): number {
  return tagOfHash.get(hash) ?? 0
}

export const tagNumbers: Readonly<Record<string, number>> = Object.fromEntries(
  tagNames.map((name, tag) => [name, tag]),
)

/** Elements with a hyphen in their name are containers of the page's own making. */
export const customTag = tagNames.length
tagNames.push('custom-element')
tagTraits.push(isBlock)

/** Attributes that are read, by slot. */
const attributeNames =
  'class id role hidden style aria-hidden itemprop itemtype href rel src alt name property content datetime lang type ' +
  'data-src http-equiv aria-label start data-lang data-language aria-modal charset colspan title'
const slotOfHash = new Map<number, number>()
for (const [slot, name] of attributeNames.split(' ').entries()) slotOfHash.set(hashName(name), slot)
export const slotCount = slotOfHash.size

export function slotOfNameHash(hash: number): number {
  return slotOfHash.get(hash) ?? -1
}

export function slotOf(name: string): number {
  const slot = slotOfHash.get(hashName(name))
  if (slot === undefined) throw new Error(`unknown attribute ${name}`)
  return slot
}
