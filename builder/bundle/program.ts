import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entryPoint = fileURLToPath(new URL('../../appliance/main.ts', import.meta.url));

/**
 * The server's program as one file of plain JavaScript, with everything it imports inside: the
 * server has Node from the bundle and no packages. The same sources give the same bytes.
 */
export async function bundleProgram(): Promise<Buffer> {
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
