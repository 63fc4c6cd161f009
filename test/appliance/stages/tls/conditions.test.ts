import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installSitePair } from '../../../../appliance/server/certificates/gateway-pairs.ts';
import { makePair } from '../../../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { certificateConditions } from '../../../../appliance/stages/tls/conditions.ts';
import { contextFor } from '../../context.ts';

let root: string;
let host: Host;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-certificate-'));
  host = new Host(root, runCommand);
});
afterAll(() => rm(root, { recursive: true }));

const day = 24 * 3600 * 1000;

/** Returns the sentences about a certificate of so many days, after so many. */
async function conditionsAfter(days: number, life: number, mode = 'internal'): Promise<string[]> {
  const names = ['chat.example.com'];
  await installSitePair(host, await makePair(host, { subject: 'x', names, days: life }));
  const { site } = contextFor(host, { site: { tls: { mode } } });
  const now = new Date(Date.now() + days * day);
  const found = await certificateConditions(host, site, undefined, now);
  return found.map(({ severity, what }) => `${severity}: ${what.en}`);
}

describe('the condition of the certificate', () => {
  it('does not exist before there is a certificate', async () => {
    expect(await certificateConditions(host, contextFor(host).site)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('does not exist while the timer renews in time', async () => {
    expect(await conditionsAfter(62, 90)).toEqual([]);
    expect(await conditionsAfter(3.5, 6)).toEqual([]);
    expect(await conditionsAfter(100, 90, 'off')).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('says days before the end that it ends', async () => {
    const ends = [
      expect.stringMatching(/^attention: the certificate ends on .+ and was not renewed$/),
    ];
    expect(await conditionsAfter(64, 90)).toEqual(ends);
    expect(await conditionsAfter(4.5, 6)).toEqual(ends);
  });

  it.runIf(process.getuid?.() === 0)('says that it has expired', async () => {
    expect(await conditionsAfter(91, 90)).toEqual([
      expect.stringMatching(/^broken: the certificate expired on /),
    ]);
  });
});
