import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { bootFolder, bootUnitFile } from '#contract/server-paths.ts';
import { formatTable } from '#contract/text/table.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { readSite } from '../config/site.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import { type Format, formats } from '../user-data/format.ts';
import type { PinnedRelease } from '../user-data/pinned-release.ts';
import { providers } from '../user-data/providers.ts';
import { readRelease } from '../user-data/read-release.ts';
import { refuseMissingComponents } from '../user-data/refuse-missing-components.ts';
import { type RenderedUserData, renderUserData } from '../user-data/render.ts';
import { serverKeys } from '../user-data/server-keys.ts';
import { writeUserData } from '../user-data/write-user-data.ts';
import type { CommandContext } from './context.ts';
import { collect } from './repeatable.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from './trust-options.ts';

interface UserDataFlags extends TrustFlags {
  readonly site: string;
  readonly release: readonly string[];
  readonly provider?: string;
  readonly format: Format;
  readonly output: string;
  readonly allowRoutePassword?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const example = `
Example:
  landfall user-data --site site.yaml --release dist/*.tar --provider hetzner

Without --key, the release.pub next to the first bundle is trusted, or else the release.pub of
\`landfall keygen\`. This is safe only for bundles that you built yourself. For downloaded bundles,
compare the key id with the one that the project publishes elsewhere.
A release that announces other keys is rejected: pass each of them with --key and --recovery-key.
`;

/** `landfall user-data`: renders the user-data to paste into the provider's console. */
export function userDataCommand(context: CommandContext): Command {
  return new Command('user-data')
    .description('render the user-data that sets up a new server')
    .option('--site <file>', 'path of the site', 'site.yaml')
    .requiredOption(
      '--release <file...>',
      'bundles of one release or their release.json files, one per architecture',
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
    .option('--quiet', 'print only errors and warnings')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action((flags: UserDataFlags) => userData(context, flags));
}

async function userData(context: CommandContext, flags: UserDataFlags): Promise<void> {
  const paths = flags.release.map((path) => resolve(context.cwd, path));
  const given = await givenKeys(context, flags, paths);
  const releases = await readReleases(flags, paths, given);
  const site = await readSite(resolve(context.cwd, flags.site), {
    allowRoutePassword: flags.allowRoutePassword,
  });
  refuseMissingComponents(site, releases);
  const keys = serverKeys(releases);
  const { provider, format } = flags;
  const rendered = renderUserData({ site, releases, keys, provider, format });
  if (flags.output === '-') {
    context.stdout.write(rendered.bytes);
  } else {
    await writeUserData(resolve(context.cwd, flags.output), rendered.bytes);
  }
  const [first] = releases;
  const warnings = [...(first ? keyWarnings(first.release, given) : []), ...rendered.warnings];
  report(context, flags, { releases, keys, rendered, warnings });
}

/** Returns the keys of the options, or the key next to the first bundle if there are none. */
async function givenKeys(
  context: CommandContext,
  flags: UserDataFlags,
  paths: readonly string[],
): Promise<TrustedKeys> {
  const beside = join(dirname(paths[0] ?? context.cwd), 'release.pub');
  const isBare = flags.key.length === 0 && flags.recoveryKey === undefined;
  return readTrustedKeys(context, isBare && existsSync(beside) ? { key: [beside] } : flags);
}

async function readReleases(
  { acceptNewKeys }: UserDataFlags,
  paths: readonly string[],
  keys: TrustedKeys,
): Promise<PinnedRelease[]> {
  const policy = { keys, allowNewKeys: acceptNewKeys, now: new Date() };
  return Promise.all(paths.map((path) => readRelease(path, policy)));
}

interface Result {
  readonly releases: readonly PinnedRelease[];
  readonly keys: TrustedKeys;
  readonly rendered: RenderedUserData;
  readonly warnings: readonly string[];
}

/** Prints the result. Warnings go to stderr; with `--output -`, all other text does, too. */
function report(context: CommandContext, flags: UserDataFlags, result: Result): void {
  const { stdout, stderr } = context;
  const out = flags.output === '-' ? stderr : stdout;
  if (flags.json) {
    out.write(`${JSON.stringify(toJson(flags, result))}\n`);
    return;
  }
  printWarnings(context, result.warnings);
  if (!flags.quiet) out.write(`${describe(flags, result)}\n`);
}

function describe(flags: UserDataFlags, { releases, keys, rendered }: Result): string {
  const [first] = releases;
  const architectures = releases.map(({ release }) => release.arch).join(' and ');
  return formatTable([
    ['user-data', `${flags.output}, ${rendered.size} bytes`],
    ['release', `${first?.release.product} ${first?.release.version} for ${architectures}`],
    ...keys.release.map(({ id }) => ['trusts', `${formatKeyId(id)}  (release key)`]),
    ...(keys.recovery ? [['trusts', `${formatKeyId(keys.recovery.id)}  (recovery key)`]] : []),
    ...rendered.bootstrap.map(({ name, sha256 }) => ['embeds', `${sha256}  ${name}`]),
    ['compare', 'with the SHA-256 of `landfall inspect`; to print those on the server:'],
    ['', `sha256sum /${bootFolder}/* /${bootUnitFile}`],
  ]);
}

function toJson(flags: UserDataFlags, result: Result): object {
  const { releases, keys, rendered, warnings } = result;
  return {
    path: flags.output,
    size: rendered.size,
    format: flags.format,
    manifests: Object.fromEntries(
      releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
    ),
    keyIds: keys.release.map(({ id }) => id),
    recoveryKeyId: keys.recovery?.id ?? null,
    bootstrap: rendered.bootstrap.map(({ name, sha256 }) => ({ name, sha256 })),
    warnings,
  };
}
