/** Default intervals of strategies that recompute: a fraction of the web, at least one page. */
export const partOf = (pages: number, parts: number): number => Math.max(1, Math.ceil(pages / parts))
