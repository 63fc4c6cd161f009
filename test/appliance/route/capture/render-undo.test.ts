import { describe, expect, it } from 'vitest';
import { captureFiles } from '../../../../appliance/route/capture/files.ts';
import { renderCaptureUndo } from '../../../../appliance/route/capture/render-undo.ts';
import { capturing } from './rig.ts';

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
