/** Where files go that only save time and may be deleted at any moment: the folder that the system has for them. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = environment
  // The XDG specification ignores relative paths.
  if (given !== undefined && isAbsolute(given)) return join(given, 'rankward')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'rankward')
  if (platform === 'win32') return join(local ?? join(homedir(), 'AppData', 'Local'), 'rankward', 'Cache')
  return join(homedir(), '.cache', 'rankward')
}
