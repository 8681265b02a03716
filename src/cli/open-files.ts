/** The error of a process that may not open as many files as it needs. */

/** What a command needs itself, with some to spare: Node, its threads, and the files of a crawl. */
const filesNeeded = 64

/** A message for users; undefined for other errors. */
export function tooFewFiles(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, message } = each as NodeJS.ErrnoException
    // An error of a thread has lost its code.
    if (code === 'EMFILE' || code === 'ENFILE' || /\bEMFILE\b/.test(message)) return messageFor(limit())
  }
  return undefined
}

function messageFor(max: string): string {
  return (
    `Too many open files: this process may open ${max} (ulimit -n). It needs about ${filesNeeded}, and a crawl one more ` +
    'for each connection (--connections). Raise the limit and run the command again: ulimit -n 4096'
  )
}

/** Asks the system without opening a file. */
function limit(): string {
  // Not in the types yet: without it, every address of this machine is looked up.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } }
  }
  return String(userLimits?.open_files?.soft ?? 'only few')
}
