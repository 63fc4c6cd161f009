import { expect, it } from 'vitest';
import type { Premises } from './premises.ts';

const listOfFiles =
  "import json, sys; [print(f['sha256'], '', f['path']) for f in json.load(sys.stdin)['files']]";

/** Tests what user-data does on a new server until the program starts, which runs the first boot. */
export function itStartsTheProgram(premises: () => Premises): void {
  const output = (command: string) => premises().host.output(command);

  it('finishes cloud-init on a fresh server without errors', async () => {
    expect(await premises().host.cloudInit()).toBe('done');
  });

  it('downloads, verifies and activates the release', async () => {
    expect(await output('test -e /opt/landfall/current && echo there')).toBe('there');
    const journal = await premises().host.journal('landfall-boot.service');
    expect(journal).toContain('the release is verified and in place');
  });

  it('starts the program, which writes its status', async () => {
    const status = await output('cat /run/landfall/status.json');
    expect(JSON.parse(status)).toMatchObject({ release: '0.1.0' });
  });

  it('shows that on its console', async () => {
    expect(await premises().host.console()).toContain(
      'landfall: the release is verified and in place',
    );
  });

  it('installs the signed files and the Node of the bundle on a fresh server', async () => {
    const sums = 'cd /opt/landfall/current && sha256sum --strict --quiet --check';
    const list = `python3 -c "${listOfFiles}" </opt/landfall/current/release.json`;
    expect(await output(`${list} >/tmp/sums && ${sums} /tmp/sums`)).toBe('');
    expect(await output('/opt/landfall/current/runtime/node --version')).toMatch(/^v24\./);
  });

  it('installs a Compose plugin that runs on a fresh server', async () => {
    expect(await output('/opt/landfall/current/runtime/docker-compose version')).toMatch(
      /version v?2\./,
    );
  });
}

/** Tests the command in the user-data that stops the first boot. The server does not continue after it. */
export function itStopsForGood(premises: () => Premises): void {
  it('stops for good with the command in the user-data, also after a reboot', async () => {
    const { host } = premises();
    await host.output('systemctl disable --now landfall-boot');
    // Otherwise the mark of a finished first boot could be what keeps it from starting.
    await host.output('rm -f /var/lib/landfall/installed');
    await host.reboot();
    await host.cloudInit();
    const properties = '--property=ActiveState --property=ExecMainStartTimestamp';
    const state = await host.output(`systemctl show ${properties} landfall-boot`);
    expect(state.trim().split('\n').sort()).toEqual([
      'ActiveState=inactive',
      'ExecMainStartTimestamp=',
    ]);
  });
}
