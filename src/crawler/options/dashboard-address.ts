/** The address of a dashboard: `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
import { ValueError, type ValueKind } from '../../lib/value-kinds.ts'

export interface DashboardAddress {
  readonly host: string
  readonly port: number
}

/** Undefined if it is not an address. */
export function dashboardAddress(text: string): DashboardAddress | undefined {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text.trim()) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) return undefined
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}

export const dashboardValue: ValueKind<string> = {
  read: (text) => {
    if (dashboardAddress(text) !== undefined) return text
    throw new ValueError('a port such as 8080 (0 for any), or HOST:PORT such as 0.0.0.0:8080')
  },
  json: ['string'],
}
