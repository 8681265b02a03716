/**
 * Elements of the page. Text only ever becomes a text node, so nothing from the web can become markup. Inline styles and
 * handlers are not possible: the Content-Security-Policy forbids them.
 */

import { isTag, type Tag } from '../../pictures/tags.ts'

export type Child = Node | string | number | undefined | false
type Attribute = string | number | boolean | undefined | ((event: Event) => void)
type Attributes = Readonly<Record<string, Attribute>>

/** `on…` attributes are listeners; `undefined` and `false` leave an attribute out. */
function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
}

const nodesOf = (children: readonly Child[]): (Node | string)[] =>
  children
    .filter((child) => child !== undefined && child !== false)
    .map((child) => (typeof child === 'number' ? String(child) : child))

export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  setAttributes(element, attributes)
  element.append(...nodesOf(children))
  return element
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  setAttributes(element, attributes)
  element.append(...nodesOf(children))
  return element
}

const svgNames = new Set(['svg', 'g', 'rect', 'text', 'title', 'desc', 'clipPath', 'path', 'line', 'tspan'])

/** The element of a shared component. Links in a drawing are elements of SVG too. */
export function elementOf(tag: Tag<Node>, isDrawing = false): HTMLElement {
  const isSvg = tag.name === 'svg' || (isDrawing && (svgNames.has(tag.name) || tag.name === 'a'))
  const element = isSvg
    ? document.createElementNS('http://www.w3.org/2000/svg', tag.name)
    : document.createElement(tag.name)
  setAttributes(element, tag.attributes)
  // Style attributes are forbidden; the object model is not.
  for (const [property, value] of Object.entries(tag.style)) {
    ;(element as HTMLElement).style.setProperty(property, String(value))
  }
  element.append(...tag.children.map((child) => (isTag(child) ? elementOf(child, isSvg) : child)))
  return element as HTMLElement
}

export function replace(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...nodesOf(children))
}

/** Sets the text only if it differs, so that a screen reader and a selection are not disturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** A colour of the current theme, by its custom property, for drawings on a canvas. */
export function themeColour(name: string, opacity = 1): string {
  const probe = html('span', { hidden: true })
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const numbers =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.slice(0, 3) ?? []
  probe.remove()
  return `rgb(${numbers.join(' ')} / ${opacity})`
}
