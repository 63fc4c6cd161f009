import { describe, expect, it } from 'vitest';
import { readAcceptance } from './selection.ts';

describe('the arguments of npm run acceptance', () => {
  it('select a distribution, for which a release is built', () => {
    expect(readAcceptance(['--distribution', 'ubuntu-26.04', '--arch', 'amd64'])).toEqual({
      distribution: 'ubuntu-26.04',
      arch: 'amd64',
      release: undefined,
      image: undefined,
    });
  });

  it('select a release, an image in place of the one of the distribution, and an architecture', () => {
    const args = ['--release', 'dist', '--distribution', 'ubuntu-24.04', '--arch', 'arm64'];
    expect(readAcceptance([...args, '--image', 'a.qcow2'])).toEqual({
      release: 'dist',
      distribution: 'ubuntu-24.04',
      image: 'a.qcow2',
      arch: 'arm64',
    });
  });

  it('select the server of this machine by default', () => {
    expect(readAcceptance(['--arch', 'amd64'])?.distribution).toBe('local');
  });

  it.each([
    [['--distribution', 'ubuntu-22.04']],
    [['--arch', 'riscv64']],
    [['--distribution', 'local', '--arch', 'arm64']],
    [['--distribution', 'local', '--image', 'a.qcow2', '--arch', 'amd64']],
    [['--release', 'dist', 'more']],
  ])('rejects the arguments of npm run acceptance: %j', (args) => {
    expect(readAcceptance(args)).toBeUndefined();
  });
});
