import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { architectures } from '#contract/bundle/release-name.ts';
import type { VerifiedBundle } from '#contract/bundle/verify.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { paintFor } from '#terminal/paint-for.ts';
import type { CommandContext } from './context.ts';
import { oneOrAll } from './inspect.ts';
import { withOutputOptions, withTrustOptions } from './options.ts';

const example = {
  en: `
Example:
  landfall verify landfall-1.0.0-amd64.tar --key release.pub

Without --key, the release.pub of \`landfall keygen\` is trusted. Reads the whole bundle once and
unpacks nothing. Exit code 6 means that the bundle is rejected: do not use it.
`,
  zh: `
示例：
  landfall verify landfall-1.0.0-amd64.tar --key release.pub

不加 --key 时，信任 \`landfall keygen\` 的 release.pub。整个发布包只读一遍，不解包。退出码 6 表示发布包被拒绝：
不要使用它。
`,
};

/** `landfall verify`: verifies the signature and contents of a bundle. */
export function verifyCommand(context: CommandContext) {
  return definition().action((path, flags) => verify(context, path, flags));
}

const definition = () =>
  withOutputOptions(
    withTrustOptions(
      new Command('verify')
        .description('verify that a bundle is complete and signed by a trusted key')
        .argument(
          '<bundle>',
          'path of the .tar file, of any part of it, or of a folder with bundles',
        ),
    )
      .option('--pinned <sha256>', 'required SHA-256 of release.json')
      .addOption(new Option('--arch <arch>', 'required architecture').choices(architectures)),
  ).addHelpText('after', inLanguage(example));

type VerifyFlags = OptionsOf<typeof definition>;

/** Verifies a bundle, or each of a folder. @throws LandfallError of `verifyBundle` and of keys */
async function verify(context: CommandContext, path: string, flags: VerifyFlags): Promise<void> {
  const { verifyBundle } = await import('#contract/bundle/verify.ts');
  const { formatKeyId } = await import('#contract/trust/keys.ts');
  const { openBundle } = await import('../bundle/archive/open-bundle.ts');
  const { chooseReporter, printWarnings } = await import('../base/progress/reporter.ts');
  const { releasePaths } = await import('../bundle/released/read-release.ts');
  const { keyWarnings, readTrustedKeys } = await import('./keys.ts');
  const paths = await releasePaths([resolve(context.cwd, path)]);
  const keys = await readTrustedKeys(context, flags);
  const { acceptNewKeys: allowNewKeys, pinned, arch } = flags;
  const results: object[] = [];
  for (const each of paths) {
    const reporter = chooseReporter(context, flags);
    await using bundle = await openBundle(each, reporter);
    const policy = { keys, allowNewKeys, pinned, arch, now: new Date() };
    const verified = await verifyBundle(bundle.content, policy).finally(() => reporter.close());
    const warnings = keyWarnings(verified.release, keys);
    results.push(toJson(verified, warnings));
    if (flags.json || flags.quiet) continue;
    printWarnings(context, warnings);
    context.stdout.write(`${describe(context, verified, formatKeyId(verified.signer.key.id))}\n`);
  }
  if (flags.json) context.stdout.write(`${JSON.stringify(oneOrAll(results))}\n`);
}

function describe(context: CommandContext, verified: VerifiedBundle, keyId: string): string {
  const { release, signer, manifestSha256, size } = verified;
  const paint = paintFor(context.stdout, context.env);
  const name = `${release.product} ${release.version}`;
  return [
    paint(
      'green',
      say(`verified: ${name} for ${release.arch}`, `已验证：${name}，用于 ${release.arch}`),
    ),
    formatTable([
      [
        say('  signed by', '  签名者'),
        say(
          `${keyId}  (${signer.role} key)`,
          `${keyId}  （${signer.role === 'recovery' ? '恢复密钥' : '发布密钥'}）`,
        ),
      ],
      ['  release.json', manifestSha256],
      [
        say('  content', '  内容'),
        say(
          `${release.files.length} files, ${formatBytes(size)}, all verified`,
          `${release.files.length} 个文件，${formatBytes(size)}，全部通过验证`,
        ),
      ],
      [
        say('  expires', '  过期'),
        say(
          `${release.expires}  (then servers do not update to it, and need a newer one)`,
          `${release.expires}  （之后服务器不会更新到它，需要更新的版本）`,
        ),
      ],
    ]),
  ].join('\n');
}

function toJson(verified: VerifiedBundle, warnings: readonly string[]): object {
  const { release, signer, manifestSha256, size } = verified;
  const { product, version, arch, kind, created, expires, files } = release;
  return {
    verified: true,
    ...{ product, version, arch, kind, created, expires, manifestSha256, size },
    files: files.length,
    signer: { keyId: signer.key.id, role: signer.role },
    warnings,
  };
}
