import { Command, Option } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { UserDataFlags } from '../actions/user-data.ts';
import { formats } from '../user-data/formats.ts';
import { providers } from '../user-data/providers.ts';
import { collect } from './repeatable.ts';

const example = `
Example:
  landfall user-data --site site.yaml --release dist/*.tar --provider hetzner

Without --release, a package that was published with a release downloads its release.json from the
URLs of the site, and verifies it with the key in the package.
With --release and without --key, the release.pub next to the first bundle is trusted, or else the release.pub of
\`landfall keygen\`. This is safe only for bundles that you built yourself. For downloaded bundles,
compare the key id with the one that the project publishes elsewhere.
A release that announces other keys is rejected: pass each of them with --key and --recovery-key.
`;

/** `landfall user-data`: renders the user-data to paste into the provider's console. */
export function userDataCommand(context: CommandContext): Command {
  return new Command('user-data')
    .description('render the user-data that sets up a new server')
    .option('--site <file>', 'path of the site', 'site.yaml')
    .option(
      '--release <file...>',
      'bundles of one release, their folder, or their release.json files (default: the release of the package)',
    )
    .option(
      '--part-size <size>',
      'size of the parts, if release.json files are given for a bundle in parts',
    )
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'trust the keys that the release announces, and print both lists')
    .addOption(
      new Option('--provider <name>', 'check the limits of this provider')
        .choices(Object.keys(providers))
        // `renderUserData` rejects unknown names with its own error.
        .argParser((name) => name),
    )
    .addOption(
      new Option('--format <format>', 'format of the user-data')
        .choices(formats)
        .default('cloud-config'),
    )
    .option('--output <file>', 'output file; - for standard output', 'user-data.yaml')
    .option('--allow-route-password', 'allow a proxy password in route.url')
    .option('--check-urls', 'check that the URLs of the site serve the release')
    .option('--proxy <url>', 'use this proxy for downloads and --check-urls (default: HTTPS_PROXY)')
    .option('--quiet', 'print only errors and warnings')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (flags: UserDataFlags) => {
      const { userDataAction } = await import('../actions/user-data.ts');
      await userDataAction(context, flags);
    });
}
