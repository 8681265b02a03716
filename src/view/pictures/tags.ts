/**
 * Elements of a page as data. A report writes them as HTML (`tagHtml`), the dashboard makes elements of them
 * (`src/view/dashboard/page/element.ts`). Text is only ever text.
 */
import { escaped } from './markup.ts'

/** `Leaf`: what the renderer adds as it is; the dashboard's elements, nothing in a report. */
export interface Tag<Leaf = never> {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  /** CSS properties. Names and values never come from the web. */
  readonly style: Readonly<Record<string, string | number>>
  readonly children: readonly (Tag<Leaf> | Leaf | string)[]
}

type Attributes = Tag['attributes'] & { readonly style?: never }

export function tag<Leaf = never>(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (Tag<NoInfer<Leaf>> | NoInfer<Leaf> | string | undefined | false)[]
): Tag<Leaf> {
  const shown = children.filter((child) => child !== undefined && child !== false)
  return { name, attributes, style: {}, children: shown as Tag<Leaf>['children'] }
}

export function styled<Leaf>(of: Tag<Leaf>, style: Tag['style']): Tag<Leaf> {
  return { ...of, style }
}

export function isTag<Leaf>(child: Tag<Leaf> | Leaf | string): child is Tag<Leaf> {
  return typeof child === 'object' && child !== null && Array.isArray((child as Tag<Leaf>).children)
}

const emptyElements = new Set(['rect', 'line', 'path', 'circle', 'br', 'col'])

export function tagHtml({ name, attributes, style, children }: Tag): string {
  const rules = Object.entries(style).map(([property, value]) => `${property}:${value}`)
  const given = [
    ...Object.entries(attributes),
    ...(rules.length === 0 ? [] : [['style', rules.join(';')] as const]),
  ]
  const written = given
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([attribute, value]) =>
      value === true ? ` ${attribute}` : ` ${attribute}="${escaped(String(value))}"`,
    )
  if (emptyElements.has(name)) return `<${name}${written.join('')}/>`
  const content = children.map((child) => (typeof child === 'string' ? escaped(child) : tagHtml(child)))
  return `<${name}${written.join('')}>${content.join('')}</${name}>`
}
