import { runSmoke } from '../../../../appliance/shared/smoke/run-smoke.ts';
import type { SmokeResult, SmokeTest } from '../../../../appliance/shared/smoke/smoke-test.ts';
import type { SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';

/** Returns outcomes by test name. */
export async function outcomes(
  target: SmokeTarget,
  tests: readonly SmokeTest[],
): Promise<Record<string, string>> {
  const results = await runSmoke(target, undefined, tests);
  return Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
}

/** Returns the result of a test. */
export async function resultOf(
  name: string,
  target: SmokeTarget,
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
