import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../appliance/main.ts', import.meta.url));

/** Calls `landfall` as a person does. */
async function landfall(...args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

describe('landfall on a server', () => {
  it('says what it can do, and leaves out what systemd alone calls', async () => {
    const { code, stdout } = await landfall('help');
    expect(code).toBe(0);
    for (const name of ['first-boot', 'plan', 'status', 'report']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    expect(stdout).not.toContain('serve-page');
  });

  it('knows the exit code of a mistake in the call', async () => {
    expect(await landfall('dance')).toMatchObject({ code: 2, stdout: '' });
    expect(await landfall('status', '--jason')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: Did you mean --json?'),
    });
  });

  it('shows its commands when it is given none, and ends well', async () => {
    expect(await landfall()).toEqual(await landfall('help'));
  });

  it('lists what a command of several can do', async () => {
    const { code, stdout } = await landfall('tls', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}status \[options\] .*^ {2}renew \[options\] /ms);
    expect(stdout).not.toContain('scheduled');
  });

  // It ran a first boot.
  it('explains a first boot to who asks for help, and begins none', async () => {
    const explained = await landfall('help', 'first-boot');
    expect(explained).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sudo landfall first-boot'),
    });
    expect(await landfall('first-boot', '--help')).toEqual(explained);
    expect(await landfall('first-boot', '-h')).toEqual(explained);
  });

  // It printed prose on stderr and nothing on stdout.
  it('gives programs the error as one object, and nothing else', async () => {
    const { code, stdout, stderr } = await landfall('status', '--json', '--jason');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'USAGE', problems: [] } });
  });

  it('gives programs one object of where a server stands, also where nothing is known', async () => {
    const { stdout, stderr } = await landfall('status', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ state: expect.any(String) });
  });
});

describe('the server of the page', () => {
  it.each([
    ['no file', []],
    ['a relative path', ['index.html']],
    ['two files', ['/a', '/b']],
    ['no socket of systemd, or root', ['/a']],
  ])('does not start with %s', async (_case, args) => {
    expect(await landfall('serve-page', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('USAGE'),
    });
  });
});
