import { z } from 'zod';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../../server/host/host.ts';
import { engineService } from './stack-file.ts';

const taskSchema = z.array(
  z.object({
    NodeID: z.string().default(''),
    DesiredState: z.string(),
    Status: z.object({ State: z.string(), Err: z.string().default('') }),
    NetworksAttachments: z.array(z.object({ Addresses: z.array(z.string()).nullish() })).nullish(),
  }),
);

/** The Ollama of a node, as Swarm sees it. */
export interface EngineTask {
  readonly nodeId: string;
  /** `running`, `preparing`, `rejected`, …. */
  readonly state: string;
  readonly error: string;
  /** On the overlay. */
  readonly addresses: readonly string[];
}

/** Returns the tasks that should run, one per node; none without the service. Only the manager knows them. */
export async function engineTasks(host: Host): Promise<EngineTask[]> {
  const list = ['service', 'ps', '--quiet', '--no-trunc', engineService];
  const { stdout: ids } = await host.run('docker', list, { accept: [1] });
  const tasks = ids.split('\n').filter((id) => id !== '');
  if (tasks.length === 0) return [];
  const { stdout } = await host.run('docker', ['inspect', '--type', 'task', ...tasks], {
    accept: [1],
  });
  const found = readJson(taskSchema, stdout) ?? [];
  const current = found.filter((task) => task.DesiredState !== 'shutdown');
  return current.map(({ NodeID, Status, NetworksAttachments }) => ({
    nodeId: NodeID,
    state: plainLine(Status.State, 40),
    error: plainLine(Status.Err, 300),
    addresses: (NetworksAttachments ?? [])
      .flatMap(({ Addresses }) => Addresses ?? [])
      .map((text) => text.replace(/\/\d+$/, '')),
  }));
}
