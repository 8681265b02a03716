/**
 * The script of a report: a cross-hair that follows pointer, finger or arrow keys, with the values of every
 * series; legends that hide and show series; tables that sort by a column. The page is complete without it. It reads the plot's numbers from the JSON in its figure and the
 * scales from the SVG, and writes text only by textContent: so untrusted names stay text.
 */
import { certainPercent, durationText, grouped, written } from '../../lib/amounts.ts'

export const pageScript = `
'use strict'
for (const figure of document.querySelectorAll('figure')) {
  const source = figure.querySelector('script')
  if (!source) continue
  const plot = JSON.parse(source.textContent)
  const tip = figure.querySelector('.tip')
  for (const svg of figure.querySelectorAll('.plot>svg')) watch(svg, plot, tip)
}
function watch(svg, plot, tip) {
  // The label stays for screen readers; the browser's own tooltip would cover ours.
  const words = [...svg.querySelectorAll(':scope>title,:scope>desc')].map((e) => e.textContent)
  svg.removeAttribute('aria-labelledby')
  svg.setAttribute('aria-label', words.join('. '))
  for (const title of svg.querySelectorAll('title')) title.remove()
  svg.setAttribute('tabindex', '0')
  const x = scale(svg.dataset.x)
  const y = scale(svg.dataset.y)
  const cross = svg.querySelector('.cross')
  const keys = [...svg.querySelectorAll('.legend>g>g')]
  const places = [...new Set(plot.series.flatMap((s) => s.points.map((p) => p[0])))].filter((v) => isFinite(x(v))).sort((a, b) => a - b)
  if (places.length === 0) return
  const hidden = legend(svg, keys, () => { if (current >= 0) show(current) })
  let current = -1
  const show = (index) => {
    current = Math.max(0, Math.min(places.length - 1, index))
    const value = places[current]
    const at = x(value)
    cross.setAttribute('x1', at)
    cross.setAttribute('x2', at)
    cross.setAttribute('visibility', 'visible')
    const rows = plot.series.map((s, i) => ({ s, i, v: valueAt(s, value, x) })).filter((r) => r.v !== undefined && !hidden.has(r.i))
    rows.sort((a, b) => b.v - a.v)
    tip.replaceChildren(element('b', plot.x.label + ': ' + text(value, plot.x.numbering)), table(rows, keys, plot))
    tip.hidden = false
    const box = svg.getBoundingClientRect()
    const frame = tip.offsetParent.getBoundingClientRect()
    const left = box.left - frame.left + (at / svg.viewBox.baseVal.width) * box.width
    const fits = left + 14 + tip.offsetWidth < frame.width - 4
    tip.style.left = (fits ? left + 14 : Math.max(4, left - 14 - tip.offsetWidth)) + 'px'
    tip.style.top = Math.max(8, Math.min(box.height - tip.offsetHeight - 8, 40)) + 'px'
  }
  const hide = () => {
    cross.setAttribute('visibility', 'hidden')
    tip.hidden = true
    current = -1
  }
  const follow = (event) => {
    const box = svg.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width
    if (at < x.from - 12 || at > x.to + 12) return hide()
    let best = 0
    places.forEach((value, i) => { if (Math.abs(x(value) - at) < Math.abs(x(places[best]) - at)) best = i })
    show(best)
  }
  svg.addEventListener('pointermove', follow)
  svg.addEventListener('pointerdown', follow)
  svg.addEventListener('pointerleave', hide)
  svg.addEventListener('blur', hide)
  svg.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key]
    if (step) show(current < 0 ? 0 : current + step)
    else if (event.key === 'Home') show(0)
    else if (event.key === 'End') show(places.length - 1)
    else if (event.key === 'Escape') hide()
    else return
    event.preventDefault()
  })
}
// Each entry of the legend hides its series, and shows it again.
function legend(svg, keys, changed) {
  const hidden = new Set()
  if (keys.length < 2) return hidden
  keys.forEach((key, i) => {
    const entry = key.parentNode
    const toggle = () => {
      if (!hidden.delete(i)) hidden.add(i)
      entry.classList.toggle('off', hidden.has(i))
      entry.setAttribute('aria-pressed', String(!hidden.has(i)))
      for (const drawn of svg.querySelectorAll('[data-series="' + i + '"]')) drawn.classList.toggle('hidden', hidden.has(i))
      changed()
    }
    entry.setAttribute('role', 'button')
    entry.setAttribute('tabindex', '0')
    entry.setAttribute('aria-pressed', 'true')
    entry.addEventListener('click', toggle)
    entry.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      event.stopPropagation()
      toggle()
    })
  })
  // Its parts are buttons now, so the plot is more than an image.
  svg.setAttribute('role', 'group')
  return hidden
}
for (const table of document.querySelectorAll('table[data-sortable]')) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells]
  const rows = [...table.tBodies[0].rows]
  heads.forEach((head, i) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const isNumber = rows.some((row) => row.cells[i].dataset.value !== undefined)
      const before = head.getAttribute('aria-sort')
      const sign = (before === null ? isNumber : before === 'ascending') ? -1 : 1
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', sign < 0 ? 'descending' : 'ascending')
      const value = (row) => Number(row.cells[i].dataset.value ?? NaN)
      const words = (row) => row.cells[i].textContent
      // Cells without a number are last in both directions.
      const order = (a, b) => isNumber
        ? (isNaN(value(a)) - isNaN(value(b))) || sign * (value(a) - value(b))
        : sign * words(a).localeCompare(words(b), 'en', { numeric: true })
      table.tBodies[0].append(...rows.toSorted((a, b) => order(a, b) || 0))
    })
  })
}
function scale(words) {
  const [kind, ...rest] = words.split(' ')
  const [low, high, from, to] = rest.map(Number)
  const log = kind === 'log' ? Math.log10 : (v) => v
  const place = (v) => from + ((log(v) - log(low)) / (log(high) - log(low))) * (to - from)
  place.from = from
  place.to = to
  return place
}
// As plotted: on the line between two points, constant since the last step, or at a nearby dot.
function valueAt({ points, kind }, value, x) {
  const next = points.findIndex((p) => p[0] >= value)
  if (next >= 0 && points[next][0] === value) return points[next][1]
  const before = next < 0 ? points.at(-1) : points[next - 1]
  if (kind === 'step') return before && before[1]
  if (kind !== 'line') return points.find((p) => Math.abs(x(p[0]) - x(value)) <= 6)?.[1]
  if (!before || next < 0) return undefined
  const share = (x(value) - x(before[0])) / (x(points[next][0]) - x(before[0]))
  return before[1] + share * (points[next][1] - before[1])
}
function table(rows, keys, plot) {
  const body = document.createElement('table')
  for (const { s, i, v } of rows) {
    const row = body.insertRow()
    const key = row.insertCell()
    if (keys[i]) {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
      svg.setAttribute('viewBox', '0 -6 28 12')
      svg.append(keys[i].cloneNode(true))
      key.append(svg)
    }
    row.append(element('th', s.name))
    row.append(element('td', text(v, plot.y.numbering)))
    row.lastChild.className = 'number'
  }
  return body
}
function element(name, words) {
  const made = document.createElement(name)
  made.textContent = words
  return made
}
${[grouped, durationText, certainPercent, written].join('\n')}
const text = ${written.name}
`
