import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../../../../../appliance/server/host/host.ts';
import { startPage, stopPage } from '../../../../../appliance/server/progress/page/page-unit.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const program = {
  node: '/opt/landfall/releases/1.0.0-amd64/runtime/node',
  script: '/opt/landfall/releases/1.0.0-amd64/program/landfall.mjs',
};
const running = 'systemctl is-active --quiet landfall-page.socket';
const stopped = {
  'systemctl stop landfall-page.': '',
  'systemctl reset-failed landfall-page.': '',
};
const hostWith = (answers: Answers) => TemporaryHost.with({}, { ...stopped, ...answers });

describe('the page while the first boot runs', () => {
  it('reuses the page of the first boot from an earlier run', async () => {
    const host = hostWith({ [running]: 0 });
    expect(await startPage(host, program)).toBe(true);
    expect(host.ran).toEqual([running]);
  });

  it('serves the page of the first boot with the same program in a sandbox', async () => {
    const host = hostWith({ [running]: 3, 'systemd-run': 1 });
    await startPage(host, program);
    const call = host.ran.find((line) => line.startsWith('systemd-run')) ?? '';
    expect(call).toContain('--socket-property=ListenStream=80');
    for (const limit of [
      'DynamicUser=yes',
      'CapabilityBoundingSet= ',
      'NoNewPrivileges=yes',
      'PrivateNetwork=yes',
      'ProtectSystem=strict',
      'SystemCallFilter=@system-service',
    ]) {
      expect(call).toContain(`--property=${limit}`);
    }
    expect(call).toMatch(
      new RegExp(
        `${program.node} ${program.script} serve-page ${host.root}/run/landfall/page/index.html$`,
      ),
    );
  });

  it('skips the page of the first boot if port 80 is in use', async () => {
    const host = hostWith({ [running]: 3, 'systemd-run': 1 });
    expect(await startPage(host, program)).toBe(false);
  });

  it('skips the page of the first boot without systemd-run', async () => {
    const bare = new Host('/', async (file) => {
      throw new LandfallError('TOOL_MISSING', `${file}: command not found on this server`);
    });
    expect(await startPage(bare, program)).toBe(false);
  });
});

describe('stopPage', () => {
  it('stops the socket and the service, and resets failures', async () => {
    const host = hostWith({});
    await stopPage(host);
    expect(host.ran).toEqual([
      'systemctl stop landfall-page.socket landfall-page.service',
      'systemctl reset-failed landfall-page.socket landfall-page.service',
    ]);
  });

  it('succeeds without a page', async () => {
    const host = TemporaryHost.with({}, { 'systemctl stop': 5, 'systemctl reset-failed': 1 });
    await expect(stopPage(host)).resolves.toBeUndefined();
    expect(host.ran).toHaveLength(2);
  });
});
