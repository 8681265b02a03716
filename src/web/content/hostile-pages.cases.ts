/** Pages that would take long if any step were not linear: each has a full size, at which anything quadratic would not end. */

const sentence = 'The engine fetches the important pages first, and it can say how much of the web it holds.'
const many = (n: number, piece: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => piece(i)).join('')
export const hostilePages: readonly [name: string, size: number, html: (n: number) => string][] = [
  ['nested elements', 100_000, (n) => '<div>'.repeat(n) + sentence],
  ['nested elements with text at every level', 100_000, (n) => `<div>${sentence}<p>x`.repeat(n)],
  ['nested lists', 100_000, (n) => '<ul><li>x'.repeat(n)],
  ['nested tables', 100_000, (n) => '<table><tr><td>x'.repeat(n)],
  ['nested quotations', 100_000, (n) => '<blockquote>x'.repeat(n)],
  ['nested links and headings', 100_000, (n) => '<a href=/x><h2>x'.repeat(n)],
  ['attributes', 1_000_000, (n) => `<p ${'a=1 '.repeat(n)}>${sentence}</p>`],
  ['different attributes', 200_000, (n) => `<p ${many(n, (i) => `a${i}=${i} `)}>${sentence}</p>`],
  ['elements with 20 attributes', 20_000, (n) => `<p ${'class=a id=b '.repeat(10)}>x`.repeat(n)],
  ['unclosed elements of one line', 200_000, (n) => '<noscript>'.repeat(n)],
  ['end tags', 300_000, (n) => `<div>${'</p></b></x>'.repeat(n)}`],
  ['stray end tags in deep nesting', 500_000, (n) => '<section>'.repeat(n / 10) + '</div></p>'.repeat(n)],
  ['unclosed comments and scripts', 500_000, (n) => '<!-- <script> '.repeat(n)],
  ['unclosed svg', 500_000, (n) => '<svg><'.repeat(n)],
  ['open quotes', 500_000, (n) => '<a href="'.repeat(n)],
  ['one text of 10 MB', 110_000, (n) => `<p>${sentence.repeat(n)}`],
  ['10 MB of less-than signs', 5_000_000, (n) => '< '.repeat(n)],
  ['10 MB of paragraphs', 100_000, (n) => many(n, (i) => `<p>${i}. ${sentence}</p>`)],
  ['character references', 500_000, (n) => `<p>${'&amp;&#x41;&nope;'.repeat(n)}`],
  ['one table', 10_000, (n) => `<table>${`<tr>${'<td>cell 1</td>'.repeat(30)}</tr>`.repeat(n)}</table>`],
  ['one row', 200_000, (n) => `<table><tr>${'<td>a'.repeat(n)}<tr><td>b<td>c</table>`],
  [
    'columns that span',
    20_000,
    (n) => `<table>${'<tr><td colspan=1000 rowspan=65534>a<td>b'.repeat(n)}</table>`,
  ],
  ['links', 100_000, (n) => '<a href="/x">link text</a> '.repeat(n)],
  ['marks of emphasis', 100_000, (n) => `<p>${'<b>a<i>b'.repeat(n)}`],
  ['line breaks', 200_000, (n) => `<p>${'a<br>'.repeat(n)}`],
  ['a class of 5 MB', 1_700_000, (n) => `<p class="${'aB-'.repeat(n)}">${sentence}`],
  ['a style of 5 MB', 500_000, (n) => `<p style="${'display : '.repeat(n)}">${sentence}`],
  ['different meta elements', 100_000, (n) => many(n, (i) => `<meta name=n${i} content=x>`)],
  ['code elements', 200_000, (n) => `<p>${'<code>`</code>'.repeat(n)}`],
  ['broken JSON-LD', 50_000, (n) => '<script type="application/ld+json">{"a":[</script>'.repeat(n)],
  ['nested JSON-LD', 50_000, (n) => `<script type="application/ld+json">${'{"@graph":['.repeat(n)}</script>`],
]
