import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { siteFile, swarmFolder } from '#contract/server-paths.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import type { RunCommand } from '../../../../appliance/server/host/run/command.ts';
import { halfReplaced, stackState } from '../../../../appliance/stages/stack/stack-state.ts';
import { smallSite } from '../../context.ts';
import { type Answer, TemporaryHost } from '../../temporary-host.ts';

/** A line of `docker ps` with the requested columns. */
const line = (name: string, state: string, status: string, oneoff = 'False') =>
  [name, state, oneoff, status].join('\t');
const always = ['engine', 'ui', 'tinyproxy', 'gateway'];
const allUp = always.map((name) => line(name, 'running', 'Up 5 minutes (healthy)'));

async function partsOf(answer: Answer, site: object = smallSite) {
  const host = TemporaryHost.with({ [siteFile]: JSON.stringify(site) }, { 'docker ps': answer });
  const now = await stackState(host);
  return 'parts' in now ? now.parts : now;
}

describe('the state of the components', () => {
  it('reads the state of the components from Docker for the project', async () => {
    const host = TemporaryHost.with({}, { 'docker ps': allUp.join('\n') });
    await stackState(host);
    expect(host.ran).toEqual([
      expect.stringContaining('ps --all --filter label=com.docker.compose.project=landfall '),
    ]);
    expect(await partsOf(allUp.join('\n'))).toEqual(
      always.map((name) => ({ name, state: 'running', health: 'healthy' })),
    );
  });

  it.each([
    ['Up 2 seconds (health: starting)', 'starting'],
    ['Up 3 hours (unhealthy)', 'unhealthy'],
    ['Up 3 hours', ''],
    ['Exited (137) 2 hours ago', ''],
    ['Restarting (1) 5 seconds ago', ''],
  ])('includes the health: %s', async (status, health) => {
    expect(await partsOf(line('engine', 'running', status))).toContainEqual({
      name: 'engine',
      state: 'running',
      health,
    });
  });

  it('reports enabled components without a container as missing', async () => {
    const site = { ...smallSite, components: { chat: true, lobe: false } };
    const parts = await partsOf(allUp.slice(1).join('\n'), site);
    const missing = { state: 'missing', health: '' };
    expect(parts).toEqual(
      expect.arrayContaining(['engine', 'chat', 'relay'].map((name) => ({ name, ...missing }))),
    );
    expect(parts).toHaveLength(6);
  });

  it('excludes one-off containers, such as that of lego', async () => {
    const once = line('acme', 'exited', 'Exited (1) 2 minutes ago', 'True');
    expect(await partsOf([...allUp, once].join('\n'))).toHaveLength(4);
  });

  it('reads the state from Docker only if the site is unreadable', async () => {
    expect(await partsOf(line('engine', 'exited', 'Exited (0)'), [])).toEqual([
      { name: 'engine', state: 'exited', health: '' },
    ]);
  });

  it.each([
    ['running\tUp 5 minutes (healthy)\nexited\tExited (0)', 'running', 'healthy'],
    ['', 'missing', ''],
  ])('includes the newest task of a node of a Swarm: %s', async (tasks, state, health) => {
    const host = TemporaryHost.with(
      {
        [siteFile]: JSON.stringify({ ...smallSite, role: 'engine-node' }),
        [`${swarmFolder}/node.json`]: 'damaged',
      },
      { 'docker ps': (command) => (command.includes('swarm') ? tasks : allUp.slice(2).join('\n')) },
    );
    const now = await stackState(host);
    const engine = 'parts' in now && now.parts.find(({ name }) => name === 'engine');
    expect(engine).toEqual({ name: 'engine', state, health, isTask: true });
  });

  it('always includes the services of compose.yaml without a profile', () => {
    const file = new URL('../../../../compose/compose.yaml', import.meta.url);
    const { services } = z
      .object({ services: z.record(z.string(), z.object({ profiles: z.unknown() }).partial()) })
      .parse(parse(readFileSync(file, 'utf8')));
    const wanted = Object.entries(services).flatMap(([name, { profiles }]) =>
      profiles === undefined ? [name] : [],
    );
    expect(wanted.sort()).toEqual([...always].sort());
  });
});

describe('Docker that does not respond', () => {
  const reasonOf = async (run: RunCommand) => await stackState(new Host('/nowhere', run));

  it('times out after 10 seconds', async () => {
    const seconds: unknown[] = [];
    const run: RunCommand = async (_file, _args, options) => {
      seconds.push(options?.seconds);
      throw new LandfallError('COMMAND_FAILED', 'docker ps timed out after 10 seconds');
    };
    expect(await reasonOf(run)).toEqual({ engine: 'no response within 10 s' });
    expect(seconds).toEqual([10]);
  });

  it('reports Docker that does not respond with the cause', async () => {
    const problems = [{ message: 'Cannot connect to the Docker daemon.' }];
    const failed = new LandfallError('COMMAND_FAILED', 'docker ps exited with code 1', {
      problems,
    });
    expect(await reasonOf(async () => Promise.reject(failed))).toEqual({
      engine: 'Cannot connect to the Docker daemon.',
    });
  });

  it('may not be installed', async () => {
    const none = new LandfallError('TOOL_MISSING', 'docker: command not found on this server');
    expect(await reasonOf(async () => Promise.reject(none))).toEqual({
      engine: 'docker: command not found on this server',
    });
  });
});

describe('containers that a power cut left half replaced', () => {
  it('finds those with the temporary name of Compose only', async () => {
    const names = [
      'landfall-ui',
      '0123456789ab_landfall-gateway',
      'my_landfall-notes',
      'x_landfall-ui',
    ];
    const host = TemporaryHost.with({}, { 'docker ps --all': names.join('\n') });
    expect(await halfReplaced(host)).toEqual(['0123456789ab_landfall-gateway']);
  });
});
