import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../builder/bundle/archive/program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-main-'));
  await writeFile(join(folder, 'landfall.mjs'), (await bundleProgram()).bytes);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the program of a bundle, which starts in a quarter of the time of the sources. */
async function landfall(...args: readonly string[]) {
  const program = join(folder, 'landfall.mjs');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

describe('landfall on a server', () => {
  it('lists its commands without internal ones', async () => {
    const { code, stdout } = await landfall('help');
    expect(code).toBe(0);
    for (const name of ['first-boot', 'plan', 'status', 'report']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    expect(stdout).not.toContain('serve-page');
  });

  it('exits with code 2 after a usage error', async () => {
    expect(await landfall('dance')).toMatchObject({ code: 2, stdout: '' });
    expect(await landfall('status', '--jason')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: Did you mean --json?'),
    });
  });

  it('shows the state without a command, names the help and exits with 0', async () => {
    const { code, stdout } = await landfall();
    expect(code).toBe(0);
    expect(stdout).toContain('no first boot has started on this server yet');
    expect(stdout).toContain('landfall help');
  });

  it('lists the subcommands of a command', async () => {
    const { code, stdout } = await landfall('tls', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}status \[options\] .*^ {2}renew \[options\] /ms);
    expect(stdout).not.toContain('scheduled');
  });

  // The help option started a first boot.
  it('shows the help of first-boot without starting it', async () => {
    const explained = await landfall('help', 'first-boot');
    expect(explained).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sudo landfall first-boot'),
    });
    expect(await landfall('first-boot', '--help')).toEqual(explained);
    expect(await landfall('first-boot', '-h')).toEqual(explained);
  });

  // It printed text on stderr and nothing on stdout.
  it('prints errors as one JSON object with --json', async () => {
    const { code, stdout, stderr } = await landfall('status', '--json', '--jason');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'USAGE', problems: [] } });
  });

  it('prints the status as one JSON object, even without a first boot', async () => {
    const { stdout, stderr } = await landfall('status', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ state: expect.any(String) });
  });
});

describe('landfall serve-page', () => {
  it.each([
    ['no file', []],
    ['a relative path', ['index.html']],
    ['two files', ['/a', '/b']],
    ['no socket from systemd, or as root', ['/a']],
  ])('does not start with %s', async (_case, args) => {
    expect(await landfall('serve-page', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('USAGE'),
    });
  });
});
