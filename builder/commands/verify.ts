import { Command, Option } from 'commander';
import { architectures } from '#contract/bundle/release-name.ts';
import type { CommandContext } from '../actions/context.ts';
import type { VerifyFlags } from '../actions/verify.ts';
import { collect } from './repeatable.ts';

const example = `
Example:
  landfall verify landfall-1.0.0-amd64.tar --key release.pub

Without --key, the release.pub of \`landfall keygen\` is trusted. Reads the whole bundle once and
unpacks nothing. Exit code 6 means that the bundle is rejected: do not use it.
`;

/** `landfall verify`: verifies the signature and contents of a bundle. */
export function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('verify that a bundle is complete and signed by a trusted key')
    .argument('<bundle>', 'path of the .tar file, of any part of it, or of a folder with bundles')
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'accept a release that announces other keys, and print both lists')
    .option('--pinned <sha256>', 'required SHA-256 of release.json')
    .addOption(new Option('--arch <arch>', 'required architecture').choices(architectures))
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (path: string, flags: VerifyFlags) => {
      const { verifyAction } = await import('../actions/verify.ts');
      await verifyAction(context, path, flags);
    });
}
