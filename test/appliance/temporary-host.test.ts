import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { TemporaryHost } from './temporary-host.ts';

describe('TemporaryHost', () => {
  it('uses the longest matching prefix', async () => {
    const host = TemporaryHost.with({}, { nft: 1, 'nft list': (line) => `${line}!` });
    expect((await host.run('nft', ['list', 'ruleset'])).stdout).toBe('nft list ruleset!');
    await expect(host.run('nft', ['--file', 'x'])).rejects.toBeInstanceOf(LandfallError);
    expect(await host.succeeds('nft', ['--file', 'x'])).toBe(false);
  });
});

describe('an undeclared command', () => {
  const host = TemporaryHost.with({}, { 'nft --check': '' });
  let thrown: unknown;

  // The test itself passes, so the hook after it fails.
  it.fails('fails the test even if the product accepts every exit code and error', async () => {
    thrown = await host.succeeds('nft', ['list', 'ruleset']).catch((error: unknown) => error);
  });

  it('throws an error that is not a LandfallError', () => {
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(LandfallError);
    expect(thrown).toHaveProperty('message', expect.stringContaining('nft list ruleset'));
  });
});

describe('an argument with a secret', () => {
  const host = TemporaryHost.with({ 'etc/landfall/secrets/KEY': 'very-secret\n' }, { docker: '' });

  // The test itself passes, so the hook after it fails.
  it.fails('fails the test even if the product accepts every error', async () => {
    await host.run('docker', ['login', '--password=very-secret']).catch(() => {});
  });

  it('passes on standard input', async () => {
    await host.run('docker', ['login', '--password-stdin'], { input: 'very-secret' });
    expect(host.ran).toEqual(['docker login --password-stdin']);
  });
});
