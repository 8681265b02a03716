/** The names of the numbers that the model gets for a block, in their order, which is part of the weights. */
import {
  inArticle,
  inAside,
  inBody,
  inControl,
  inDescription,
  inDialog,
  inFigure,
  inFooter,
} from './element-flags.ts'
import { inForm, inHeader, inHeading, inList, inMain, inNav, inNoscript, inPre } from './element-flags.ts'
import { inQuote, inSection, inTable, isAriaHidden, isHidden } from './element-flags.ts'

/** What is known of a page besides its blocks; numbers for the model. */
export interface PageFacts {
  /** From schema.org types, og:type and the URL. */
  readonly numbers: readonly number[]
}

export const pageFactNames = [
  'schemaArticle',
  'schemaProduct',
  'schemaForum',
  'schemaList',
  'schemaOther',
  'ogArticle',
  'ogProduct',
  'urlDepth',
  'urlForum',
  'urlProduct',
  'urlCollection',
  'urlDocs',
  'urlBlog',
  'urlDigits',
] as const

export const blockFeatures = [
  'words',
  'linkShare',
  'stops',
  'commas',
  'stopShare',
  'meanLength',
  'upperShare',
  'digitShare',
  'endsSentence',
  'wordScore',
  'tag',
  'headingLevel',
  'position',
  'wordsBefore',
  'proseBefore',
  'copies',
  'sinceHeading',
  'headingWords',
  'afterH1',
  'sinceH1',
] as const
export const neighbourFeatures = [
  'words',
  'linkShare',
  'prose',
  'wordScore',
  'heading',
  'classScore',
] as const
export const elementFeatures = [
  'depth',
  'classOwn',
  'classNear',
  'classSum',
  'classMin',
  'classMax',
  'parentWords',
  'parentLinks',
  'grandWords',
  'grandLinks',
  'parentProse',
  'grandProse',
  'proseShare3',
  'coreDistance',
  'mainDistance',
  'groupSize',
  'groupWords',
  'groupShare',
  'groupLinks',
  'groupProse',
  'nav',
  'footer',
  'header',
  'aside',
  'form',
  'table',
  'article',
  'main',
  'list',
  'dialog',
  'hidden',
  'ariaHidden',
  'figure',
  'control',
  'description',
  'body',
  'section',
  'quote',
  'pre',
  'inHeading',
  'noscript',
] as const
const pageFeatures = [
  'pageWords',
  'pageBlocks',
  'pageLinks',
  'pageProse',
  'proseRatio',
  'articles',
  'hasMain',
  'coreShare',
  ...pageFactNames,
] as const

export const featureNames: readonly string[] = [
  ...blockFeatures,
  ...['previous', 'next', 'previous2', 'next2'].flatMap((name) =>
    neighbourFeatures.map((feature) => `${name}.${feature}`),
  ),
  ...elementFeatures,
  ...pageFeatures,
]
export const featureCount = featureNames.length

export const flagColumns = [
  inNav,
  inFooter,
  inHeader,
  inAside,
  inForm,
  inTable,
  inArticle,
  inMain,
  inList,
  inDialog,
  isHidden,
  isAriaHidden,
  inFigure,
  inControl,
  inDescription,
  inBody,
  inSection,
  inQuote,
  inPre,
  inHeading,
  inNoscript,
]
