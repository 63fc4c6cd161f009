import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { inLanguage } from '#contract/text/language.ts';
import { fileError } from '#files/file-error.ts';
import { formats, providers } from '../deliver/user-data/providers.ts';
import type { CommandContext } from './context.ts';
import { withTrustOptions } from './options.ts';

const example = {
  en: `
Example:
  landfall user-data --site site.yaml --release dist/*.tar --provider hetzner

Without --release, a package that was published with a release downloads its release.json from the
URLs of the site, and verifies it with the key in the package.
With --release and without --key, the release.pub next to the first bundle is trusted, or else the release.pub of
\`landfall keygen\`. This is safe only for bundles that you built yourself. For downloaded bundles,
compare the key id with the one that the project publishes elsewhere.
A release that announces other keys is rejected: pass each of them with --key and --recovery-key.
`,
  zh: `
示例：
  landfall user-data --site site.yaml --release dist/*.tar --provider hetzner

不加 --release 时，附带版本的软件包会从站点的网址下载 release.json，并用软件包中的密钥验证。
加 --release 而不加 --key 时，信任第一个发布包旁边的 release.pub，否则信任 \`landfall keygen\` 的
release.pub。只有您自己构建的发布包才能这样做；下载的发布包，请把密钥指纹与项目在其他渠道公布的核对。
如果版本公布了其他密钥，会被拒绝：请用 --key 和 --recovery-key 逐个指定。
`,
};

/** `landfall user-data`: renders the user-data to paste into the provider's console. */
export function userDataCommand(context: CommandContext) {
  return definition().action((flags) => userData(context, flags));
}

const definition = () =>
  withTrustOptions(
    new Command('user-data')
      .description('render the user-data that sets up a new server')
      .option('--site <file>', 'path of the site', 'site.yaml')
      .option(
        '--release <file...>',
        'bundles of one release, their folder, or their release.json files (default: the release of the package)',
      )
      .option(
        '--part-size <size>',
        'size of the parts, if release.json files are given for a bundle in parts',
      ),
  )
    .addOption(
      new Option('--provider <name>', 'check the limits of this provider')
        .choices(Object.keys(providers))
        // `renderUserData` rejects unknown names with its own error.
        .argParser((name) => name),
    )
    .addOption(
      new Option(
        '--format <format>',
        'format of the user-data, or a shell script that does the same (default: cloud-config, or what the provider has)',
      ).choices(formats),
    )
    .option(
      '--output <file>',
      'output file; - for standard output (default: user-data.yaml, or user-data.sh for a script)',
    )
    .option('--allow-route-password', 'allow a proxy password in route.url')
    .option('--check-urls', 'check that the URLs of the site serve the release')
    .option('--proxy <url>', 'use this proxy for downloads and --check-urls (default: HTTPS_PROXY)')
    .option('--quiet', 'print only errors and warnings')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(example));

type UserDataFlags = OptionsOf<typeof definition>;

/** Renders the user-data and writes it. @throws LandfallError of releases, sites and `renderUserData` */
async function userData(context: CommandContext, flags: UserDataFlags): Promise<void> {
  const { checkUrlsOver, expectServed } = await import('../deliver/user-data/check-urls.ts');
  const { printWarnings } = await import('../base/progress/reporter.ts');
  const { describeUserData, userDataJson } = await import('../deliver/user-data/describe.ts');
  const { refuseMissingComponents } = await import(
    '../deliver/user-data/refuse-missing-components.ts'
  );
  const { releaseUrls } = await import('../deliver/user-data/boot-settings.ts');
  const { renderUserData } = await import('../deliver/user-data/render.ts');
  const { serverKeys } = await import('../bundle/released/pinned-release.ts');
  const { keyWarnings } = await import('./keys.ts');
  const { readUserDataSources } = await import('./user-data-sources.ts');
  const { site, trusted, releases, packaged } = await readUserDataSources(context, flags);
  refuseMissingComponents(site, releases);
  const keys = serverKeys(releases);
  const { provider, format } = flags;
  const rendered = renderUserData({ site, releases, keys, provider, format });
  const path = flags.output ?? (rendered.format === 'shell' ? 'user-data.sh' : 'user-data.yaml');
  if (path === '-') context.stdout.write(rendered.bytes);
  else await write(resolve(context.cwd, path), rendered.bytes);
  const [first] = releases;
  const warnings = [...(first ? keyWarnings(first.release, trusted) : []), ...rendered.warnings];
  const urls = releaseUrls(site, releases);
  const network = { env: context.env, proxy: flags.proxy };
  const checks = flags.checkUrls ? await checkUrlsOver(network, urls) : undefined;
  if (flags.json && checks) expectServed(checks);
  const result = { path, releases, keys, rendered, warnings, urls, checks, packaged };
  // With `--output -`, stdout is for the user-data.
  const out = path === '-' ? context.stderr : context.stdout;
  if (flags.json) out.write(`${JSON.stringify(userDataJson(result))}\n`);
  else {
    printWarnings(context, warnings);
    if (!flags.quiet) out.write(`${describeUserData(result)}\n`);
  }
  if (checks) expectServed(checks);
}

/** Replaces a file. Only the user can read it: it contains accounts, and possibly a proxy password. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const { replaceFile } = await import('#files/replace-file.ts');
  await replaceFile(path, bytes, { mode: 0o600 }).catch((error: unknown) => {
    throw fileError(error, path);
  });
}
