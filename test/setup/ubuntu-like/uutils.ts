import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';

/** The version with which Ubuntu 26.04 was released (rust-coreutils). */
const version = '0.8.0';
const features = ['unix'];

/**
 * Returns the path of uutils, the coreutils of Ubuntu 26.04: one program that acts by its name. Builds
 * its crate the first time, which takes some minutes.
 * @throws Unmet without cargo, or the error of cargo
 */
export async function provideUutils(cache: string, say: Say): Promise<string> {
  const path = [process.env.PATH, join(homedir(), '.cargo/bin')].join(delimiter);
  const env = {
    PATH: path,
    // Quick to build: speed does not matter.
    CARGO_PROFILE_RELEASE_LTO: 'off',
    CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  };
  const { failed } = await execa('cargo', ['--version'], { env, reject: false });
  if (failed) throw new Unmet('cargo is not installed');
  const folder = await cached(cache, 'uutils', { version, features }, async (root) => {
    say('uutils', `coreutils ${version} of crates.io, built once`);
    const how = ['--locked', '--no-default-features', '--features', features.join(), '--no-track'];
    const where = ['--root', root, '--target-dir', `${root}.target`];
    await execa('cargo', ['install', `coreutils@${version}`, '--quiet', ...how, ...where], { env });
    await execa('rm', ['-r', `${root}.target`]);
  });
  return join(folder, 'bin/coreutils');
}
