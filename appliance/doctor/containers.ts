import { z } from 'zod';
import type { Host } from '../host/host.ts';

/** The fields of `docker inspect` that the checks use. */
const schema = z.array(
  z.object({
    Name: z.string(),
    State: z.object({
      Running: z.boolean(),
      Pid: z.number(),
      OOMKilled: z.boolean().optional(),
    }),
    Config: z.object({ Env: z.array(z.string()).nullish() }),
    HostConfig: z.object({
      NetworkMode: z.string(),
      ExtraHosts: z.array(z.string()).nullish(),
    }),
    NetworkSettings: z.object({
      Networks: z.record(z.string(), z.object({ Aliases: z.array(z.string()).nullish() })),
    }),
  }),
);

/** A container of this server, Landfall's or not. */
export interface Container {
  readonly name: string;
  readonly running: boolean;
  /** Of its first process on the server; 0 if it is not running. */
  readonly pid: number;
  /** Whether the kernel killed it for lack of memory. */
  readonly outOfMemory: boolean;
  readonly env: readonly string[];
  readonly networkMode: string;
  readonly extraHosts: readonly string[];
  /** The names of other containers' aliases are in the networks that they share. */
  readonly networks: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns all containers of this server. Must be run as root.
 * @throws LandfallError COMMAND_FAILED, TOOL_MISSING if Docker does not respond
 */
export async function allContainers(host: Host): Promise<Container[]> {
  const { stdout: ids } = await host.run('docker', ['ps', '--all', '--quiet', '--no-trunc']);
  const list = ids.split('\n').filter((id) => id !== '');
  if (list.length === 0) return [];
  // A container may have been removed since.
  const { stdout } = await host.run('docker', ['inspect', ...list], { accept: [1] });
  return schema.parse(JSON.parse(stdout)).map((each) => ({
    name: each.Name.replace(/^\//, ''),
    running: each.State.Running,
    pid: each.State.Pid,
    outOfMemory: each.State.OOMKilled === true,
    env: each.Config.Env ?? [],
    networkMode: each.HostConfig.NetworkMode,
    extraHosts: each.HostConfig.ExtraHosts ?? [],
    networks: Object.fromEntries(
      Object.entries(each.NetworkSettings.Networks).map(([name, { Aliases }]) => [
        name,
        Aliases ?? [],
      ]),
    ),
  }));
}
