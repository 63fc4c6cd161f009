import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unconfirmed } from '../../../../../appliance/server/host/undo/undo.ts';
import { captureFiles } from '../../../../../appliance/stages/route/capture/files.ts';
import { capture } from '../../../../../appliance/stages/route/capture/names.ts';
import {
  captureState,
  captureTodo,
  pauseCapture,
  removeCapture,
  resumeCapture,
} from '../../../../../appliance/stages/route/capture/state.ts';
import { capturing } from './rig.ts';

const reload = 'systemctl reload landfall-capture.service';

describe('a capture without a working proxy and with on_failure: direct', () => {
  it('flushes both closed chains and the TUN interface, and returns to the same files', async () => {
    const { host, on, confirmed } = capturing();
    const texts = () =>
      [capture.tableFile, capture.overlay('active')].map((path) =>
        readFileSync(host.path(path), 'utf8'),
      );
    await on();
    await confirmed();
    const before = texts();
    await pauseCapture(host);
    await pauseCapture(host);
    expect(await captureState(host)).toBe('paused');
    expect(texts()[0]).not.toMatch(/host_closed \{[^}]*reject|goto containers-outside/);
    expect(texts()[0]).toContain('ct direction reply meta mark set');
    expect(texts()[1]).toBe('{}\n');
    await resumeCapture(host);
    await resumeCapture(host);
    expect(texts()).toEqual(before);
    expect(host.ran.filter((line) => line === reload)).toHaveLength(2);
  });

  it('changes nothing on a server that captures nothing', async () => {
    const { host } = capturing();
    await pauseCapture(host);
    await resumeCapture(host);
    expect(host.ran).toEqual([]);
  });
});

describe('the removal of the capture', () => {
  it('restarts the client without it before the rules are removed', async () => {
    const { host, on, confirmed } = capturing();
    await on();
    await confirmed();
    const before = host.ran.length;
    await removeCapture(host);
    const ran = host.ran.slice(before).filter((line) => /restart|disable/.test(line));
    expect(ran).toEqual([
      'systemctl restart landfall-client@active.service',
      'systemctl disable --now --quiet landfall-capture.service',
    ]);
    for (const path of [...captureFiles, capture.folder]) {
      expect(existsSync(host.path(path))).toBe(false);
    }
    expect(existsSync(host.path(`${capture.clientDropIn}/..`))).toBe(false);
    expect(await captureState(host)).toBe('off');
  });

  it('undoes a capture that is not confirmed', async () => {
    const { host, on } = capturing();
    await on();
    await removeCapture(host);
    expect(host.ran).toContain(`/bin/sh ${host.path('var/lib/landfall/undo/capture.sh')}`);
    // This host does not run the script.
    expect(await unconfirmed(host)).toEqual(['capture']);
  });

  it('does nothing on a server that captures nothing', async () => {
    const { host } = capturing();
    await removeCapture(host);
    expect(host.ran).toEqual([]);
  });
});

describe('the plan of a capture', () => {
  it('names what `landfall route on` does, and what a site without it does', async () => {
    const { host, context, on, confirmed } = capturing();
    expect(await captureTodo(host, context.site)).toEqual([
      'capture all connections, with `sudo landfall route on`',
    ]);
    await on();
    await confirmed();
    expect(await captureTodo(host, context.site)).toEqual([]);
    expect(await captureTodo(host, { route: { mode: 'direct' } })).toEqual([
      'stop to capture connections',
    ]);
  });

  it('reports rules that are not loaded', async () => {
    let isLoaded = true;
    const { host, context, on, confirmed } = capturing({
      'systemctl is-active --quiet landfall-capture.service': () => (isLoaded ? 0 : 3),
    });
    await on();
    await confirmed();
    isLoaded = false;
    expect(await captureTodo(host, context.site)).toEqual([
      'repair the capture, with `sudo landfall route on`',
    ]);
  });
});
