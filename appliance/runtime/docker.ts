import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/** Returns the major version of the installed Docker, or undefined if there is none. */
export async function dockerMajor(host: Host): Promise<number | undefined> {
  try {
    const { stdout } = await host.run('dockerd', ['--version']);
    const major = /version (\d+)\./.exec(stdout)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
    throw error;
  }
}

const infoSchema = z.object({
  ServerVersion: z.string().min(1),
  LoggingDriver: z.string(),
  LiveRestoreEnabled: z.boolean(),
});
type DockerInfo = z.infer<typeof infoSchema>;

/**
 * Returns the properties of the running Docker.
 * @throws LandfallError COMMAND_FAILED, DOCKER_UNREACHABLE
 */
export async function dockerInfo(host: Host): Promise<DockerInfo> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .}}']);
  const parsed = infoSchema.safeParse(JSON.parse(stdout));
  if (parsed.success) return parsed.data;
  throw new LandfallError('DOCKER_UNREACHABLE', 'Docker returned an unexpected response', {
    hint: 'Check the service: sudo systemctl status docker; sudo journalctl -u docker',
  });
}

const routesSchema = z.array(z.object({ dst: z.string() }));

/** Returns the destinations of the server's IPv4 routes. */
export async function routeDestinations(host: Host): Promise<string[]> {
  const { stdout } = await host.run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
  return routesSchema.parse(JSON.parse(stdout)).map(({ dst }) => dst);
}

/** First version of dockerd with `--validate`. */
const validatesFrom = 23;

/**
 * Validates proposed settings with dockerd before they replace working ones. Does nothing for old
 * versions.
 * @param path absolute path of the proposed file
 * @param version major version of Docker
 * @throws LandfallError DOCKER_SETTINGS
 */
export async function validateSettings(host: Host, path: string, version: number): Promise<void> {
  if (version < validatesFrom) return;
  try {
    await host.run('dockerd', ['--validate', '--config-file', path]);
  } catch (cause) {
    if (!(cause instanceof LandfallError)) throw cause;
    throw new LandfallError('DOCKER_SETTINGS', 'Docker rejected the settings', {
      hint: 'Fix or remove /etc/docker/daemon.json.',
      problems: cause.problems,
      cause,
    });
  }
}
