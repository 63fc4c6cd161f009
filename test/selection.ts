/** What one call of `npm test` runs. */
export interface Selection {
  readonly checks: boolean;
  readonly unit: boolean;
  readonly integration: boolean;
  /** Parts of the names of test files; none means all. */
  readonly files: readonly string[];
}

export const usage = `npm test                                everything
npm test -- --checks                    type check and lint
npm test -- --unit [file...]            unit tests
npm test -- --integration [file...]     integration tests with real parts
npm test -- --stay                      prepare the real parts, name them, wait for Ctrl-C`;

const flags = ['--checks', '--unit', '--integration'] as const;

/** Reads the arguments; nothing when one of them is unknown. */
export function readSelection(args: readonly string[]): Selection | undefined {
  const chosen = args.filter((arg) => arg.startsWith('--'));
  const files = args.filter((arg) => !arg.startsWith('--'));
  if (!chosen.every((arg) => flags.some((flag) => flag === arg))) return undefined;
  if (files.length > 0 && chosen.length === 0) return undefined;
  const has = (flag: (typeof flags)[number]) => chosen.length === 0 || chosen.includes(flag);
  return { checks: has('--checks'), unit: has('--unit'), integration: has('--integration'), files };
}
