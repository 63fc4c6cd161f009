import type { Release } from '#contract/bundle/release.ts';
import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Server } from '../host/server.ts';

/** The systems that a release is made for. Ubuntu's are written from its documentation, untested. */
const supported: Readonly<Record<string, readonly string[]>> = {
  debian: ['12', '13'],
  ubuntu: ['22.04', '24.04', '26.04'],
};

/** A "2 GB" server reports a little less: the kernel keeps some for itself. */
const leastMemory = 1.8e9;

/** Judges what a machine is: its distribution, its architecture, its memory. */
export function judgeMachine(server: Server, release: Release): Problem[] {
  return [
    judgeDistribution(server),
    judgeArchitecture(server, release),
    judgeMemory(server),
  ].filter((problem) => problem !== undefined);
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
    hint: `Take the release for ${arch ?? 'its architecture'}, where there is one.`,
  };
}

function judgeMemory({ memory }: Server): Problem | undefined {
  if (memory >= leastMemory) return undefined;
  return {
    message: `it has ${formatBytes(memory)} of memory`,
    hint: 'The chat UI and the proxy need 2 GB; a 7B model needs 8 GB.',
  };
}
