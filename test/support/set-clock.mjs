/**
 * Imported before a program, in its main thread and in all others: the system clock is off by as many milliseconds as the file named
 * by CLOCK_FILE says, from the moment on at which it says so. Monotone clocks do not change.
 */
import { readFileSync } from 'node:fs'

const SystemDate = Date
const file = process.env.CLOCK_FILE
const offset = () => {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

globalThis.Date = class Date extends SystemDate {
  constructor(...args) {
    if (args.length === 0) super(SystemDate.now() + offset())
    else super(...args)
  }

  static now() {
    return SystemDate.now() + offset()
  }
}
