/** Every kind of finding of an audit: how grave it is, what it says, and what to do. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

interface AuditKind {
  readonly severity: Severity
  /** Of the group of findings, as a heading. */
  readonly title: string
  readonly fix: string
}

const kinds = {
  'broken-link': {
    severity: 'error',
    title: 'Links to pages that do not exist',
    fix: 'Correct or remove the links.',
  },
  'failing-link': {
    severity: 'error',
    title: 'Links to pages that fail',
    fix: 'Repair the pages: the server did not deliver them.',
  },
  'broken-fragment': {
    severity: 'warning',
    title: 'Links to a fragment that its page does not have',
    fix: 'Correct the part after #, or add the id to the page. Ids that scripts add are not seen.',
  },
  'link-to-redirect': {
    severity: 'note',
    title: 'Links to redirects',
    fix: 'Link to the final URL.',
  },
  'link-to-blocked': {
    severity: 'note',
    title: 'Links to pages that robots.txt forbids',
    fix: 'Nothing, if search engines should not fetch them.',
  },
  'insecure-link': {
    severity: 'warning',
    title: 'Links from https to http on the same host',
    fix: 'Link to https.',
  },
  'redirect-chain': {
    severity: 'warning',
    title: 'Redirects to further redirects',
    fix: 'Redirect to the final URL at once.',
  },
  'redirect-loop': { severity: 'error', title: 'Redirects in a loop', fix: 'Break the loop.' },
  'redirect-broken': {
    severity: 'error',
    title: 'Redirects to pages that fail',
    fix: 'Redirect to a page that exists.',
  },
  'title-missing': { severity: 'warning', title: 'Pages without a title', fix: 'Add a title.' },
  'title-duplicate': {
    severity: 'warning',
    title: 'Pages with the same title',
    fix: 'Give each page a title of its own.',
  },
  'description-missing': {
    severity: 'note',
    title: 'Pages without a description',
    fix: 'Add a meta description.',
  },
  'description-duplicate': {
    severity: 'note',
    title: 'Pages with the same description',
    fix: 'Give each page a description of its own.',
  },
  'canonical-broken': {
    severity: 'error',
    title: 'Canonical URLs that fail',
    fix: 'Name a page that exists.',
  },
  'canonical-redirect': {
    severity: 'warning',
    title: 'Canonical URLs that redirect',
    fix: 'Name the final URL.',
  },
  'canonical-chain': {
    severity: 'warning',
    title: 'Canonical URLs of pages that name another one',
    fix: 'Name the last page of the chain.',
  },
  'canonical-noindex': {
    severity: 'error',
    title: 'Canonical URLs of pages that say noindex',
    fix: 'Remove the noindex, or name another page.',
  },
  'canonical-outside': {
    severity: 'note',
    title: 'Canonical URLs out of the scope of the crawl',
    fix: 'Nothing, if another site has the original.',
  },
  'canonical-several': {
    severity: 'warning',
    title: 'Pages with several canonical URLs',
    fix: 'Leave one: search engines ignore all of them.',
  },
  'hreflang-broken': {
    severity: 'error',
    title: 'Alternates in other languages that fail or redirect',
    fix: 'Name a page that exists.',
  },
  'hreflang-no-return': {
    severity: 'warning',
    title: 'Alternates in other languages that do not link back',
    fix: 'Each version names all others.',
  },
  'sitemap-broken': {
    severity: 'error',
    title: 'Sitemap entries that fail',
    fix: 'Remove the entries, or repair the pages.',
  },
  'sitemap-redirect': {
    severity: 'warning',
    title: 'Sitemap entries that redirect',
    fix: 'List the final URL.',
  },
  'sitemap-noindex': {
    severity: 'warning',
    title: 'Sitemap entries that say noindex',
    fix: 'Remove the entry or the noindex.',
  },
  'sitemap-canonical': {
    severity: 'warning',
    title: 'Sitemap entries whose canonical URL is another page',
    fix: 'List the canonical URL.',
  },
  'sitemap-missing': {
    severity: 'note',
    title: 'Pages that are not in the sitemap',
    fix: 'Add them, if they should be found.',
  },
  orphan: {
    severity: 'warning',
    title: 'Pages that no page links to',
    fix: 'Link to them: only the sitemap names them.',
  },
  'deep-page': {
    severity: 'note',
    title: 'Pages that are many clicks away',
    fix: 'Link to them from pages near the start.',
  },
  'duplicate-page': {
    severity: 'warning',
    title: 'Pages with the same content',
    fix: 'Name one of them as canonical in the others.',
  },
  'external-broken': {
    severity: 'error',
    title: 'Links to pages of other sites that do not exist',
    fix: 'Correct or remove the links.',
  },
  'external-failing': {
    severity: 'warning',
    title: 'Links to pages of other sites that fail',
    fix: 'Try them again later: the fault may have passed.',
  },
} as const satisfies Readonly<Record<string, AuditKind>>

export type AuditKindName = keyof typeof kinds
export const auditKinds: Readonly<Record<AuditKindName, AuditKind>> = kinds
export const auditKindNames = Object.keys(kinds) as readonly AuditKindName[]
