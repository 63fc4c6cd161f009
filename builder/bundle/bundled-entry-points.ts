/**
 * Files that esbuild bundles instead of the main file of a package. The main file of jsonc-parser is
 * UMD, whose own imports esbuild does not find.
 */
export const bundledEntryPoints: Record<string, string> = {
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
};
