import { describe, expect, it } from 'vitest';
import { ensureEnabled, withoutFirstStart } from '../../../appliance/host/systemd.ts';
import { firstStartAnswers } from '../answers.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

const units = ['docker.service', 'docker.socket'] as const;
const masked = 'systemctl mask --runtime --quiet --no-reload docker.service docker.socket';
const unmasked = 'systemctl unmask --runtime --quiet docker.service docker.socket';

describe('a service that is installed without its first start', () => {
  async function install(answers: Answers, run: (host: TemporaryHost) => Promise<unknown>) {
    const host = TemporaryHost.with({}, { ...firstStartAnswers, 'apt-get': '', ...answers });
    const error = await withoutFirstStart(host, units, async () => {
      await run(host);
    }).catch((reason: unknown) => reason);
    return { ran: host.ran.slice(1), error };
  }
  const stopped: Answers = { 'systemctl is-active': 3 };

  it('is masked while its package is installed, with its socket', async () => {
    const { ran } = await install(stopped, (host) => host.run('apt-get', ['install']));
    expect(ran).toEqual([masked, 'apt-get install', unmasked]);
  });

  it('can be started again where its installation failed', async () => {
    const answers = { ...stopped, 'apt-get': 100 };
    const { ran, error } = await install(answers, (host) => host.run('apt-get', ['install']));
    expect(error).toMatchObject({ code: 'COMMAND_FAILED' });
    expect(ran.at(-1)).toBe(unmasked);
  });

  it('loses the mask that a kill left, though nothing is installed any more', async () => {
    expect((await install(stopped, async () => {})).ran.at(-1)).toBe(unmasked);
  });

  it('is not masked where it runs already', async () => {
    expect((await install({ 'systemctl is-active': 0 }, async () => {})).ran).toEqual([unmasked]);
  });
});

describe('a unit that starts at boot', () => {
  it.each([
    ['is enabled where it is not', 1, ['systemctl enable --quiet docker.service']],
    ['is left alone where it is', 0, []],
  ])('%s', async (_what, code, ran) => {
    const host = TemporaryHost.with(
      {},
      { 'systemctl is-enabled': code, 'systemctl enable --quiet docker.service': '' },
    );
    await ensureEnabled(host, 'docker.service');
    expect(host.ran.slice(1)).toEqual(ran);
  });
});
