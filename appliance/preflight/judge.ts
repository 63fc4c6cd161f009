import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Release } from '#contract/release.ts';
import type { Server } from '../host/server.ts';

/** The systems that a release is made for. Ubuntu's are written from its documentation, untested. */
const supported: Readonly<Record<string, readonly string[]>> = {
  debian: ['12', '13'],
  ubuntu: ['22.04', '24.04', '26.04'],
};

const gigabyte = 1e9;
/** A "2 GB" server reports a little less: the kernel keeps some for itself. */
const leastMemory = 1.8 * gigabyte;
/** Images take about this many times their download once they are unpacked. */
const unpackedFactor = 2.6;
/** For logs, updates of the system, and what a person puts there. */
const breathingSpace = 2 * gigabyte;

/**
 * Judges whether a server can carry a release, before anything on it is changed.
 * @throws LandfallError SERVER_UNFIT with every reason at once
 */
export function preflight(server: Server, release: Release): void {
  const problems = [
    judgeDistribution(server),
    judgeArchitecture(server, release),
    judgeMemory(server),
    judgeDisk(server, release),
  ].filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  throw new LandfallError('SERVER_UNFIT', 'this server cannot carry the release', {
    hint: 'Nothing was changed. Take a server that fits and paste the same user-data there.',
    problems,
  });
}

function judgeDistribution({ distribution: { id, version } }: Server): Problem | undefined {
  if (supported[id]?.includes(version)) return undefined;
  const names = Object.entries(supported).map(
    ([name, versions]) => `${name} ${versions.join(', ')}`,
  );
  return { message: `it runs ${id} ${version}`, hint: `Supported are ${names.join('; ')}.` };
}

function judgeArchitecture({ arch }: Server, release: Release): Problem | undefined {
  if (arch === release.arch) return undefined;
  return {
    message: `it is ${arch ?? 'of an unknown architecture'}, the release is for ${release.arch}`,
  };
}

function judgeMemory({ memory }: Server): Problem | undefined {
  if (memory >= leastMemory) return undefined;
  return {
    message: `it has ${(memory / gigabyte).toFixed(1)} GB of memory`,
    hint: 'The chat UI and the proxy need 2 GB; a 7B model needs 8 GB.',
  };
}

/** Exact where the release knows its sizes; images of unknown size cannot be counted. */
function judgeDisk({ freeDisk }: Server, release: Release): Problem | undefined {
  const download = release.images.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const need = download * (1 + unpackedFactor) + breathingSpace;
  if (freeDisk >= need) return undefined;
  return {
    message: `it has ${(freeDisk / gigabyte).toFixed(1)} GB of free disk; the release needs ${(need / gigabyte).toFixed(1)} GB`,
    hint: 'Take a larger disk, or a release with fewer components.',
  };
}
