import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import { clientBinary, importedProxiesFile } from '#contract/server-paths.ts';
import {
  applyClient,
  clientMeasure,
  formerClientMeasure,
  removeClient,
  unpackClient,
} from '../../../../../appliance/stages/route/client/client.ts';
import { configFile } from '../../../../../appliance/stages/route/client/render.ts';
import { piped } from '../../../answers.ts';
import { contextFor } from '../../../context.ts';
import { imported, server } from './rig.ts';

const unitFile = 'etc/systemd/system/landfall-client@.service';

const works = async () => undefined;
const fails = async () => 'no response within 45 s';

describe('the proxy client of a site', () => {
  it('runs without privileges, and checks its settings before it starts', async () => {
    const { host, context } = server(['a']);
    await applyClient(context, works);
    const unit = readFileSync(host.path(unitFile), 'utf8');
    expect(unit).toMatch(/DynamicUser=yes\n[\s\S]*CapabilityBoundingSet=\n/);
    expect(unit).toContain('ExecStartPre=/run/landfall-client/sing-box check ');
    expect(unit).not.toContain('s3cret');
  });

  it('plans nothing for the proxy client afterwards, until the proxies change', async () => {
    const { host, context } = server(['a']);
    expect(await clientMeasure.check(context)).toEqual([
      'find a working proxy and start the proxy client',
    ]);
    await applyClient(context, works);
    expect(await clientMeasure.check(context)).toEqual([]);
    writeFileSync(host.path(importedProxiesFile), imported(['other']));
    expect(await clientMeasure.check(context)).not.toEqual([]);
  });

  it('fails with the reason of each proxy if none works', async () => {
    const { context } = server(['a', 'b']);
    await expect(applyClient(context, fails)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      message: expect.stringMatching(/^no imported proxy works: a: no response.*; b: /),
    });
  });

  it('warns about direct connections with on_failure: direct', async () => {
    const { context } = server(['a'], { on_failure: 'direct' });
    await applyClient(context, fails);
    expect(context.warned).toEqual([expect.stringContaining('connects directly: a: no response')]);
  });

  it('removes the proxy client with its settings, but not the imported proxies', async () => {
    const { host, context } = server(['a'], {}, { ip: '' });
    await applyClient(context, works);
    const direct = contextFor(host);
    expect(await formerClientMeasure.check(direct)).toEqual(['remove the proxy client']);
    await removeClient(host);
    expect(host.ran).toContain('ip address delete 198.19.254.1/32 dev lo');
    for (const path of [unitFile, configFile('active')]) {
      expect(existsSync(host.path(path))).toBe(false);
    }
    expect(existsSync(host.path(importedProxiesFile))).toBe(true);
    expect(await formerClientMeasure.check(direct)).toEqual([]);
  });
});

describe('the program of the proxy client', () => {
  it('unpacks the program of the proxy client from the tarball, without other files', async () => {
    const { host, context } = server(['a'], {}, { [piped('tar')]: runTar });
    const folder = host.path('made/sing-box-1.14.4-linux-amd64');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'sing-box'), 'the program');
    writeFileSync(join(folder, 'LICENSE'), 'GPL');
    const tarball = join(context.releaseFolder, singBoxTarball);
    execFileSync('tar', ['-czf', tarball, '-C', host.path('made'), 'sing-box-1.14.4-linux-amd64']);
    rmSync(join(context.releaseFolder, clientBinary));
    await unpackClient(context);
    const runtime = join(context.releaseFolder, 'runtime');
    expect(readFileSync(join(runtime, 'sing-box'), 'utf8')).toBe('the program');
    expect(existsSync(join(runtime, 'sing-box.landfall-new'))).toBe(false);
  });

  it('rejects a release without the program of the proxy client', async () => {
    const { context } = server(['a']);
    const release = { ...context.release, files: [] };
    await expect(unpackClient({ ...context, release })).rejects.toMatchObject({
      code: 'BUNDLE_CONTENT',
      message: 'the release does not contain a proxy client',
    });
  });
});

/** Runs the real tar. No path of these tests contains a space. */
function runTar(line: string): string {
  const args = line.slice(piped('tar').length + 1).split(' ');
  return execFileSync('tar', args, { encoding: 'utf8' });
}
