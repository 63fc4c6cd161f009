import { Command, Option } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import type { CommandContext } from '../../actions/context.ts';
import type { PreviewFlags } from '../../actions/delivery/preview.ts';
import { collect } from '../repeatable.ts';

const example = `
Example:
  landfall preview dist/landfall-1.0.0-amd64.tar
  landfall preview --down

Runs the stack of a bundle with Docker on this computer, after it has verified the bundle. All ports
are on 127.0.0.1. There is no hardening: firewall, SSH, bans and system settings need a server.
Without --name, the preview belongs to the current folder. --down removes containers, networks,
volumes, images and files of the preview.
`;

/** `landfall preview`: runs the stack of a bundle on this computer. */
export function previewCommand(context: CommandContext): Command {
  return new Command('preview')
    .description('run the stack of a bundle on this computer, with Docker')
    .argument('[bundle]', 'path of the .tar file, of any part of it, or of a folder with bundles')
    .option('--site <file>', 'site with the components and providers (default: no options)')
    .option('--name <name>', 'name of the preview (default: from the current folder)')
    .option('--port <port>', 'port of the chat UI (default: 8443, or a free one)', portNumber)
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'accept a release that announces other keys')
    .option('--no-open', 'do not open the browser')
    .addOption(new Option('--down', 'remove the preview').conflicts(['site', 'port']))
    .option('--keep-data', 'with --down: keep the volumes with chats and models')
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (bundle: string | undefined, flags: PreviewFlags) => {
      const { previewAction } = await import('../../actions/delivery/preview.ts');
      await previewAction(context, bundle, flags);
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new LandfallError('USAGE', `--port ${text} is not a port`, {
    hint: 'Use a number from 1 to 65535.',
  });
}
