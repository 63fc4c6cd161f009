import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedMark, motdFile, motdScript } from '#contract/server-paths.ts';
import { renderMotd, writeMotd } from '../../../../appliance/server/progress/motd.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { statusOf } from './status-of.ts';

describe('the login message during the first boot', () => {
  it('shows the current stage and how to follow', () => {
    const text = renderMotd(statusOf('images'), false);
    expect(text).toContain('has reached stage 9 of 15, images');
    expect(text).toContain('landfall status --watch');
  });

  it('shows a failure without its details', () => {
    const error = { code: 'X', message: 'something with a name in it', retriable: true };
    const text = renderMotd(statusOf('images', 'failed', { error }), false);
    expect(text).toContain('first boot failed at stage 9 of 15, images');
    expect(text).toContain('landfall status');
    expect(text).not.toContain('something with a name in it');
  });

  it('says how to import proxies while the server waits for them', () => {
    const text = renderMotd(statusOf('route', 'running', { waitsFor: 'proxies' }), false);
    expect(text).toContain('waits for its proxies');
    expect(text).toContain('sudo landfall route import <file>');
  });

  it('fits on a console', () => {
    const waiting = statusOf('route', 'running', { waitsFor: 'proxies' });
    for (const status of [statusOf('preflight'), statusOf('preflight', 'failed'), waiting]) {
      for (const installed of [false, true]) {
        const lines = renderMotd(status, installed).split('\n');
        for (const line of lines) expect(line.length).toBeLessThan(80);
      }
    }
  });
});

describe('the login message after a manual first boot', () => {
  const again = { [installedMark]: '1.2.0\n' };
  const shownOf = async (...given: Parameters<typeof statusOf>) => {
    const host = TemporaryHost.with(again);
    await writeMotd(host, statusOf(...given), 'en');
    return readFileSync(host.path(motdFile.unfinished), 'utf8');
  };

  it('says to run it again after a failure (regression: it promised a retry)', async () => {
    const text = await shownOf('images', 'failed');
    expect(text).toContain('failed at stage 9 of 15, images');
    expect(text).toContain('sudo landfall first-boot');
    expect(text).not.toMatch(/automatically|journalctl/);
  });

  it('writes a login message that is still true after Ctrl-C', async () => {
    const text = await shownOf('images');
    expect(text).toContain('has reached stage 9 of 15, images');
    expect(text).toMatch(/Status: +landfall status/);
    expect(text).not.toMatch(/in progress|follow it/);
  });

  it('survives a reboot', () => {
    // Files in /run do not survive a reboot.
    expect(motdFile.unfinished).toMatch(/^var\//);
  });
});

describe('the motd script', () => {
  /** Runs the script with its absolute paths redirected to the test's folder. */
  function shown(host: TemporaryHost): string {
    const script = readFileSync(host.path(motdScript), 'utf8');
    const moved = script.replaceAll(/\/(?=run\/|var\/)/g, `${host.root}/`);
    return execFileSync('sh', ['-c', moved], { encoding: 'utf8' });
  }

  it('writes a motd script that run-parts runs', async () => {
    const host = TemporaryHost.with({});
    await writeMotd(host, statusOf('images'), 'en');
    expect(statSync(host.path(motdScript)).mode & 0o777).toBe(0o755);
    const listed = execFileSync('run-parts', ['--test', dirname(host.path(motdScript))]);
    expect(String(listed).trim()).toBe(host.path(motdScript));
  });

  it('shows the progress of the first boot, and afterwards the greeting', async () => {
    const host = TemporaryHost.with({});
    await writeMotd(host, statusOf('images'), 'en');
    expect(shown(host)).toContain('stage 9 of 15');
    mkdirSync(dirname(host.path(motdFile.finished)), { recursive: true });
    writeFileSync(host.path(motdFile.finished), 'all is up\n');
    await writeMotd(host, statusOf(undefined), 'en');
    expect(shown(host)).toBe('all is up\n');
    expect(existsSync(host.path(motdFile.unfinished))).toBe(false);
  });

  it('succeeds if there is nothing to show', async () => {
    const host = TemporaryHost.with({});
    await writeMotd(host, statusOf('images'), 'en');
    await writeMotd(host, statusOf(undefined), 'en');
    expect(shown(host)).toBe('');
  });

  it('keeps the motd script without a change', async () => {
    const host = TemporaryHost.with({});
    await writeMotd(host, statusOf('images'), 'en');
    const before = [motdScript, motdFile.unfinished].map((path) => statSync(host.path(path)).ino);
    await writeMotd(host, statusOf('images'), 'en');
    expect([motdScript, motdFile.unfinished].map((path) => statSync(host.path(path)).ino)).toEqual(
      before,
    );
  });
});
