import { hashFiles } from '../hosting/hashed-file.ts';
import { releaseFiles } from '../hosting/release-files.ts';
import { DownloadLog } from '../hosting/serve/download-log.ts';
import { type ReleaseServer, startServer } from '../hosting/serve/start-server.ts';
import type { Reporter } from '../progress/reporter.ts';

/**
 * Serves a bundle to the server: on loopback here, and through the SSH connection on loopback there.
 * The bootstrap downloads from it as from any URL, so an interrupted transfer resumes, at any time.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function serveBundle(path: string, reporter: Reporter): Promise<ReleaseServer> {
  const files = await hashFiles(await releaseFiles(path), reporter);
  const log = new DownloadLog({
    note: () => {},
    // The label names the client, which is always this computer.
    transfer: (label, total) => reporter.transfer(`sending ${label.split(' to ')[0]}`, total),
  });
  return await startServer({ files, log }, { host: '127.0.0.1', port: 0 });
}
