/** What element names and attributes say about the role of an element in its page: bits that hold for everything in it. */
import type { TagReader } from './tag-reader.ts'
import { slotOf, tagNumbers } from './tags.ts'

export const inNav = 1
export const inFooter = 2
export const inHeader = 4
export const inAside = 8
export const inForm = 16
export const inTable = 32
export const inArticle = 64
export const inMain = 128
export const inList = 256
export const inDialog = 512
/** display: none, visibility: hidden or the attribute `hidden`. */
export const isHidden = 1024
export const isAriaHidden = 2048
export const inFigure = 4096
export const inPre = 8192
export const inQuote = 16_384
export const inControl = 32_768
export const inDescription = 65_536
/** itemprop articleBody, text and the like. */
export const inBody = 131_072
export const inSection = 262_144
export const inHeading = 524_288
export const inNoscript = 1_048_576

/** By tag number. */
export const flagsOfTag = new Int32Array(256)
for (const [names, flag] of [
  ['nav menu', inNav],
  ['footer', inFooter],
  ['header', inHeader],
  ['aside', inAside],
  ['form fieldset', inForm],
  ['table', inTable],
  ['article', inArticle],
  ['main', inMain],
  ['ul ol dl', inList],
  ['dialog', inDialog],
  ['figure figcaption', inFigure],
  ['pre listing', inPre],
  ['blockquote', inQuote],
  ['button label legend', inControl],
  ['section', inSection],
  ['h1 h2 h3 h4 h5 h6', inHeading],
  ['noscript', inNoscript],
] as const)
  for (const name of names.split(' ')) flagsOfTag[tagNumbers[name]] = flag

const flagsOfRole: Record<string, number> = {
  navigation: inNav,
  menu: inNav,
  menubar: inNav,
  contentinfo: inFooter,
  banner: inHeader,
  complementary: inAside,
  search: inForm,
  form: inForm,
  article: inArticle,
  main: inMain,
  dialog: inDialog,
  alertdialog: inDialog,
  button: inControl,
}
const bodyProperty = /\b(?:articlebody|reviewbody|text|recipeinstructions|recipeingredient)\b/i
const descriptionProperty = /\bdescription\b/i
const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i
/** Longer values are not evidence. */
const valueCharsMax = 2000

const role = slotOf('role')
const itemprop = slotOf('itemprop')
const hidden = slotOf('hidden')
const style = slotOf('style')
const ariaHidden = slotOf('aria-hidden')
const ariaModal = slotOf('aria-modal')

/** What the attributes of the last tag say. */
export function flagsOfAttributes({ from, attribute }: TagReader): number {
  let flags = 0
  if (from[role] !== -1) {
    const name = attribute(role)!
    if (Object.hasOwn(flagsOfRole, name)) flags |= flagsOfRole[name]
  }
  if (from[itemprop] !== -1) {
    const name = attribute(itemprop)!.slice(0, valueCharsMax)
    if (bodyProperty.test(name)) flags |= inBody
    if (descriptionProperty.test(name)) flags |= inDescription
  }
  if (from[hidden] !== -1) flags |= isHidden
  if (from[style] !== -1 && hiddenStyle.test(attribute(style)!.slice(0, valueCharsMax))) flags |= isHidden
  if (from[ariaHidden] !== -1 && attribute(ariaHidden) === 'true') flags |= isAriaHidden
  if (from[ariaModal] !== -1 && attribute(ariaModal) === 'true') flags |= inDialog
  return flags
}
