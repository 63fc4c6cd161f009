import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type BundledPackage, packagesOf } from '../../bundle/archive/bundled-program.ts';
import { esbuildOptions } from '../../bundle/archive/program.ts';

/** Optional parts of packages: native code. */
const optional = ['*/sshcrypto.node', 'cpu-features'];

/**
 * Bundles the builder's command line, each command in a file of its own, so that starting one loads no
 * more than it needs.
 * @param root the checkout
 * @param folder where the files go, two levels below the root
 * @returns the packages inside
 */
export async function bundleCommand(root: string, folder: string): Promise<BundledPackage[]> {
  const { metafile } = await build({
    ...esbuildOptions,
    entryPoints: { cli: 'builder/bin/cli.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    external: ['esbuild', ...optional],
    plugins: [sourceUrls(root)],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  return await packagesOf(Object.keys(metafile.inputs), root);
}

/** Sources find files beside them by `import.meta.url`, which in a bundle is that of the bundle. */
function sourceUrls(root: string): Plugin {
  return {
    name: 'source-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\/(?:builder|appliance)\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (path.includes('/node_modules/') || !source.includes(', import.meta.url)')) return null;
        const url = `new URL(${JSON.stringify(`../../${relative(root, path)}`)}, import.meta.url).href`;
        return { contents: source.replaceAll(', import.meta.url)', `, ${url})`), loader: 'ts' };
      });
    },
  };
}
