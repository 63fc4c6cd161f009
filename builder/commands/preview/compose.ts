import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { composeFolder } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { overridesFile } from '../../../appliance/stages/stack/render-stack.ts';
import type { Docker, ProgramEnd } from './docker/docker.ts';
import type { PreviewFolder } from './state.ts';

/** The generated Compose file, in the folder of the preview. */
export const overrideFile = 'preview.yaml';

/** Runs Compose on the stack of a preview. */
export async function compose(
  docker: Docker,
  folder: PreviewFolder,
  project: string,
  args: readonly string[],
  onLine?: (line: string) => void,
): Promise<ProgramEnd> {
  // A server has the files of the stack in `/var/lib/landfall`.
  const [server, bundled] = [join(folder.path, 'server'), join(folder.path, composeFolder)];
  const overrides = (await folder.read(`server/stack/${overridesFile}`)) ?? '';
  const files = ['compose.yaml', ...overrides.split('\n').filter(Boolean)]
    .map((name) => join(bundled, name))
    // An older bundle may lack one.
    .filter(existsSync)
    .concat(join(folder.path, overrideFile));
  const fixed = [
    ...['--project-name', project, '--project-directory', bundled],
    ...files.flatMap((file) => ['--file', file]),
    ...['--env-file', join(server, 'stack', '.env'), '--ansi', 'never'],
    ...['--progress', 'plain'],
  ];
  return await docker.run(['compose', ...fixed, ...args], {
    env: { LANDFALL_STATE: server },
    anyCode: true,
    ...(onLine ? { onLine } : {}),
  });
}

const configSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ ports: z.array(z.object({ host_ip: z.string().optional() })).optional() }),
  ),
});

/**
 * Checks that Compose publishes ports on the loopback address only. A stack of one's own may publish
 * others, and a preview has no firewall.
 * @throws LandfallError COMPOSE_INVALID
 */
export async function needLoopbackOnly(
  docker: Docker,
  folder: PreviewFolder,
  project: string,
): Promise<void> {
  const end = await compose(docker, folder, project, ['config', '--format', 'json']);
  if (end.code !== 0) throw invalid('Docker Compose rejects the stack', end.stderr);
  const { services } = configSchema.parse(JSON.parse(end.stdout));
  const open = Object.entries(services)
    .filter(([, { ports = [] }]) => ports.some(({ host_ip }) => host_ip !== '127.0.0.1'))
    .map(([name]) => name);
  if (open.length === 0) return;
  throw invalid('the stack publishes ports on other addresses than 127.0.0.1', open.join('\n'));
}

function invalid(message: string, lines: string): LandfallError {
  return new LandfallError('COMPOSE_INVALID', message, {
    hint: 'Change compose.yaml of the appliance, then build the bundle again.',
    problems: lines
      .split('\n')
      .slice(-6)
      .map((line) => ({ message: line })),
  });
}
