import { resolve } from 'node:path';
import { Command } from 'commander';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import type { InspectedBundle } from '../bundle/archive/inspect-bundle.ts';
import type { CommandContext } from './context.ts';

const example = {
  en: `
Example:
  landfall inspect landfall-1.0.0-amd64.tar

Reads only the head of the bundle. The key that it prints comes from the bundle and is untrusted:
use \`landfall verify --key\` to verify the signature with a key that you trust.
`,
  zh: `
示例：
  landfall inspect landfall-1.0.0-amd64.tar

只读取发布包的开头。显示的密钥来自发布包，不可信：请用 \`landfall verify --key\` 和您信任的密钥验证签名。
`,
};

/** `landfall inspect`: prints the contents, size and signing key from the head of a bundle. */
export function inspectCommand(context: CommandContext) {
  return new Command('inspect')
    .description('print the contents of a bundle without verifying it')
    .argument('<bundle>', 'path of the .tar file, of any part of it, or of a folder with bundles')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(example))
    .action(async (path, { json }) => {
      const { inspectBundle } = await import('../bundle/archive/inspect-bundle.ts');
      const { releasePaths } = await import('../bundle/released/read-release.ts');
      const paths = await releasePaths([resolve(context.cwd, path)]);
      const all = await Promise.all(paths.map(inspectBundle));
      const text = json
        ? JSON.stringify(oneOrAll(all))
        : (await Promise.all(all.map(describe))).join('\n\n');
      context.stdout.write(`${text}\n`);
    });
}

/** Returns the result for `--json`: that of one bundle, or those of a folder with several. */
export function oneOrAll(results: readonly object[]): object {
  const [only, ...others] = results;
  return only !== undefined && others.length === 0 ? only : { bundles: results };
}

async function describe(bundle: InspectedBundle): Promise<string> {
  const { sbom } = await import('#contract/bundle/bundle-paths.ts');
  const { carriesModel } = await import('#contract/bundle/model-files.ts');
  const { formatKeyId } = await import('#contract/trust/keys.ts');
  const { release, manifestSha256, size, signedBy } = bundle;
  const sbomFile = release.files.find(({ path }) => path === sbom);
  const { product, version, arch, kind, images, files, downloads, models } = release;
  const facts = formatTable([
    [
      say('release', '版本'),
      say(
        `${product} ${version} for ${arch}, ${kind}, ${formatBytes(size)}, ${files.length} files`,
        `${product} ${version}，${arch}，${translated(kind)}，${formatBytes(size)}，${files.length} 个文件`,
      ),
    ],
    [
      say('created', '构建时间'),
      say(
        `${release.created}, expires ${release.expires}`,
        `${release.created}，过期 ${release.expires}`,
      ),
    ],
    [say('data epoch', '数据世代'), String(release.dataEpoch)],
    ['release.json', manifestSha256],
    [
      say('signed by', '签名者'),
      signedBy
        ? `${formatKeyId(signedBy)}${say(
            '  (untrusted; check with landfall verify)',
            '  （未经验证；请用 landfall verify 验证）',
          )}`
        : say('none of the announced keys', '不是公布的任何密钥'),
    ],
    ...(sbomFile ? [['SBOM', `${sbom}, ${formatBytes(sbomFile.size)}, CycloneDX`]] : []),
  ]);
  const imageRows = images.map(({ component, reference, index, size: bytes, optional }) => [
    `  ${component}${optional ? say(' (optional)', '（可选）') : ''}`,
    reference,
    `${index.slice(0, 19)}…`,
    sizeOf(bytes),
  ]);
  const modelRows = models.map((model) => [
    `  ${model.name}`,
    model.manifest === null ? say('unresolved', '未确定') : `${model.manifest.slice(0, 19)}…`,
    sizeOf(model.size),
    carriesModel(release, model)
      ? say('in the bundle', '在发布包中')
      : say('pulled by the server', '由服务器下载'),
  ]);
  const outside = downloads.map(({ path, urls: [url = ''] }) => [
    say('  outside', '  外部'),
    say(`${path} from ${new URL(url).host}`, `${path}，来自 ${new URL(url).host}`),
  ]);
  const bootstrap = release.bootstrap?.map(({ name, sha256 }) => [`  ${name}`, sha256]);
  const right = { align: 'right' } as const;
  return [
    facts,
    say('images', '镜像'),
    formatTable(imageRows, [{}, {}, {}, right]),
    ...(models.length > 0 ? [say('models', '模型'), formatTable(modelRows, [{}, {}, right])] : []),
    ...(outside.length > 0 ? [formatTable(outside)] : []),
    ...(bootstrap ? [say('bootstrap, SHA-256', '引导程序的 SHA-256'), formatTable(bootstrap)] : []),
  ].join('\n');
}

function sizeOf(bytes: number | null): string {
  return bytes === null ? say('size unresolved', '大小未确定') : formatBytes(bytes);
}
