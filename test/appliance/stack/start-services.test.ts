import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../../../appliance/host/host.ts';
import { startServices } from '../../../appliance/stack/start-services.ts';
import { TemporaryHost } from '../temporary-host.ts';

const startedAgain =
  'Error response from daemon: cannot remove container "/landfall-engine": container is running: stop the container before removing or force remove';

/** A server on which Compose fails with these lines, once each. */
function failing(lines: readonly string[]) {
  const left = [...lines];
  const calls: string[] = [];
  const { root } = TemporaryHost.with({}, {});
  const host = new Host(root, async (_file, args) => {
    calls.push(args.slice(-3).join(' '));
    const message = left.shift();
    if (message === undefined) return { code: 0, stdout: '', stderr: '' };
    throw new LandfallError('COMMAND_FAILED', 'docker compose failed', { problems: [{ message }] });
  });
  return { host, calls };
}

const up = 'up --detach --remove-orphans';

describe('the start of the services', () => {
  // Regression: `landfall route on` failed right after Docker had been restarted.
  it('is repeated if Docker started a container again that Compose was replacing', async () => {
    const { host, calls } = failing([startedAgain, startedAgain]);
    await startServices(host, '/release');
    expect(calls).toEqual([up, up, up]);
  });

  it('fails after three attempts', async () => {
    const { host, calls } = failing([startedAgain, startedAgain, startedAgain]);
    await expect(startServices(host, '/release')).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toHaveLength(3);
  });

  it('is not repeated after another failure', async () => {
    const { host, calls } = failing(['no space left on device']);
    await expect(startServices(host, '/release')).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(calls).toEqual([up]);
  });
});
