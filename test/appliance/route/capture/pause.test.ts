import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overlayFile, tableFile } from '../../../../appliance/route/capture/names.ts';
import { pauseCapture, resumeCapture } from '../../../../appliance/route/capture/pause.ts';
import { captureState } from '../../../../appliance/route/capture/state.ts';
import { capturing } from './rig.ts';

const reload = 'systemctl reload landfall-capture.service';

describe('a capture without a working proxy and with on_failure: direct', () => {
  it('flushes both closed chains and the TUN interface, and returns to the same files', async () => {
    const { host, on, confirmed } = capturing();
    const texts = () =>
      [tableFile, overlayFile('active')].map((path) => readFileSync(host.path(path), 'utf8'));
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
