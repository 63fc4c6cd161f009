import { expect, it } from 'vitest';
import type { Premises } from '../boot/premises.ts';
import { codesOf, runDoctor } from './run-doctor.ts';
import type { startOnServer } from './start-on-server.ts';

/**
 * Tests that `landfall doctor` names one cause of several findings.
 * @param start starts a command of `landfall` on a terminal of the server
 */
export function itNamesCauses(
  premises: () => Premises,
  start: (command: string) => ReturnType<typeof startOnServer>,
): void {
  const host = () => premises().host;
  const doctor = (options = '') => runDoctor(host(), options);

  it('reports settings that would lock out the administrator, and does not touch them', async () => {
    const file = '/etc/ssh/sshd_config.d/99-test.conf';
    await host().output(`echo 'NoSuchSetting yes' >${file}`);
    const seen = await doctor('--fix --yes');
    expect(await host().output(`cat ${file}; rm ${file}`)).toBe('NoSuchSetting yes');
    expect(seen.findings[0]).toMatchObject({ code: 'SSH_LOCKOUT_RISK', fix: null });
    expect(seen.findings.slice(1).filter(({ follows }) => follows === null)).toEqual([]);
    expect(seen.fixes).toEqual([]);
  });

  it('names a Docker that is down as the cause of the other findings, and starts it', async () => {
    await host().output('systemctl stop docker.socket docker.service');
    const seen = await doctor();
    expect(seen.findings[0]).toMatchObject({ code: 'DOCKER_DOWN', follows: null });
    const others = seen.findings.slice(1);
    expect(others).not.toEqual([]);
    expect(others.filter(({ follows }) => follows === null)).toEqual([]);
    const fixed = await doctor('--fix --yes');
    expect(fixed.findings).toEqual([]);
  });

  it('names the program that uses the port of a component', async () => {
    await host().output('docker stop landfall-ui');
    await host().run('setsid python3 -m http.server 3000 --bind 127.0.0.1 >/dev/null 2>&1 &');
    await host().waitFor('curl -so /dev/null http://127.0.0.1:3000/', 20);
    const seen = await doctor();
    expect(codesOf(seen).slice(0, 2)).toEqual([
      { code: 'PORT_USED', subject: '3000' },
      { code: 'COMPONENT_DOWN', subject: 'ui' },
    ]);
    await host().output('kill $(ss -Htlnp sport = 3000 | grep -o "pid=[0-9]*" | cut -d= -f2)');
  });

  it('asks on a terminal before it fixes, and prints the remedies of a symptom', async () => {
    const fix = start('doctor --fix');
    await fix.shows('start its components?');
    fix.type('y');
    const { status, text } = await fix.end();
    expect(text).toContain('no findings');
    expect(status, text).toBe(0);
    const symptom = await start('doctor --symptom browser-403').end();
    expect(symptom).toMatchObject({
      status: 0,
      text: expect.stringContaining('serves only the'),
    });
  });
}
