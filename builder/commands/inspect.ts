import { resolve } from 'node:path';
import { Command } from 'commander';
import { formatBytes } from '#contract/text/amount.ts';
import { formatTable } from '#contract/text/table.ts';
import type { InspectedBundle } from '../bundle/archive/inspect-bundle.ts';
import type { CommandContext } from './context.ts';

const example = `
Example:
  landfall inspect landfall-1.0.0-amd64.tar

Reads only the head of the bundle. The key that it prints comes from the bundle and is untrusted:
use \`landfall verify --key\` to verify the signature with a key that you trust.
`;

/** `landfall inspect`: prints the contents, size and signing key from the head of a bundle. */
export function inspectCommand(context: CommandContext) {
  return new Command('inspect')
    .description('print the contents of a bundle without verifying it')
    .argument('<bundle>', 'path of the .tar file, of any part of it, or of a folder with bundles')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
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
      'release',
      `${product} ${version} for ${arch}, ${kind}, ${formatBytes(size)}, ${files.length} files`,
    ],
    ['created', `${release.created}, expires ${release.expires}`],
    ['data epoch', String(release.dataEpoch)],
    ['release.json', manifestSha256],
    [
      'signed by',
      signedBy
        ? `${formatKeyId(signedBy)}  (untrusted; check with landfall verify)`
        : 'none of the announced keys',
    ],
    ...(sbomFile ? [['SBOM', `${sbom}, ${formatBytes(sbomFile.size)}, CycloneDX`]] : []),
  ]);
  const imageRows = images.map(({ component, reference, index, size: bytes, optional }) => [
    `  ${component}${optional ? ' (optional)' : ''}`,
    reference,
    `${index.slice(0, 19)}…`,
    bytes === null ? 'size unresolved' : formatBytes(bytes),
  ]);
  const modelRows = models.map((model) => [
    `  ${model.name}`,
    model.manifest === null ? 'unresolved' : `${model.manifest.slice(0, 19)}…`,
    model.size === null ? 'size unresolved' : formatBytes(model.size),
    carriesModel(release, model) ? 'in the bundle' : 'pulled by the server',
  ]);
  const outside = downloads.map(({ path, urls: [url = ''] }) => [
    '  outside',
    `${path} from ${new URL(url).host}`,
  ]);
  const bootstrap = release.bootstrap?.map(({ name, sha256 }) => [`  ${name}`, sha256]);
  const right = { align: 'right' } as const;
  return [
    facts,
    'images',
    formatTable(imageRows, [{}, {}, {}, right]),
    ...(models.length > 0 ? ['models', formatTable(modelRows, [{}, {}, right])] : []),
    ...(outside.length > 0 ? [formatTable(outside)] : []),
    ...(bootstrap ? ['bootstrap, SHA-256', formatTable(bootstrap)] : []),
  ].join('\n');
}
