import type { Release } from '#contract/bundle/release.ts';
import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Server } from '../host/server.ts';

/** Supported distributions. Ubuntu is untested: its entries follow its documentation. */
const supported: Readonly<Record<string, readonly string[]>> = {
  debian: ['12', '13'],
  ubuntu: ['22.04', '24.04', '26.04'],
};

/** A "2 GB" server reports less, because the kernel reserves memory. Bytes. */
const minMemory = 1.8e9;

/** Checks the distribution, the architecture and the memory of a server. */
export function checkMachine(server: Server, release: Release): Problem[] {
  return [
    checkDistribution(server),
    checkArchitecture(server, release),
    checkMemory(server),
  ].filter((problem) => problem !== undefined);
}

function checkDistribution({ distribution: { id, version } }: Server): Problem | undefined {
  if (supported[id]?.includes(version)) return undefined;
  const names = Object.entries(supported).map(
    ([name, versions]) => `${name} ${versions.join(', ')}`,
  );
  return {
    message: `unsupported distribution: ${id} ${version}`,
    hint: `Use one of: ${names.join('; ')}.`,
  };
}

function checkArchitecture({ arch }: Server, release: Release): Problem | undefined {
  if (arch === release.arch) return undefined;
  return {
    message: `wrong architecture: the server is ${arch ?? 'unknown'}, the release is for ${release.arch}`,
    hint: `Use a release for ${arch ?? 'the architecture of the server'}, or another server.`,
  };
}

function checkMemory({ memory }: Server): Problem | undefined {
  if (memory >= minMemory) return undefined;
  return {
    message: `not enough memory: ${formatBytes(memory)}`,
    hint: 'Use a server with at least 2 GB of memory, or 8 GB for a 7B model.',
  };
}
