import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundledEntryPoints } from '../bundle/program.ts';

/** Optional parts of packages: native code, and the SBOM library's ways to write XML. */
const optional = ['*/sshcrypto.node', 'cpu-features', 'libxmljs2', 'xmlbuilder2'];

/**
 * Bundles the builder's command line, each command in a file of its own, so that starting one loads no
 * more than it needs.
 * @param root the checkout
 * @param folder where the files go, two levels below the root
 * @returns folders of the packages inside, from the root
 */
export async function bundleCommand(root: string, folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    preserveSymlinks: true,
    entryPoints: { cli: 'builder/cli.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    alias: bundledEntryPoints,
    format: 'esm',
    metafile: true,
    legalComments: 'none',
    // Halves the files; names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
    external: ['esbuild', ...optional],
    plugins: [sourceUrls(root)],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  return foldersIn(Object.keys(metafile.inputs));
}

/** Returns the folders of the packages that files are in, sorted. */
export function foldersIn(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => folderOf(path) ?? []))].sort();
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

function folderOf(path: string): string | undefined {
  return /^(.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}
