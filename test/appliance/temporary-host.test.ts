import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { TemporaryHost } from './temporary-host.ts';

describe('a host of the tests', () => {
  it('answers with the longest beginning of a command line that fits', async () => {
    const host = TemporaryHost.with({}, { nft: 1, 'nft list': (line) => `${line}!` });
    expect((await host.run('nft', ['list', 'ruleset'])).stdout).toBe('nft list ruleset!');
    await expect(host.run('nft', ['--file', 'x'])).rejects.toBeInstanceOf(LandfallError);
    expect(await host.succeeds('nft', ['--file', 'x'])).toBe(false);
  });
});

describe('a command without an answer', () => {
  const host = TemporaryHost.with({}, { 'nft --check': '' });
  let thrown: unknown;

  // Nothing in this test fails, so the hook after it does.
  it.fails('fails the test although the product accepts every exit code and error', async () => {
    thrown = await host.succeeds('nft', ['list', 'ruleset']).catch((error: unknown) => error);
  });

  it('is named in an error that the product does not take for a failed command', () => {
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(LandfallError);
    expect(thrown).toHaveProperty('message', expect.stringContaining('nft list ruleset'));
  });
});
