import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import type { Program } from '../../inputs/config/appliance-schema.ts';
import { recipes } from '../assemble/recipes.ts';
import { type BundledProgram, packagesOf, prebuiltProgram } from './bundled-program.ts';

/** Bundles the server's program, `program/landfall.mjs` in a bundle. */
export function bundleProgram(): Promise<BundledProgram> {
  return bundled('appliance/commands/main.ts', [leanUndici]);
}

/** Programs of assembled images. */
export type Scripts = ReadonlyMap<Program, BundledProgram>;

/** Bundles the programs of assembled images. */
export async function bundleScripts(programs: readonly Program[]): Promise<Scripts> {
  return new Map(
    await Promise.all(
      [...new Set(programs)].map(
        async (name) => [name, await bundled(recipes[name].entryPoint)] as const,
      ),
    ),
  );
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Puts what the program reads in docs/ into it, because servers have no documents. */
const documents: Plugin = {
  name: 'documents',
  setup({ onLoad }) {
    const filter = /\/(?:operations\/doctor\/pages|stages\/stack\/pages\/site-fields)\.ts$/;
    onLoad({ filter }, async ({ path }) => {
      const values = Object.entries(await import(path));
      const lines = values.map(
        // Each command evaluates it: JSON takes a tenth of the time of a literal.
        ([name, value]) =>
          `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: lines.join('\n') };
    });
  },
};

/** Parts of packages that no program uses, and what stands in their place: an eighth of the bytes. */
const unused: readonly (readonly [filter: RegExp, contents: string])[] = [
  // zod's error messages in other languages than English.
  [/\/zod\/v4\/locales\/index\.js$/, "export { default as en } from './en.js';"],
  // nodemailer's table of types by file name: our mails have no attachments.
  [
    /\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/,
    "export const detectMimeType = () => 'application/octet-stream', detectExtension = () => 'bin';",
  ],
];

const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({ onLoad }) {
    for (const [filter, contents] of unused) onLoad({ filter }, () => ({ contents }));
  },
};

/** Only for the program of a server: the relay uses more of undici, with Node's own fetch. */
const leanUndici: Plugin = {
  name: 'lean-undici',
  setup({ initialOptions, onResolve, onLoad }) {
    const path = fileURLToPath(new URL('undici.cjs', import.meta.url));
    onResolve({ filter: /^undici$/ }, () => ({ path }));
    // Of its three parsers in WebAssembly, the one that runs on all processors. As in Node itself,
    // the define leaves out the experimental one.
    initialOptions.define = {
      esbuildDetection: '1',
      'process.env.UNDICI_NO_WASM_SIMD': '"1"',
    };
    // `fetch` and its forms, which no request of ours uses, and the second parser.
    onLoad({ filter: /\/undici\/lib\/(?:web\/|llhttp\/llhttp_simd)/ }, () => ({ contents: '' }));
  },
};

/**
 * Files that esbuild bundles instead of the main file of a package. The main file of jsonc-parser is
 * UMD, whose own imports esbuild does not find.
 */
export const bundledEntryPoints: Record<string, string> = {
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
};

/** esbuild's options for all programs of Landfall. */
export const esbuildOptions = {
  // esbuild writes paths into comments: relative to the root, they are the same on every machine.
  absWorkingDir: root,
  // Keeps the paths of packages in a linked node_modules.
  preserveSymlinks: true,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  alias: bundledEntryPoints,
  metafile: true,
  // Halves the files, and so the memory of their sources: with one character of a comment that is not
  // ASCII, V8 stores every character in two bytes. Names stay, for stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles a program and its imports into one JavaScript file, because servers and images have Node
 * but no packages. The output is reproducible.
 * @param options the entry point, from the root, and what differs from `esbuildOptions`
 */
export async function bundleFile(
  options: Pick<BuildOptions, 'entryPoints' | 'plugins' | 'banner'>,
): Promise<BundledProgram> {
  // The npm package does without esbuild.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({ ...esbuildOptions, ...options, write: false });
  const [output] = outputFiles;
  const [made] = Object.values(metafile.outputs);
  if (!output || !made) throw new Error('esbuild returned no output');
  const used = Object.entries(made.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const paths = used.map(([path]) => path);
  return { bytes: Buffer.from(output.contents), packages: await packagesOf(paths, root) };
}

/** Programs of this process, by entry point: the sources do not change while it runs. */
const known = new Map<string, Promise<BundledProgram>>();

function bundled(path: string, plugins: readonly Plugin[] = []): Promise<BundledProgram> {
  const program = known.get(path) ?? bundleOnce(path, plugins);
  known.set(path, program);
  return program;
}

async function bundleOnce(path: string, plugins: readonly Plugin[]): Promise<BundledProgram> {
  const prebuilt = await prebuiltProgram(root, path);
  if (prebuilt) return prebuilt;
  return await bundleFile({
    entryPoints: [path],
    plugins: [documents, withoutUnused, ...plugins],
    // CommonJS packages load Node's built-in modules with require.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}
