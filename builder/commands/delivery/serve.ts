import { Command } from 'commander';
import type { CommandContext } from '../../actions/context.ts';
import type { ServeFlags } from '../../actions/delivery/serve.ts';

const example = `
Example:
  landfall serve dist                               for an SSH tunnel
  landfall serve dist --listen 0.0.0.0:8080         for the LAN
  ssh -N -R 127.0.0.1:8080:127.0.0.1:8080 root@203.0.113.7

Serves only files of releases, read-only, over HTTP without TLS. Servers verify every byte with the
signature. Interrupted downloads can be resumed. Ctrl-C stops the server, with exit code 0.
`;

/** `landfall serve`: serves the files of a release over HTTP. */
export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('serve a release over HTTP, for a LAN or an SSH tunnel')
    .argument('<source>', 'output folder of `landfall build`, or a bundle')
    .option('--listen <address>', 'address and port; port 0 selects a free one', '127.0.0.1:8080')
    .option('--quiet', 'print no downloads')
    .option('--json', 'print the URLs and files as JSON, once the server is ready')
    .addHelpText('after', example)
    .action(async (source: string, flags: ServeFlags) => {
      const { serveAction } = await import('../../actions/delivery/serve.ts');
      await serveAction(context, source, flags);
    });
}
