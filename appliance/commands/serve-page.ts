import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { pageServer } from '../progress/page/page-server.ts';

/** File descriptor of the first socket from systemd; see sd_listen_fds(3). */
const firstSocket = 3;

/** `landfall serve-page`: started only by systemd, without privileges (`progress/page/page-unit.ts`). */
export function servePageCommand(): Command {
  return new Command('serve-page')
    .description('serve the first boot progress page; called by systemd')
    .argument('<file>', 'absolute path of the page')
    .action(servePage);
}

async function servePage(file: string): Promise<void> {
  if (!file.startsWith('/')) {
    throw new LandfallError('USAGE', 'serve-page takes one absolute path');
  }
  if (process.getuid?.() === 0) {
    throw new LandfallError('USAGE', 'serve-page must not be run as root');
  }
  if (process.env.LISTEN_FDS !== '1') {
    throw new LandfallError('USAGE', 'serve-page must be started by systemd with a socket');
  }
  const server = pageServer(file);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ fd: firstSocket }, resolve);
  });
}
