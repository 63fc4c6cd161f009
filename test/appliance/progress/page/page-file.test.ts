import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatewayPageFile, pageFile, stackFolder } from '#contract/server-paths.ts';
import { expireGatewayPage, writePage } from '../../../../appliance/progress/page/page-file.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { statusOf } from '../status-of.ts';
import { expected } from './page-of.ts';

const url = 'https://chat.example.com/';
/** A file of the gateway, which the stage `stack` writes. */
const configured = { [`${stackFolder}/gateway/conf.d/ui.conf`]: '' };

describe('the page of the gateway', () => {
  it('is the same, and readable for nginx', async () => {
    const host = TemporaryHost.with(configured);
    await writePage(host, statusOf('models'), { expected, url });
    const page = readFileSync(host.path(gatewayPageFile), 'utf8');
    expect(page).toBe(readFileSync(host.path(pageFile), 'utf8'));
    expect(statSync(host.path(gatewayPageFile)).mode & 0o777).toBe(0o644);
    expect(statSync(host.path(dirname(gatewayPageFile))).mode & 0o005).toBe(0o005);
  });

  it.each([
    ['the gateway is not configured yet', {}, { expected, url }],
    ['the site has no host names', configured, { expected }],
  ])('is not written if %s', async (_when, files, settings) => {
    const host = TemporaryHost.with(files);
    await writePage(host, statusOf('models'), settings);
    expect(existsSync(host.path(gatewayPageFile))).toBe(false);
  });

  it('is removed an hour after the setup, or at a shutdown', async () => {
    const host = TemporaryHost.with({}, { 'systemd-run': '' });
    await expireGatewayPage(host);
    expect(host.ran).toEqual([
      expect.stringMatching(
        /--property=ExecStopPost=\/bin\/rm -f \S+\/progress\/index\.html \/bin\/sleep 3600$/,
      ),
    ]);
  });

  it('is removed at once if its end cannot be planned', async () => {
    const host = TemporaryHost.with({ [gatewayPageFile]: 'x' }, { 'systemd-run': 1 });
    await expireGatewayPage(host);
    expect(existsSync(host.path(gatewayPageFile))).toBe(false);
  });
});
