import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { pageServer } from '../progress/page/page-server.ts';

/** The first socket that systemd hands over. sd_listen_fds(3). */
const firstSocket = 3;

/** `landfall serve-page`: started by systemd alone, without any rights (`progress/page/page-unit.ts`). */
export function servePageCommand(): Command {
  return new Command('serve-page')
    .description('serve the page of the first boot; systemd calls this')
    .argument('<file>', 'its absolute path')
    .action(servePage);
}

async function servePage(file: string): Promise<void> {
  if (!file.startsWith('/')) {
    throw new LandfallError('USAGE', 'serve-page takes the absolute path of one file');
  }
  if (process.getuid?.() === 0) {
    throw new LandfallError('USAGE', 'serve-page does not run as root');
  }
  if (process.env.LISTEN_FDS !== '1') {
    throw new LandfallError('USAGE', 'serve-page wants the socket of systemd');
  }
  const server = pageServer(file);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ fd: firstSocket }, resolve);
  });
}
