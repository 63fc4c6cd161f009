import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/** Major version of the installed engine, or nothing when there is none. */
export async function engineMajor(host: Host): Promise<number | undefined> {
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
type EngineInfo = z.infer<typeof infoSchema>;

/**
 * What the running engine says of itself.
 * @throws LandfallError COMMAND_FAILED, ENGINE_UNREACHABLE
 */
export async function engineInfo(host: Host): Promise<EngineInfo> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .}}']);
  const parsed = infoSchema.safeParse(JSON.parse(stdout));
  if (parsed.success) return parsed.data;
  throw new LandfallError('ENGINE_UNREACHABLE', 'the Docker engine does not answer as it should', {
    hint: 'See: sudo systemctl status docker; sudo journalctl -u docker',
  });
}

const routesSchema = z.array(z.object({ dst: z.string() }));

/** The destinations that the server has routes to, IPv4. */
export async function routeDestinations(host: Host): Promise<string[]> {
  const { stdout } = await host.run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
  return routesSchema.parse(JSON.parse(stdout)).map(({ dst }) => dst);
}

/** First engine that can judge a file of settings without starting. */
const validatesFrom = 23;

/**
 * Has the engine itself judge settings before they replace those that work.
 * @param path absolute path of the proposed file
 * @throws LandfallError ENGINE_SETTINGS
 */
export async function validateSettings(host: Host, path: string, engine: number): Promise<void> {
  if (engine < validatesFrom) return;
  try {
    await host.run('dockerd', ['--validate', '--config-file', path]);
  } catch (cause) {
    if (!(cause instanceof LandfallError)) throw cause;
    throw new LandfallError('ENGINE_SETTINGS', 'the engine does not take these settings', {
      hint: 'Mend or remove /etc/docker/daemon.json.',
      problems: cause.problems,
      cause,
    });
  }
}
