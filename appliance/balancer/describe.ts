import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import type { BalancerState, EngineState } from './states.ts';
import type { NodeTest } from './test-node.ts';

/** A server with its release, and the models that the site lists for it. */
type ListedEngine = EngineState & {
  readonly release?: string | undefined;
  readonly models?: readonly string[];
};

/** Columns of a terminal that the table fits into. */
const maxWidth = 100;
const maxRelease = 10;

/** Formats the servers as a table. */
export function describeEngines({
  servers,
  waiting,
}: Pick<BalancerState, 'waiting'> & { readonly servers: readonly ListedEngine[] }): string {
  const rows = servers.map((server) => [
    server.name,
    server.state,
    plainLine(server.release ?? '-', maxRelease),
    ...[server.inFlight, server.waiting, server.perMinute, server.failed].map(String),
  ]);
  const head = ['NAME', 'STATE', 'RELEASE', 'IN FLIGHT', 'WAITING', 'PER MIN', 'FAILED'];
  const right = { align: 'right' } as const;
  const lines = alignRows([head, ...rows], [{}, {}, {}, right, right, right, right]);
  const room = maxWidth - 2 - Math.max(...lines.map((line) => line.length));
  const models = ['MODELS', ...servers.map((server) => modelsWithin(server.models, room))];
  const reasons = servers.flatMap(({ name, reason }) =>
    reason === undefined ? [] : [`${name} is down: ${plainLine(reason, 200)}`],
  );
  return [
    ...lines.map((line, index) => `${line}  ${models[index] ?? ''}`.trimEnd()),
    ...(waiting > 0 ? [`${waiting} more requests wait for any server.`] : []),
    ...reasons,
  ].join('\n');
}

/** Returns as many names as there is room for, and the number of the others. */
function modelsWithin(models: readonly string[] | undefined, room: number): string {
  const texts = models
    ? models.map((_, index) => {
        const shown = models.length - index;
        return [...models.slice(0, shown), ...(index > 0 ? [`+${index}`] : [])].join(', ');
      })
    : ['as on this server'];
  return texts.find((text) => text.length <= room) ?? (models ? `${models.length}` : 'same');
}

/** Formats the result of a test. */
export function describeTest({ name, version, model, speed }: NodeTest): string {
  const answer = model === undefined ? [] : [`${model} generates ${speed} tokens per second`];
  return [`${name}: Ollama ${version}`, ...answer].join('; ');
}
