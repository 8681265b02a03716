/** Sends the files of a crawl, or of a worker, to the archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { warcEndsOf } from '../../record/group.ts'
import { parsedWarcName } from '../../record/warc-name.ts'
import type { CrawlTotals } from '../../options/crawl-options.ts'
import type { ArchivingWorker } from '../archiving.ts'
import type { OpenedCrawl, OpenedPart } from '../running-part.ts'
import { WarcSender } from './warc-sender.ts'

/** Sends files while a crawl runs, once its record says that they are finished: those that it does not know yet may be truncated. */
export function sendDuring(place: string, crawl: OpenedCrawl): OpenedPart {
  const { folder, settings, record, onEvent } = crawl
  const { warcNames } = settings
  const serials = new Map<number, number>()
  for (const [thread, { serial }] of record.record.warcEnds) serials.set(thread, serial)
  const sender = new WarcSender({
    place,
    crawlId: folder.file.id,
    folder: folder.path,
    warc: folder.warc,
    keepBytes: settings.archiveKeep,
    mayClaim: true,
    isClosed: (name) => isFinished(name, serials, warcNames),
    onNotice: (text) => onEvent?.({ kind: 'notice', text }),
  })
  return {
    begin() {
      sender.start()
      return {
        recorded(group) {
          for (const [thread, { serial }] of warcEndsOf(group)) {
            const isNext = serial > (serials.get(thread) ?? 0)
            serials.set(thread, serial)
            if (isNext) sender.closed()
          }
        },
        full: () => sender.room(),
        stop: () => sender.release(),
      }
    },
    close: () => sender.stop(),
  }
}

function isFinished(
  name: string,
  serials: ReadonlyMap<number, number>,
  names: Parameters<typeof parsedWarcName>[1],
): boolean {
  const parsed = parsedWarcName(name, names)
  return parsed !== undefined && parsed.serial < (serials.get(parsed.thread) ?? 0)
}

/** The crawl in this folder has ended: all of its files are sent. The last one of each thread stays here, since a resume continues it. */
export async function sendRest(path: string): Promise<Partial<CrawlTotals>> {
  const folder = CrawlFolder.open(path)
  const { archive, archiveKeep, warcNames } = folder.file.options
  const record = await folder.readRecord()
  const serials = new Map([...record.warcEnds].map(([thread, { serial }]) => [thread, serial]))
  record.close()
  let why = ''
  const sender = new WarcSender({
    place: archive!,
    crawlId: folder.file.id,
    folder: path,
    warc: folder.warc,
    keepBytes: archiveKeep,
    mayClaim: true,
    isClosed: (name) => isFinished(name, serials, warcNames),
    onNotice: (text) => void (why = text),
  })
  const archived = await sender.finish()
  if (archived.unsent === 0) return { archived }
  return { archived, givenUp: `${why} \`rankward resume ${path}\` sends them.` }
}

/** Every start of a worker writes new files, so all but the last one of each of its threads are finished. */
export function workerSender(place: string, worker: ArchivingWorker): WarcSender {
  const { settings, crawlId, folder, warc, onNotice } = worker
  const serialIn = settings.warcNames === undefined ? /-(\d+)\.warc/ : /-\d{14}-(\d+)-/
  return new WarcSender({
    place,
    crawlId,
    folder,
    warc,
    keepBytes: settings.archiveKeep,
    isClosed: (name) => {
      if (!name.includes(worker.worker)) return true
      const next = name.replace(serialIn, (text, serial: string) =>
        text.replace(serial, String(Number(serial) + 1).padStart(5, '0')),
      )
      return existsSync(join(warc, next))
    },
    onNotice,
  }).start()
}
