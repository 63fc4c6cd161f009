import { Command, Option } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { DiffFlags } from '../actions/diff.ts';
import { collect } from './repeatable.ts';

const example = `
Example:
  landfall diff landfall-1.0.0-amd64.tar landfall-1.1.0-amd64.tar --key release.pub
  landfall diff old.release.json new.release.json --markdown
  git show HEAD:appliance.lock.yaml > old.lock.yaml
  landfall diff old.lock.yaml appliance.lock.yaml --markdown

Reads only the head of a bundle and its SBOM. Signatures are verified only
with --key. Of a release.json, the packages are compared only if its .sbom.cdx.json is beside it.
`;

/** `landfall diff`: prints the differences between two releases or two lock files. */
export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('compare two releases, or two lock files')
    .argument('<file>', 'bundle (.tar or any part), release.json (.json) or lock file (.yaml)')
    .argument('<other>', 'release or lock file that replaces it')
    .option('--key <file>', 'trusted public key, to verify both releases; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--markdown', 'print Markdown for pull requests and release notes')
    .addOption(new Option('--json', 'print the result as JSON').conflicts('markdown'))
    .option('--exit-code', 'exit with 1 if there are differences, and with 0 if not')
    .addHelpText('after', example)
    .action(async (first: string, second: string, flags: DiffFlags) => {
      const { diffAction } = await import('../actions/diff.ts');
      await diffAction(context, [first, second], flags);
    });
}
