import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

const policy = '/usr/sbin/policy-rc.d';
const original = `${policy}.before-landfall-test`;

/**
 * Runs an installation during which no service starts by itself: Debian asks this script before it
 * starts one (Debian Policy, 9.3.3), and 101 means no. Whatever policy was there is put back.
 */
export async function withoutStartingServices<T>(install: () => Promise<T>): Promise<T> {
  if (existsSync(original)) await rename(original, policy);
  if (existsSync(policy)) await rename(policy, original);
  try {
    await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    return await install();
  } finally {
    if (existsSync(original)) await rename(original, policy);
    else await rm(policy, { force: true });
  }
}
