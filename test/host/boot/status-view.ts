import { expect, it } from 'vitest';
import type { Premises } from './premises.ts';

/** Tests that a server reports its current state, not a past one. */
export function itReportsItsCurrentState(premises: () => Premises): void {
  const status = (flags = '') => premises().host.run(`landfall status ${flags}`);
  const comesBack = () => premises().host.waitFor('landfall status >/dev/null', 300);

  it('names a component that is down, with the command for its logs', async () => {
    await premises().host.output('docker stop landfall-tinyproxy');
    const see = 'tinyproxy is exited; sudo docker logs --tail 50 landfall-tinyproxy';
    expect(await status()).toMatchObject({ exitCode: 69, stdout: expect.stringContaining(see) });
    await premises().host.output('docker start landfall-tinyproxy');
    await comesBack();
  });

  it('reports that Docker does not respond', async () => {
    await premises().host.output('systemctl stop docker.socket docker.service');
    const { exitCode, stdout } = await status('--json');
    expect(exitCode).toBe(69);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'done', engine: expect.any(String) });
    await premises().host.output('systemctl start docker.service');
    await comesBack();
  });
}

/** Runs a first boot in a terminal session and closes that session. */
export async function interruptManualRun({ host }: Premises): Promise<void> {
  await host.output(`landfall first-boot >/tmp/by-hand 2>&1 & pid=$!
    until grep -q '"state": "running"' /run/landfall/status.json; do
      kill -0 "$pid" || { cat /tmp/by-hand >&2; exit 1; }
      sleep 0.05
    done
    kill -HUP "$pid"
    wait "$pid" || true`);
}

/** Tests, after a reboot, that {@link interruptManualRun} is reported until a run succeeds. */
export function itReportsInterruptedRuns(premises: () => Premises): void {
  const greeting = () => premises().host.output('run-parts /etc/update-motd.d');
  const status = () => premises().host.run('landfall status --json');

  it('reports an interrupted manual run', async () => {
    const stdout = expect.stringContaining('"state": "interrupted"');
    expect(await status()).toMatchObject({ exitCode: 11, stdout });
    expect(await greeting()).toContain('If interrupted, run:');
  });

  it('stops reporting it after a successful run', async () => {
    await premises().host.output('landfall first-boot');
    const { exitCode, stdout } = await status();
    expect({ exitCode, state: JSON.parse(stdout).state }).toEqual({ exitCode: 0, state: 'done' });
    expect(await greeting()).toContain('is installed here');
  });
}
