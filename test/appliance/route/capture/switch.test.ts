import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unconfirmed } from '../../../../appliance/host/undo/undo.ts';
import {
  captureFolder,
  captureUnitFile,
  clientDropIn,
  onScript,
} from '../../../../appliance/route/capture/names.ts';
import { captureState } from '../../../../appliance/route/capture/state.ts';
import { switchCapture } from '../../../../appliance/route/capture/switch.ts';
import { configFile } from '../../../../appliance/route/client/render-config.ts';
import { readClientState } from '../../../../appliance/route/client/state.ts';
import { capturing } from './rig.ts';

describe('switching the capture on', () => {
  it('tests a proxy without a TUN interface, and arms the undo before it changes anything', async () => {
    const { host, context } = capturing();
    const probe = async () => {
      expect(existsSync(host.path(captureFolder))).toBe(false);
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

  it('is provisional until it is confirmed', async () => {
    const { host, on, confirmed } = capturing();
    expect(await on()).toBe(true);
    expect(await captureState(host)).toBe('provisional');
    expect(await readClientState(host)).toMatchObject({ state: 'provisional', node: 'a' });
    await expect(on()).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await confirmed();
    expect(await captureState(host)).toBe('active');
    expect(await readClientState(host)).toMatchObject({ state: 'active', node: 'a' });
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
    const paths = ['var/lib/landfall/undo/capture.sh', clientDropIn, captureUnitFile, onScript];
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
    expect(undo).toContain(`sh ${host.path(onScript)}`);
    expect(undo).not.toContain('nft delete table');
  });
});
