import { fileURLToPath } from 'node:url';
import { recipes } from '../assemble/recipes.ts';
import type { Program } from '../config/appliance-schema.ts';
import { packagesOf } from './bundled-packages.ts';
import { type BundledProgram, prebuiltProgram } from './prebuilt-program.ts';

/** The server's program, `program/landfall.mjs` in a bundle. */
export function bundleProgram(): Promise<BundledProgram> {
  return bundled('appliance/main.ts');
}

/** Programs that run in images of their own. */
export type Scripts = ReadonlyMap<Program, BundledProgram>;

/** Bundles the programs that images are assembled with. */
export async function bundleScripts(programs: readonly Program[]): Promise<Scripts> {
  return new Map(
    await Promise.all(
      [...new Set(programs)].map(
        async (name) => [name, await bundled(recipes[name].entryPoint)] as const,
      ),
    ),
  );
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A program as one file of plain JavaScript, with everything it imports inside: where it runs there
 * is Node and no package. The same sources give the same bytes.
 */
async function bundled(path: string): Promise<BundledProgram> {
  const prebuilt = await prebuiltProgram(root, path);
  if (prebuilt) return prebuilt;
  // The npm package does without esbuild.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    // Its comments name files from here, wherever somebody builds.
    absWorkingDir: root,
    // A linked folder of packages is still that folder.
    preserveSymlinks: true,
    entryPoints: [path],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    write: false,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
    // Packages in CommonJS call require for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const [output] = outputFiles;
  const [made] = Object.values(metafile.outputs);
  if (!output || !made) throw new Error('esbuild gave no output');
  const inputs = Object.entries(made.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    bytes: Buffer.from(output.contents),
    packages: await packagesOf(
      inputs.map(([input]) => input),
      root,
    ),
  };
}
