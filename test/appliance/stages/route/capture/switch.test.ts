import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unconfirmed } from '../../../../../appliance/server/host/undo/undo.ts';
import { captureFiles } from '../../../../../appliance/stages/route/capture/files.ts';
import { capture } from '../../../../../appliance/stages/route/capture/names.ts';
import { captureState } from '../../../../../appliance/stages/route/capture/state.ts';
import {
  proveCapture,
  renderCaptureUndo,
  switchCapture,
} from '../../../../../appliance/stages/route/capture/switch.ts';
import { configFile } from '../../../../../appliance/stages/route/client/render.ts';
import { storedClient } from '../../../../../appliance/stages/route/client/state.ts';
import { probeAnswers, sshAnswers } from '../../../answers.ts';
import { capturing } from './rig.ts';

describe('switching the capture on', () => {
  it('tests a proxy without a TUN interface, and arms the undo before it changes anything', async () => {
    const { host, context } = capturing();
    const probe = async () => {
      expect(existsSync(host.path(capture.folder))).toBe(false);
      expect(readFileSync(host.path(configFile('candidate')), 'utf8')).not.toContain('tun');
      return undefined;
    };
    await switchCapture(context, { openings: [], probe, prove: async () => {} });
    const at = (text: string) => host.ran.findIndex((line) => line.includes(text));
    expect(at('restart landfall-client@candidate')).toBeGreaterThan(0);
    expect(at('restart landfall-client@candidate')).toBeLessThan(at('systemd-run'));
    expect(at('systemd-run')).toBeLessThan(at('reload-or-restart landfall-capture.service'));
    expect(host.ran.at(at('systemd-run'))).toContain('--on-active=180');
    // The rules are loaded before the client starts.
    expect(
      host.ran.lastIndexOf('systemctl restart landfall-client@active.service'),
    ).toBeGreaterThan(at('reload-or-restart landfall-capture.service'));
  });

  it('switches the capture on provisionally until it is confirmed', async () => {
    const { host, on, confirmed } = capturing();
    expect(await on()).toBe(true);
    expect(await captureState(host)).toBe('provisional');
    expect(await storedClient.read(host)).toMatchObject({ state: 'provisional', node: 'a' });
    await expect(on()).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await confirmed();
    expect(await captureState(host)).toBe('active');
    expect(await storedClient.read(host)).toMatchObject({ state: 'active', node: 'a' });
    expect(await on()).toBe(false);
  });

  it('undoes the change if the proof fails', async () => {
    const { host, on } = capturing();
    const prove = on(async () => {
      throw new Error('no replies');
    });
    await expect(prove).rejects.toThrow('no replies');
    expect(host.ran.at(-1)).toBe(`/bin/sh ${host.path('var/lib/landfall/undo/capture.sh')}`);
  });

  it('writes no password, neither into its files nor into the undo', async () => {
    const { host, on } = capturing();
    await on();
    const paths = [
      'var/lib/landfall/undo/capture.sh',
      capture.clientDropIn,
      capture.unitFile,
      capture.onScript,
    ];
    for (const path of paths) {
      expect(readFileSync(host.path(path), 'utf8')).not.toContain('s3cret');
    }
    expect(statSync(host.path(configFile('active'))).mode & 0o777).toBe(0o600);
  });

  it('rejects a server with another program that uses its numbers', async () => {
    const { host, on } = capturing({
      'ip -4 rule show': '0:\tfrom all lookup local\n9001:\tfrom all lookup 2022',
    });
    await expect(on()).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
      problems: [{ message: 'ip rule 9001:\tfrom all lookup 2022' }],
    });
    expect(await unconfirmed(host)).toEqual([]);
  });

  it('keeps the old capture armed for its undo when the firewall gets other openings', async () => {
    const { host, context, on, confirmed } = capturing();
    await on();
    await confirmed();
    const options = { probe: async () => undefined, prove: async () => {} };
    expect(await switchCapture(context, { ...options, openings: [] })).toBe(true);
    const undo = readFileSync(host.path('var/lib/landfall/undo/capture.sh'), 'utf8');
    expect(undo).toContain(`sh ${host.path(capture.onScript)}`);
    expect(undo).not.toContain('nft delete table');
  });
});

describe('the undo of a capture', () => {
  it('removes every file before the units start at boot, and never waits for the client', async () => {
    const { host } = capturing();
    const script = await renderCaptureUndo(host, false);
    for (const path of captureFiles) expect(script).toContain(`rm -f ${host.path(path)}\n`);
    // A client that does not run, as early in the boot, is not started.
    expect(script).toContain('systemctl try-restart landfall-client@active.service');
    expect(script).not.toMatch(/systemctl (start|restart) /);
    const at = (text: string) => script.indexOf(text);
    expect(at('systemctl daemon-reload')).toBeLessThan(at('try-restart'));
    expect(at('try-restart')).toBeLessThan(at('nft delete table'));
    expect(at('sysinit.target.wants/landfall-capture.service')).toBeGreaterThan(0);
  });
});

const [tun, uplink] = [
  '192.0.2.1 dev landfall0 table 2022',
  '192.0.2.1 via 203.0.113.1 dev eth0 mark',
];
const routes = {
  'ip -4 route get 192.0.2.1': tun,
  'ip -4 route get 192.0.2.1 mark 0x10000000': uplink,
  'ip -6 route get 2001:db8::1 mark 0x10000000': 2,
};
const defaults = {
  ...sshAnswers,
  ...probeAnswers,
  ...routes,
  'ip netns exec landfall-probe': '["open"]',
  'apt-get update --print-uris': '',
};

describe('the proof of a capture', () => {
  it('accepts packets to the internet in the TUN interface, and replies outside of it', async () => {
    const { context, host } = capturing(defaults);
    await proveCapture(context);
    expect(host.ran).toContain('ip -4 route get 192.0.2.1 mark 0x10000000');
  });

  it('rejects replies that enter the TUN interface, and SSH that is not reachable', async () => {
    const { context } = capturing({
      ...defaults,
      'ip -4 route get 192.0.2.1 mark 0x10000000': tun,
      'ip netns exec landfall-probe': '["filtered"]',
    });
    await expect(proveCapture(context)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      problems: [
        { message: 'replies to connections from outside enter the TUN interface' },
        { message: 'SSH port 22 is filtered from outside over IPv4' },
      ],
    });
  });
});
