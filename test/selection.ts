import { type HostDistribution, hostSuites } from './setup/host-image.ts';

/** What one call of `npm test` runs. */
export interface Selection {
  readonly checks: boolean;
  readonly unit: boolean;
  readonly integration: boolean;
  readonly host: boolean;
  /** Parts of the names of test files; none means all. */
  readonly files: readonly string[];
  /** The servers to test; none means all. */
  readonly distributions: readonly HostDistribution[];
}

export const usage = `npm test                                everything
npm test -- --checks                    type check and lint
npm test -- --unit [file...]            unit tests
npm test -- --integration [file...]     integration tests with real parts
npm test -- --host [debian12|debian13|ubuntu-like] [file...]
                                        tests with whole servers
npm test -- --stay                      prepare the real parts, name them, wait for Ctrl-C
npm test -- --host --stay debian13      boot a fresh server, show its console, wait for Ctrl-C`;

const flags = ['--checks', '--unit', '--integration', '--host'] as const;

/** Reads the arguments; nothing when one of them is unknown. */
export function readSelection(args: readonly string[]): Selection | undefined {
  const chosen = args.filter((arg) => arg.startsWith('--'));
  const words = args.filter((arg) => !arg.startsWith('--'));
  if (!chosen.every((arg) => flags.some((flag) => flag === arg))) return undefined;
  if (words.length > 0 && chosen.length === 0) return undefined;
  const has = (flag: (typeof flags)[number]) => chosen.length === 0 || chosen.includes(flag);
  return {
    checks: has('--checks'),
    unit: has('--unit'),
    integration: has('--integration'),
    host: has('--host'),
    files: words.filter((word) => !isDistribution(word)),
    distributions: words.filter(isDistribution),
  };
}

/** Whether a word names a server that can be booted. */
export function isDistribution(word: string): word is HostDistribution {
  return Object.hasOwn(hostSuites, word);
}
