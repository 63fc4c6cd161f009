import { runSmoke } from '../../../appliance/smoke/run-smoke.ts';
import type { SmokeResult, SmokeTest } from '../../../appliance/smoke/smoke-test.ts';
import type { Target } from '../../../appliance/smoke/target.ts';

/** How tests ended, by their names. */
export async function outcomes(
  target: Target,
  tests: readonly SmokeTest[],
): Promise<Record<string, string>> {
  const results = await runSmoke(target, undefined, tests);
  return Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
}

/** One result, by the name of its test. */
export async function resultOf(
  name: string,
  target: Target,
  tests: readonly SmokeTest[],
): Promise<SmokeResult> {
  const [result] = await runSmoke(
    target,
    undefined,
    tests.filter((test) => test.name === name),
  );
  if (!result) throw new Error(`there is no test ${name}`);
  return result;
}
