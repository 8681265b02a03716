/** What schema.org types, Open Graph and the URL say about the kind of a page, as numbers for the models. */
import type { PageFacts } from './feature-names.ts'
import type { HeadReader } from './head-reader.ts'

const typeEntry = /"@type"\s*:\s*(?:"([A-Za-z:/.]+)"|\[([^\]]{0,200})\])/g
const schemaTypes = [
  /Article|BlogPosting|Report|Recipe|HowTo\b|Review\b/,
  /Product|Offer|IndividualProduct|Vehicle|Book\b/,
  /Discussion|QAPage|Question|Comment|Answer/,
  /ItemList|CollectionPage|SearchResults|OfferCatalog|Blog\b/,
  /Service|LocalBusiness|SoftwareApplication|Course|Event|FAQPage|AboutPage|ContactPage/,
]
const urlWords = [
  /forum|thread|topic|discuss|communit|question|viewtopic|\/t\/|\/r\/|comments/,
  /product|\/p\/|\/dp\/|\/item|shop\/|\/buy/,
  /collection|categor|\/shop\/?$|\/c\/|catalog|\/browse|department/,
  /docs?\b|documentation|reference|manual|guide|\/api|tutorial|wiki|\/learn|help|support|developer/,
  /blog|news|article|story|stories|post|20[012]\d/,
]
const jsonCharsMax = 300_000

export function pageFacts(head: HeadReader, url: string | undefined): PageFacts {
  const types = schemaTypesOf(head)
  const ogType = head.metas.get('og:type')?.toLowerCase() ?? ''
  const path = pathOf(url)
  return {
    numbers: [
      ...schemaTypes.map((pattern) => Number(pattern.test(types))),
      Number(ogType.includes('article')),
      Number(ogType.includes('product')),
      path.split('/').length - 1,
      ...urlWords.map((pattern) => Number(pattern.test(path))),
      Number(/\d{4,}/.test(path)),
    ],
  }
}

/** All types that the page's JSON-LD names, without parsing it. */
function schemaTypesOf({ json }: HeadReader): string {
  const types = new Set<string>()
  for (const text of json) {
    for (const [, one, several] of text.slice(0, jsonCharsMax).matchAll(typeEntry)) types.add(one ?? several)
  }
  return [...types].join(' ')
}

/** Host and path in lower case, without scheme and `www`. */
function pathOf(url: string | undefined): string {
  return (url ?? '')
    .slice(0, 1000)
    .toLowerCase()
    .replace(/^[a-z]+:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
}
