/** The language that a page says it is in, by the `lang` of its html element: `en`, `pt-BR`; undefined: it says nothing. */
const htmlElement = /<html\b[^>]{0,1000}?\slang\s*=\s*["']?\s*([a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3})/i
/** Where the html element is expected at the latest, after comments and declarations. */
const beginning = 4096

export function pageLanguage(html: string): string | undefined {
  return htmlElement.exec(html.slice(0, beginning))?.[1]
}
