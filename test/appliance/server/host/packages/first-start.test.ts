import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutFirstStart } from '../../../../../appliance/server/host/packages/first-start.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const units = ['docker.service', 'docker.socket'] as const;
const dropIns = units.map((unit) => `run/systemd/system/${unit}.d/50-landfall-later.conf`);

describe('withoutFirstStart', () => {
  async function install(answers: Answers, files: Readonly<Record<string, string>> = {}) {
    const host = TemporaryHost.with(files, { ...calm, ...answers });
    const present = () => dropIns.filter((path) => existsSync(host.path(path)));
    let during: string[] = [];
    const error = await withoutFirstStart(host, units, async () => {
      during = present();
      await host.run('apt-get', ['install']);
    }).catch((reason: unknown) => reason);
    return { during, after: present(), ran: host.ran.slice(1), error };
  }
  const calm: Answers = {
    'apt-get': '',
    'systemctl is-active': 0,
    'systemctl daemon-reload': '',
  };
  const stopped: Answers = { ...calm, 'systemctl is-active': 3 };

  it('blocks the service and its socket during the installation', async () => {
    const { during, after, ran } = await install(stopped);
    expect({ during, after }).toEqual({ during: dropIns, after: [] });
    expect(ran).toEqual(['apt-get install', 'systemctl daemon-reload']);
  });

  it('unblocks the service after a failed installation', async () => {
    const { after, ran, error } = await install({ ...stopped, 'apt-get': 100 });
    expect(error).toMatchObject({ code: 'COMMAND_FAILED' });
    expect(after).toEqual([]);
    expect(ran.at(-1)).toBe('systemctl daemon-reload');
  });

  it('unblocks the service after a killed run', async () => {
    const left = Object.fromEntries(dropIns.map((path) => [path, '']));
    expect((await install({}, left)).after).toEqual([]);
  });

  it('does not block a running service', async () => {
    expect((await install({})).during).toEqual([]);
  });

  it('blocks with a condition that is never true', async () => {
    const host = TemporaryHost.with({}, stopped);
    await withoutFirstStart(host, units, async () => {
      const [, path] = /Exists=!(.*)/.exec(readFileSync(host.path(dropIns[0] ?? ''), 'utf8')) ?? [];
      expect(existsSync(path ?? '')).toBe(true);
    });
    expect.assertions(1);
  });
});
