import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { silentReporter } from '../../../../appliance/server/stage/reporter.ts';
import { awaitHealth, pauseAfter } from '../../../../appliance/stages/stack/await-health.ts';
import { startServices, upkeepWarnings } from '../../../../appliance/stages/stack/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

describe('the warnings about components without releases', () => {
  it('names each enabled front-end and its flaw', () => {
    expect(upkeepWarnings({ components: { chat: true, lobe: true } })).toMatchObject([
      { kind: 'component', subject: 'chat', text: { en: expect.stringContaining('SSRF') } },
      { kind: 'component', subject: 'lobe', text: { en: expect.stringContaining('frozen') } },
    ]);
  });

  it('returns no upkeep warnings for a site without front-ends', () => {
    expect(upkeepWarnings({ components: { chat: false, lobe: false } })).toEqual([]);
  });
});

const startedAgain =
  'Error response from daemon: cannot remove container "/landfall-engine": container is running: stop the container before removing or force remove';

const noNetworkYet =
  'Error response from daemon: attaching to network failed, make sure your network options are correct and check manager logs: context deadline exceeded';

/** A server on which Compose fails with these lines, once each. */
function failing(lines: readonly string[], ports = '') {
  const left = [...lines];
  const calls: string[] = [];
  const { root } = TemporaryHost.with({}, {});
  const host = new Host(root, async (_file, args) => {
    calls.push(args.slice(-3).join(' '));
    if (args[0] !== 'compose') return { code: 0, stdout: ports, stderr: '' };
    const message = left.shift();
    if (message === undefined) return { code: 0, stdout: '', stderr: '' };
    throw new LandfallError('COMMAND_FAILED', 'docker compose failed', { problems: [{ message }] });
  });
  const said: string[] = [];
  const report = { ...silentReporter, say: (line: string) => said.push(line) };
  return { context: { host, releaseFolder: '/release', report }, calls, said };
}

const boundPort =
  'Error response from daemon: driver failed programming external connectivity on endpoint landfall-ui (7bd2): Bind for 127.0.0.1:3000 failed:…';

const up = 'up --detach --remove-orphans';

const noNetwork = 'Error response from daemon: network landfall-engines not found';

describe('the start of the services', () => {
  it.each([
    // Regression: `landfall route on` failed right after Docker had been restarted.
    ['Docker started a container again that Compose was replacing', [startedAgain, startedAgain]],
    // Regression: the first boot of the first server of a Swarm failed on a slow machine.
    ['the Swarm did not connect a container in time', [noNetworkYet, noNetwork]],
  ])('repeats the start if %s', async (_what, lines) => {
    const { context, calls, said } = failing(lines);
    await startServices(context, [0, 0]);
    expect(calls).toEqual([up, up, up]);
    expect(said).toEqual(Array(2).fill('Docker could not start every service yet; trying again'));
  });

  it('fails after the last attempt', async () => {
    const { context, calls } = failing([startedAgain, startedAgain, startedAgain]);
    const started = startServices(context, [0, 0]);
    await expect(started).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toHaveLength(3);
  });

  // Regression: an update that went back while Docker stopped was stuck with this.
  it('restarts Docker, once, if it holds a port that no container publishes', async () => {
    const { context, calls, said } = failing([boundPort, boundPort], '127.0.0.1:8888->8888/tcp');
    await expect(startServices(context, [0])).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toEqual([up, 'ps --format {{.Ports}}', 'restart docker.service', up]);
    expect(said).toEqual(['Docker holds a port of a container that is gone; restarting Docker']);
  });

  it('does not restart Docker if another container publishes the port', async () => {
    const { context, calls } = failing([boundPort], '127.0.0.1:3000->80/tcp');
    await expect(startServices(context, [0])).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toEqual([up, 'ps --format {{.Ports}}']);
  });

  it('stops the start of the services after another failure', async () => {
    const { context, calls } = failing(['no space left on device']);
    await expect(startServices(context)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toEqual([up]);
  });
});

const stateOf = (name: string, health: string) =>
  `${name}\trunning\tFalse\tUp 5 seconds (${health})\n`;

describe('waiting for the stack', () => {
  it('ends once every service is healthy, with progress', async () => {
    let looks = 0;
    const host = TemporaryHost.with(
      {},
      {
        docker: (line) => {
          if (line.endsWith(' config --services')) return 'ui\ngateway\n';
          looks += 1;
          const health = looks === 1 ? 'health: starting' : 'healthy';
          return stateOf('ui', 'healthy') + stateOf('gateway', health);
        },
      },
    );
    const done: number[] = [];
    const context = contextFor(host);
    const report = { ...context.report, progress: (it: { done: number }) => done.push(it.done) };
    await awaitHealth({ ...context, report });
    expect(done).toEqual([1, 2]);
  });

  it('polls often in the first seconds, and then once per second', () => {
    expect([0, 9_999].map(pauseAfter)).toEqual([250, 250]);
    expect([10_000, 600_000].map(pauseAfter)).toEqual([1000, 1000]);
  });
});
