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
import { refuseMissingParts } from '../user-data/refuse-missing-parts.ts';
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

Without --key the release.pub beside the first bundle is taken, or else that of \`landfall keygen\`:
right for bundles that you built yourself. For bundles that you downloaded, compare the key id with what the project publishes elsewhere.
A release that announces further keys is rejected: name each of them with --key and --recovery-key.
`;

/** `landfall user-data`: what to paste into the provider's console. */
export function userDataCommand(context: CommandContext): Command {
  return new Command('user-data')
    .description('render the text that turns a new server into yours')
    .option('--site <file>', 'who and where', 'site.yaml')
    .requiredOption(
      '--release <file...>',
      'bundles of one release, or their release.json, one for each architecture',
    )
    .option('--key <file>', 'a public key to trust; may be given again', collect, [])
    .option('--recovery-key <file>', 'the recovery key to trust')
    .option('--accept-new-keys', 'trust the keys that the release announces, and show both')
    .addOption(
      new Option('--provider <name>', 'check against what this provider takes')
        .choices(Object.keys(providers))
        // The rendering refuses others, with an error of its own.
        .argParser((name) => name),
    )
    .addOption(
      new Option('--format <format>', 'how to pack it').choices(formats).default('cloud-config'),
    )
    .option('--output <file>', 'where to write it; - for standard output', 'user-data.yaml')
    .option('--allow-route-password', "let route.url carry the proxy's password")
    .option('--quiet', 'say nothing but errors and warnings')
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
  refuseMissingParts(site, releases);
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

/** The keys that were named; without any, the one beside the first bundle. */
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

/** Warnings go to stderr; with `--output -` everything else does too. */
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
    [
      'compare',
      '`landfall inspect` prints the released SHA-256; on the server, print those in use:',
    ],
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
