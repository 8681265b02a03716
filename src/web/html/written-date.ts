/**
 * Dates of headers, sitemaps and feeds as seconds of the epoch: W3C dates (2026, 2026-11, 2026-11-16,
 * 2026-11-16T09:30Z, …), dates of RFC 822 (Mon, 16 Nov 2026 09:30:00 +0100) and of C's asctime (Mon Nov 16 09:30:00 2026), which
 * HTTP allows. A date without a time stands
 * for the start of that day or year, a time without a zone is in UTC. Anything else is no date: guessing
 * would depend on the zone of this machine.
 */
const w3c =
  /^(\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?)?)?$/i
const rfc822 =
  /^(?:[a-z]+,?\s+)?(\d\d?)[\s-]+([a-z]{3})[a-z]*\.?[\s-]+(\d{4}|\d\d)(?:,?\s+(\d\d?):(\d\d)(?::(\d\d))?\s*([a-z]+|[+-]\d\d:?\d\d)?)?(?:\s*\(.*\))?$/i
const asctime = /^[a-z]{3} ([a-z]{3}) {1,2}(\d\d?) (\d\d):(\d\d):(\d\d) (\d{4})$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Hours from UTC of the zones that RFC 822 names. */
const zoneHours: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
}
const charsMax = 64

export function writtenSeconds(written: string): number | undefined {
  const text = written.trim()
  if (text.length > charsMax) return undefined
  const iso = w3c.exec(text)
  if (iso !== null) {
    const [, year, month = '1', day = '1', ...time] = iso
    return seconds(Number(year), Number(month), Number(day), time)
  }
  const mail = rfc822.exec(text)
  if (mail !== null) {
    const [, day, month, year, ...time] = mail
    return seconds(fullYear(year), monthOf(month), Number(day), time)
  }
  const [, month, day, hour, minute, second, year] = asctime.exec(text) ?? []
  if (month === undefined) return undefined
  return seconds(Number(year), monthOf(month), Number(day), [hour, minute, second])
}

/** From 1; 0 for a name that is no month. */
function monthOf(name: string): number {
  return months.indexOf(name.toLowerCase()) + 1
}

/** RFC 2822: two digits up to 49 are of this century. */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year)
  return Number(year) + (Number(year) < 50 ? 2000 : 1900)
}

type Time = readonly (string | undefined)[]

function seconds(
  year: number,
  month: number,
  day: number,
  [hour, minute, second, zone]: Time,
): number | undefined {
  const [h, m, s] = [hour, minute, second].map((part) => Number(part ?? 0))
  const offset = zoneSeconds(zone)
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
  if (!isDay || h > 24 || m > 59 || s > 60 || offset === undefined) return undefined
  return Date.UTC(year, month - 1, day, h, m, s) / 1000 - offset
}

function daysOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

function zoneSeconds(zone: string | undefined): number | undefined {
  if (zone === undefined) return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  const name = zone.toLowerCase()
  return Object.hasOwn(zoneHours, name) ? zoneHours[name] * 3600 : undefined
}
