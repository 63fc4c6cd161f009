import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { siteFile, stoppedFile, swarmFolder } from '#contract/server-paths.ts';
import { restart, start, stop } from '../../../../appliance/commands/daily/change-stack.ts';
import { interruptionOf } from '../../../../appliance/commands/daily/interruptions.ts';
import { stackState } from '../../../../appliance/stages/stack/stack-state.ts';
import { readStopped, rememberStopped } from '../../../../appliance/stages/stack/stopped.ts';
import { contextFor, smallSite } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const services = ['engine', 'ui', 'gateway'];
const line = (name: string, state: string, status: string) => `${name}\t${state}\tFalse\t${status}`;
const healthy = (name: string) => line(name, 'running', 'Up 5 seconds (healthy)');

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text) => printed.push(text));
});
afterEach(() => vi.restoreAllMocks());

/** A server whose Docker reports these containers, and the Compose commands that ran. */
function serverWith(rows: readonly string[] = services.map(healthy), answers: Answers = {}) {
  const host = TemporaryHost.with(
    { [siteFile]: JSON.stringify(smallSite) },
    {
      'docker compose': (command) => (command.endsWith('--services') ? services.join('\n') : ''),
      'docker ps': rows.join('\n'),
      'docker exec landfall-gateway kill -HUP 1': '',
      'docker inspect': rows.map((row) => `/landfall-${row.split('\t')[0]} 0`).join('\n'),
      ...answers,
    },
  );
  const composed = () =>
    host.ran.flatMap((command) => / plain (.*)$/.exec(command)?.[1] ?? []).slice(1);
  // No chat UI responds, so no command waits for answers.
  const site = { hosts: { docs: 'docs.example.com' }, ports: { ui: 1024 } };
  return { host, context: contextFor(host, { site }), composed };
}

describe('landfall restart', () => {
  it('restarts one component, waits for it, and gives its address to the gateway', async () => {
    const { host, context, composed } = serverWith();
    await restart(context, 'ui', true);
    expect(composed()).toEqual(['restart --no-deps ui']);
    expect(host.ran.at(-1)).toBe('docker exec landfall-gateway kill -HUP 1');
    expect(printed).toEqual(['ui has been restarted and is healthy.']);
  });

  it('restarts all components except those that an administrator stopped', async () => {
    const { host, context, composed } = serverWith();
    await rememberStopped(host, 'ui');
    await restart(context, undefined, true);
    expect(composed()).toEqual(['restart --no-deps engine gateway']);
    expect([...(await readStopped(host)).keys()]).toEqual(['ui']);
  });

  it('creates a container that is missing', async () => {
    let created = false;
    const { context, composed } = serverWith(undefined, {
      'docker compose': (command) => {
        created ||= command.includes(' up ');
        return command.endsWith('--services') ? services.join('\n') : '';
      },
      'docker ps': () =>
        services
          .filter((name) => created || name !== 'ui')
          .map(healthy)
          .join('\n'),
    });
    await restart(context, 'ui', true);
    expect(composed()).toEqual(['restart --no-deps ui', 'up --detach --no-deps ui']);
  });

  it('rejects an unknown component with the names of this server', async () => {
    const { context, composed } = serverWith();
    await expect(restart(context, 'nginx', true)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'not a component of this server: nginx',
      hint: 'Choose from: engine, ui, gateway.',
    });
    expect(composed()).toEqual([]);
  });

  it('fails with the last lines of the log, without keys, if the component is unhealthy', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 6000;
      return now;
    });
    const rows = [healthy('engine'), line('ui', 'running', 'Up 1 minute (unhealthy)')];
    const log = Array.from({ length: 30 }, (_, index) => `line ${index} sk-abcdefgh12345678`);
    const { host, context } = serverWith(rows);
    const run = host.run.bind(host);
    vi.spyOn(host, 'run').mockImplementation(async (file, args, options) => {
      if (args[0] !== 'logs') return await run(file, args, options);
      for (const each of log.slice(-Number(args[2]))) options?.onLine?.(each);
      return { code: 0, stdout: '', stderr: '' };
    });
    const failure = await restart(context, 'ui', true).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'STACK_UNHEALTHY', hint: 'Run `sudo landfall doctor`.' });
    const { problems } = failure as { problems: { message: string }[] };
    expect(problems).toHaveLength(21);
    expect(problems[0]?.message).toBe('ui is running, unhealthy');
    expect(problems.at(-1)?.message).toBe('ui | line 29 ***');
  });

  it('asks on a terminal only', async () => {
    const { context, composed } = serverWith();
    vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: false } as typeof process.stdin);
    await expect(restart(context, 'ui', false)).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Run it on a terminal, or with --yes.',
    });
    expect(composed()).toEqual([]);
  });
});

describe('landfall stop and start', () => {
  const exited = [healthy('engine'), line('ui', 'exited', 'Exited (0)'), healthy('gateway')];

  it('records a stopped component until it is started', async () => {
    const { host, context, composed } = serverWith(exited);
    await stop(context, 'ui', true);
    expect(composed()).toEqual(['stop ui']);
    const now = await stackState(host);
    expect('parts' in now && now.parts.find(({ name }) => name === 'ui')).toMatchObject({
      state: 'exited',
      stoppedSince: expect.stringMatching(/^\d{4}-/),
    });
    const later = serverWith();
    await rememberStopped(later.host, 'ui');
    await start(later.context, 'ui');
    expect(later.composed()).toEqual(['up --detach --no-deps ui']);
    expect(existsSync(later.host.path(stoppedFile))).toBe(false);
    expect(printed.at(-1)).toBe('ui is running and healthy.');
  });

  it('keeps the time of the first stop', async () => {
    const { host, context } = serverWith(exited);
    await rememberStopped(host, 'ui', new Date('2026-01-02T03:04:05Z'));
    await stop(context, 'ui', true);
    expect((await readStopped(host)).get('ui')).toBe('2026-01-02T03:04:05.000Z');
  });

  it('records nothing if Docker does not stop it', async () => {
    const { host, context } = serverWith(undefined, {
      'docker compose': (command) => (command.endsWith('--services') ? 'ui' : 1),
    });
    await expect(stop(context, 'ui', true)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(existsSync(host.path(stoppedFile))).toBe(false);
  });

  it('starts all components without a name', async () => {
    const { host, context, composed } = serverWith();
    await rememberStopped(host, 'ui');
    await start(context, undefined);
    expect(composed()).toEqual(['up --detach --remove-orphans']);
    expect((await readStopped(host)).size).toBe(0);
  });

  it('ignores the record of a component that runs', async () => {
    const { host } = serverWith();
    await rememberStopped(host, 'ui');
    const now = await stackState(host);
    expect('parts' in now && now.parts.some((part) => part.stoppedSince)).toBe(false);
  });
});

describe('a node of a Swarm', () => {
  /** @param task the state of its Ollama in `docker ps`; empty on a drained node */
  function nodeWith(task: string) {
    const { host, composed } = serverWith(undefined, {
      'docker compose': (command) => (command.endsWith('--services') ? 'gateway' : ''),
      'docker ps': (command) => {
        if (!command.includes('swarm')) return healthy('gateway');
        return command.includes('--quiet') ? task && '0123abcd' : task;
      },
      'docker stop': '',
    });
    mkdirSync(host.path(swarmFolder), { recursive: true });
    writeFileSync(host.path(swarmFolder, 'node.json'), '{}');
    return { host, context: contextFor(host, { site: { role: 'engine-node' } }), composed };
  }
  const running = 'running\tUp 5 seconds (healthy)';

  it('restarts its Ollama, which Swarm starts again', async () => {
    const { host, context, composed } = nodeWith(running);
    await restart(context, 'engine', true);
    expect(host.ran).toContain('docker stop 0123abcd');
    expect(composed()).toEqual([]);
    expect(printed).toEqual(['engine has been restarted and is healthy.']);
  });

  it('restarts its Ollama with all components', async () => {
    const { host, context, composed } = nodeWith(running);
    await restart(context, undefined, true);
    expect(composed()).toEqual(['restart --no-deps gateway']);
    expect(host.ran).toContain('docker stop 0123abcd');
  });

  it('restarts all others if it is drained, and says so', async () => {
    const { context, composed } = nodeWith('');
    await restart(context, undefined, true);
    expect(composed()).toEqual(['restart --no-deps gateway']);
    expect(printed).toEqual([
      'engine: a drained node runs no Ollama; on the first server: sudo landfall node list',
      'All components have been restarted and are healthy.',
    ]);
  });

  it('fails with a hint if it is drained', async () => {
    await expect(restart(nodeWith('').context, 'engine', true)).rejects.toMatchObject({
      code: 'STACK_UNHEALTHY',
      hint: expect.stringContaining('sudo landfall node list'),
    });
  });

  it('refuses to stop and start its Ollama', async () => {
    const { host, context } = nodeWith(running);
    const refused = { code: 'USAGE', hint: expect.stringContaining('node drain') };
    await expect(stop(context, 'engine', true)).rejects.toMatchObject(refused);
    await expect(start(context, 'engine')).rejects.toMatchObject(refused);
    expect((await readStopped(host)).size).toBe(0);
  });
});

describe('the question', () => {
  it.each([
    ['ui', 'seconds', 'the chat is interrupted (for some seconds)'],
    ['ui', 'stopped', 'the chat is interrupted (until it is started again)'],
    ['notes', 'seconds', 'notes is interrupted (for some seconds)'],
    [undefined, 'seconds', expect.stringMatching(/all pages of this server/)],
  ] as const)('names what is interrupted: %s, %s', (name, lasts, text) => {
    expect(interruptionOf(name, lasts)).toEqual(text);
  });
});
