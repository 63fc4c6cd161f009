import { type HostDistribution, hostSuites } from './setup/debian/host-image.ts';

/** Selection of one call of `npm test`. */
export interface Selection {
  readonly checks: boolean;
  readonly unit: boolean;
  readonly integration: boolean;
  readonly host: boolean;
  /** `all` files with real dependencies, or the `essential` ones of a short run (`suites.ts`). */
  readonly files: 'all' | 'essential';
  /** Substrings of the paths of test files; empty means every file. */
  readonly words: readonly string[];
  /** The distributions to test; empty means the default of each file. */
  readonly distributions: readonly HostDistribution[];
}

export const usage = `npm test                         checks, unit tests, and the essential tests with real dependencies
npm test -- --all                everything, on every distribution
npm test -- --checks             type check and lint
npm test -- --unit [file...]     unit tests
npm test -- --integration [debian12|debian13] [file...]    tests with real dependencies
npm test -- --host [debian12|debian13|ubuntu-like] [file...]  tests with complete servers
npm test -- test/path...         these files, in the suite of their folder
npm test -- --stay               prepare the real dependencies, print them, wait for Ctrl-C
npm test -- --host --stay debian13    boot a fresh server, show its console, wait for Ctrl-C`;

const suites = ['--checks', '--unit', '--integration', '--host'] as const;

/** Folders of tests with a command of their own, such as `npm run test:vm`. */
const onDemand: ReadonlySet<string> = new Set(['vm', 'upstream', 'routes', 'real', 'engines']);

/** Parses the arguments; returns undefined if one is unknown. */
export function readSelection(args: readonly string[]): Selection | undefined {
  const given = args.filter((arg) => arg.startsWith('--'));
  const words = args.filter((arg) => !arg.startsWith('--'));
  const flags = given.length > 0 ? given : words.flatMap((word) => suiteOf(word) ?? []);
  const chosen = flags.filter((flag) => flag !== '--all');
  const all = flags.length > chosen.length;
  if (!chosen.every((arg) => suites.some((flag) => flag === arg))) return undefined;
  if (words.length > 0 && chosen.length === 0) return undefined;
  const has = (flag: (typeof suites)[number]) => chosen.length === 0 || chosen.includes(flag);
  const named = words.filter(isDistribution);
  return {
    checks: has('--checks'),
    unit: has('--unit'),
    integration: has('--integration'),
    host: has('--host'),
    files: all || chosen.length > 0 ? 'all' : 'essential',
    words: words.filter((word) => !isDistribution(word)),
    distributions: named.length > 0 || all ? named : ['debian13'],
  };
}

/** Returns the suite of a path of a test, as its flag; undefined for other words. */
function suiteOf(word: string): (typeof suites)[number] | undefined {
  const folder = /^test\/(\w+)/.exec(word)?.[1];
  if (folder === undefined || onDemand.has(folder)) return undefined;
  return suites.find((flag) => flag === `--${folder}`) ?? '--unit';
}

/** Returns whether a word names a distribution that can be booted. */
export function isDistribution(word: string): word is HostDistribution {
  return Object.hasOwn(hostSuites, word);
}
