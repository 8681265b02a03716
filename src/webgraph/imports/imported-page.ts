/** A page that another crawler or archive knows. */
export interface ImportedPage {
  readonly url: string
  /** The HTTP status, where the file has it. */
  readonly status?: number | undefined
  /** The media type, where the file has it. */
  readonly type?: string | undefined
  /** The page with the link by which it was found. */
  readonly via?: string | undefined
  /** The URLs that the page links to, absolute, in order. */
  readonly links?: readonly string[] | undefined
}

/** What was read, and what was not. */
export class ImportCounts {
  /** Lines or records with a page. */
  pages = 0
  /** Lines or records that could not be read. The first is kept with its place, for the message. */
  bad = 0
  firstBad: string | undefined
  /** Pages without an http or https URL, such as `dns:example.org`. */
  other = 0

  addBad(where: string): void {
    this.bad++
    this.firstBad ??= where
  }
}
