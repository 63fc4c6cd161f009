import { logCommand } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { isForServer } from '#contract/site/enabled.ts';
import { inBoth, inLanguage, type Text } from '#contract/text/language.ts';
import { whyNoEndpoint } from './endpoint.ts';
import type { SmokeTarget } from './target.ts';

/** A test of one function of a running server. */
export interface SmokeTest {
  /** Short stable name for machine-readable reports: `ui-sign-in`. */
  readonly name: string;
  /** What it tests. */
  readonly component: ComponentName;
  /** What a passed test proves: `the administrator can sign in`. */
  readonly title: string;
  /** The same in Chinese. JSON and JUnit have the English title. */
  readonly chinese?: string;
  /** Commands that help to find the cause of a failure. */
  readonly lookAt: Text;
  /** Whether the test needs an external service. Its failure does not fail a first boot. */
  readonly needsOthers?: true;
  /** Returns why the test does not apply to a target; undefined when it does. */
  readonly notFor?: (target: SmokeTarget) => string | undefined | Promise<string | undefined>;
  /**
   * @param note receives remarks about a test that passes
   * @throws Error with the observed result; LandfallError SERVER_UNFIT when the server is too small
   */
  run(target: SmokeTarget, note: (text: string) => void): Promise<void>;
}

export interface SmokeResult {
  readonly name: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  readonly took: number;
  readonly needsOthers?: true;
  /** Whether the server is too small for the test. Such a failure does not fail a first boot. */
  readonly beyondServer?: true;
  /** Reason of a skip, observed result of a failure, or remarks about a passed test. */
  readonly detail?: string;
  readonly lookAt?: string;
}

/** A test of a component, without what it shares with the others. */
interface ComponentTest extends Omit<SmokeTest, 'lookAt' | 'component'> {
  /** Default: the log of the component. */
  readonly lookAt?: string | Text;
  /** Whether the component must not run while the test fails. */
  readonly isUnsafe?: true;
}

/**
 * Returns the tests of a component.
 * @param notFor condition of the tests without one. Default: the component can be reached
 */
export function testsOf(
  name: ComponentName,
  tests: readonly ComponentTest[],
  notFor: SmokeTest['notFor'] = (target) => whyNoEndpoint(target, name),
): SmokeTest[] {
  return tests.map(({ lookAt = logCommand(name), isUnsafe, ...test }) => ({
    ...test,
    component: name,
    notFor: (target) =>
      isForServer(target.site, name) ? (test.notFor ?? notFor)?.(target) : inLanguage(notOnNodes),
    lookAt: isUnsafe ? untilFixed(textOf(lookAt), name) : textOf(lookAt),
  }));
}

const notOnNodes = { en: 'an engine node does not run it', zh: '推理节点不运行它' };

function textOf(lookAt: string | Text): Text {
  return typeof lookAt === 'string' ? inBoth(lookAt) : lookAt;
}

function untilFixed({ en, zh }: Text, name: ComponentName): Text {
  const stop = `sudo docker stop landfall-${name}`;
  return { en: `${en}; until this is fixed: ${stop}`, zh: `${zh}；解决之前请运行：${stop}` };
}

/** Returns why a test that needs the inside of the server cannot run; undefined when it can. */
export function insideOnly({ inside }: SmokeTarget): string | undefined {
  return inside
    ? undefined
    : inLanguage({ en: 'runs on the server only', zh: '只能在服务器上运行' });
}

/** Returns the inside of a target. Use {@link insideOnly} in `notFor` first. */
export function insideOf({ inside }: SmokeTarget): NonNullable<SmokeTarget['inside']> {
  if (!inside) throw new Error('this test runs on the server only');
  return inside;
}
