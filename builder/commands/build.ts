import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { architectures } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { PublishedBundle } from '../bundle/archive/publish-bundle.ts';
import type { CommandContext } from './context.ts';
import { withBuildContext, withNetworkOptions } from './network.ts';
import { collect, repeatable } from './options.ts';

const example = {
  en: `
Example:
  landfall build --full --arch amd64 --output dist

  landfall build --reproduce landfall-1.0.0-amd64.release.json

Without --key, the release is signed with the release.key that \`landfall keygen\` created. In CI, pass
the key in an environment variable (--key env:RELEASE_KEY) or on standard input (--key -).

--reproduce plans a published release again from its source and compares the bytes of release.json. It
needs no private key; --key is a public key then. With --full, it also writes the bundle to --output,
with the published signatures, and compares its SHA-256.
`,
  zh: `
示例：
  landfall build --full --arch amd64 --output dist

  landfall build --reproduce landfall-1.0.0-amd64.release.json

不加 --key 时，用 \`landfall keygen\` 生成的 release.key 签名。在 CI 中，用环境变量（--key env:RELEASE_KEY）
或标准输入（--key -）传入密钥。

--reproduce 用源代码重新规划已发布的版本，并逐字节比较 release.json。它不需要私钥；这时 --key 是公钥。
加上 --full 时，还会用已发布的签名把发布包写入 --output，并比较 SHA-256。
`,
};

/** `landfall build`: builds signed bundles from appliance.yaml. */
export function buildCommand(context: CommandContext) {
  return definition().action(async (flags) => {
    if (flags.reproduce === undefined) return await buildBundles(context, flags);
    const { reproduceRelease } = await import('./reproduce.ts');
    await reproduceRelease(context, flags.reproduce, flags);
  });
}

const definition = () =>
  withNetworkOptions(
    new Command('build')
      .description('build signed bundles from appliance.yaml')
      .addOption(
        new Option('--full', 'include all images and models in the bundle').conflicts('thin'),
      )
      .addOption(
        new Option('--thin', 'reference images by digest; the server pulls them (default)'),
      )
      .addOption(
        repeatable('--arch <arch>', 'build only for this architecture; repeatable', architectures),
      )
      .option('--config <file>', 'path of the appliance', 'appliance.yaml')
      .option('--output <folder>', 'output folder', 'dist')
      .option(
        '--key <source>',
        'private key: a file, env:NAME, or - for standard input (default: release.key of `landfall keygen`)',
      )
      .option('--frozen', 'do not change the lock file; fail if it is outdated or incomplete')
      .option(
        '--without <name>',
        'leave out an optional component or a model; repeatable',
        collect,
        [],
      )
      .option(
        '--max-part-size <size>',
        'write a larger bundle in parts of at most this size, such as 1.9GB',
      )
      .option('--public', 'fail if the license of anything in the bundle is not known')
      .addOption(
        new Option(
          '--reproduce <source>',
          'compare with a published release.json, a file or URL, instead of building',
        ).conflicts(['thin', 'arch', 'without', 'public']),
      )
      .addHelpText('after', inLanguage(example)),
  );

type BuildFlags = OptionsOf<typeof definition>;

/** Builds the bundles and prints their paths and cost. @throws LandfallError of `build` */
async function buildBundles(context: CommandContext, flags: BuildFlags): Promise<void> {
  const { build } = await import('../build.ts');
  const { describeBuild } = await import('../bundle/archive/describe-build.ts');
  const { partSizeFlag } = await import('../bundle/archive/parts.ts');
  const { costOf, formatCost } = await import('../base/progress/statistics.ts');
  const { buildOrigin } = await import('../bundle/sign/build-origin.ts');
  const { readSigningKey } = await import('../bundle/sign/private-key.ts');
  const { keyInputs, keySource } = await import('./keys.ts');
  const started = performance.now();
  const { cwd, env, stdout } = context;
  const key = await readSigningKey(keySource(context, flags), keyInputs(context));
  await withBuildContext(context, flags, async (buildContext, reporter) => {
    const options = {
      config: resolve(cwd, flags.config),
      output: resolve(cwd, flags.output),
      kind: flags.full ? 'full' : 'thin',
      archs: flags.arch,
      frozen: flags.frozen ?? false,
      without: new Set(flags.without),
      forPublic: flags.public,
      maxPartSize: partSizeFlag('--max-part-size', flags.maxPartSize),
      sourceDateEpoch: sourceDateEpoch(env),
      origin: buildOrigin(env, (text) => reporter.note(text)),
    } as const;
    const built = await build(options, key, buildContext);
    const cost = costOf(buildContext.statistics, started);
    reporter.close();
    if (flags.json) stdout.write(`${JSON.stringify({ bundles: built.map(toJson), cost })}\n`);
    else if (!flags.quiet) stdout.write(`${describeBuild(built)}\n${formatCost(cost)}\n`);
  });
}

/** Parses SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch), in seconds since 1970. */
export function sourceDateEpoch({
  SOURCE_DATE_EPOCH: text,
}: NodeJS.ProcessEnv): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new LandfallError('USAGE', 'SOURCE_DATE_EPOCH is not a whole number of seconds', {
    hint: 'Set it to seconds since 1970, for example: SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)',
  });
}

function toJson({ path, fileCount, manifestSha256, unchanged, release }: PublishedBundle): object {
  const { product, version, arch, kind } = release;
  const parts = fileCount === 1 ? undefined : fileCount;
  return { path, parts, manifestSha256, unchanged, product, version, arch, kind };
}
