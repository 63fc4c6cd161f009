import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entryPoints = {
  engine: '../../stand-ins/engine/main.ts',
  ui: '../../stand-ins/ui/main.ts',
  frontEnd: '../../stand-ins/front-ends/main.ts',
  relay: '../../../appliance/relay/node/main.ts',
} as const;

/** The programs of the stand-ins and the real relay, each bundled into one JavaScript file. */
export async function standInPrograms(): Promise<Record<keyof typeof entryPoints, string>> {
  const [engine, ui, frontEnd, relay] = await Promise.all([
    bundled(entryPoints.engine),
    bundled(entryPoints.ui),
    bundled(entryPoints.frontEnd),
    bundled(entryPoints.relay),
  ]);
  return { engine, ui, frontEnd, relay };
}

async function bundled(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entryPoint, import.meta.url))],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    // CommonJS packages call require for Node's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild produced no output');
  return output.text;
}
