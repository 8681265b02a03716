/**
 * As `URL.canParse`, which in Node 20 refuses hosts with letters of Latin-1, such as ü, after some thousand calls: its
 * optimized form takes their bytes for UTF-8.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL
  } catch {
    return false
  }
}
