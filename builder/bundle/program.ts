import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Program } from '../config/appliance-schema.ts';

/** The server's program, `program/landfall.mjs` in a bundle. */
export function bundleProgram(): Promise<Buffer> {
  return bundled('appliance/main.ts');
}

/** Programs that run in images of their own, each as one file. */
export type Scripts = ReadonlyMap<Program, Buffer>;

const entryPoints: Readonly<Record<Program, string>> = { relay: 'appliance/relay/node/main.ts' };

/** Bundles the programs that images are assembled with. */
export async function bundleScripts(programs: readonly Program[]): Promise<Scripts> {
  return new Map(
    await Promise.all(
      [...new Set(programs)].map(async (name) => [name, await bundled(entryPoints[name])] as const),
    ),
  );
}

/**
 * A program as one file of plain JavaScript, with everything it imports inside: where it runs there
 * is Node and no package. The same sources give the same bytes.
 */
async function bundled(path: string): Promise<Buffer> {
  const entryPoint = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    // Packages in CommonJS call require for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild gave no output');
  return Buffer.from(output.contents);
}
