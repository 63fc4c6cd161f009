import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

const policy = '/usr/sbin/policy-rc.d';
const original = `${policy}.before-landfall-test`;

/**
 * Runs an installation without starting services: Debian calls this script before it starts a
 * service (Debian Policy, 9.3.3), and status 101 prevents it. An existing policy is restored.
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
