import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Status } from '../../appliance/server/progress/status.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { chatSite, chatUrl } from './boot/first-booted.ts';
import { HostBundle } from './boot/host-bundle.ts';
import { Premises } from './boot/premises.ts';
import { runDoctor } from './commands/run-doctor.ts';
import { hostNeeds } from './host-needs.ts';
import { itLivesOn } from './life-view.ts';

const given = hostNeeds('resolute-like', 'serverBundle');

given.describe('a Debian 13 with the programs of Ubuntu 26.04', () => {
  let premises: Premises;
  let status: Status;

  beforeAll(async () => {
    const { dependencies, serverBundle } = given;
    const bundle = await HostBundle.copy(serverBundle, await workFolder());
    premises = await Premises.open({
      ...{ dependencies, distribution: 'resolute-like', bundle },
      site: chatSite,
    });
    status = await premises.comeUp();
  });
  afterAll(() => premises?.close());

  const output = (command: string) => premises.host.output(command);

  it('finishes every stage of the first boot, with green smoke tests', async () => {
    expect(status.stages.map(({ state }) => state)).not.toContain('failed');
    expect(await output('systemctl --failed --plain --no-legend')).toBe('');
    expect(await premises.host.run('landfall smoke')).toMatchObject({ exitCode: 0 });
    expect(await premises.administrator.fetch(chatUrl)).toMatchObject({ status: 200 });
  });

  it('replaces all of GNU coreutils but cp, mv, rm and tee by uutils', async () => {
    for (const name of [
      'base64',
      'chmod',
      'sync',
      'date',
      'mkdir',
      'rmdir',
      'cat',
      'stat',
      'sort',
    ]) {
      expect(await output(`${name} --version`), name).toContain('uutils');
    }
    for (const name of ['cp', 'mv', 'rm', 'tee']) {
      expect(await output(`${name} --version`), name).toContain('GNU');
    }
  });

  it('uses sudo-rs as sudo, and installs no package sudo beside it', async () => {
    expect(await output('sudo --version 2>&1')).toContain('sudo-rs');
    const installed = "dpkg-query --show --showformat='${db:Status-Status}' sudo";
    expect(await output(`${installed} || true`)).not.toBe('installed');
    const ran = await premises.asAdministrator('sudo -n id -un && landfall status --json');
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^root\n\{/) });
  });

  it('keeps the time with chrony, and /tmp in memory', async () => {
    expect(await output('dpkg --list systemd-timesyncd | tail -n 1')).not.toMatch(/^ii/);
    expect(await output('systemctl is-enabled chrony')).toBe('enabled');
    expect(await output('findmnt --noheadings --output FSTYPE /tmp')).toBe('tmpfs');
  });

  it('prints only that the bundle has no model as a finding of landfall doctor', async () => {
    const { findings } = await runDoctor(premises.host);
    expect(findings.map(({ code }) => code)).toEqual(['CHAT_NO_MODEL']);
  });

  it('reads the name of the distribution: it takes the Docker of the distribution', async () => {
    expect(await output('. /etc/os-release && echo "$ID $VERSION_ID"')).toBe('ubuntu 26.04');
    expect(status.warnings.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Docker is that of ubuntu 26.04'),
    );
  });

  itLivesOn(() => premises, given.dependencies);
});
