import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smokeCommand } from '../../../builder/commands/smoke.ts';
import { runCommand, terminalIn } from './terminal.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-smoke-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function run(site: string, ...args: string[]) {
  const text = `release: [https://e.org/]\nadmin: { ssh_keys: ["${key}"] }\n${site}`;
  await writeFile(join(folder, 'site.yaml'), text);
  const terminal = terminalIn(folder);
  const error = await runCommand(smokeCommand, terminal, ...args).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, out: terminal.out() };
}

describe('landfall smoke on a laptop', () => {
  it('requires the address of a server without host names', async () => {
    const { error, out } = await run('');
    expect(error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--address') });
    expect(out).toBe('');
  });

  it('reports a host name without DNS records', async () => {
    const { error } = await run('hosts: { ui: landfall-smoke.invalid }\n');
    expect(error).toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      hint: expect.stringContaining('--address'),
    });
  });

  it('finds a server by any of its host names', async () => {
    const { error } = await run('hosts: { relay: landfall-smoke.invalid }\n');
    expect(error).toMatchObject({ message: 'landfall-smoke.invalid does not resolve' });
  });

  it('reports every failure with a hint, as table, JSON and JUnit', async () => {
    // A loopback address on which nothing listens on 80 and 443.
    const site = 'hosts: { ui: chat.example.com }\n';
    const table = await run(site, '--address', '127.83.12.99', '--junit', 'smoke.xml');
    expect(table.error).toMatchObject({ code: 'SMOKE_FAILED' });
    expect(table.out).toMatch(/FAILED +the chat UI serves its page/);
    expect(table.out).toMatch(/see +sudo docker logs/);
    expect(await readFile(join(folder, 'smoke.xml'), 'utf8')).toContain('<failure message=');
    const { out } = await run(site, '--address', '127.83.12.99', '--json');
    const results: Array<{ outcome: string; lookAt?: string; detail?: string }> = JSON.parse(out);
    for (const result of results) {
      if (result.outcome === 'failed') expect(result.lookAt).toMatch(/^sudo /);
      if (result.outcome === 'skipped') expect(result.detail).toBeTruthy();
    }
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['failed', 'skipped']));
  });
});
