import type { SmokeTarget } from './target.ts';

/** A test of one function of a running server. */
export interface SmokeTest {
  /** Short stable name for machine-readable reports: `ui-sign-in`. */
  readonly name: string;
  /** What a passed test proves: `the administrator can sign in`. */
  readonly title: string;
  /** The same in Chinese. JSON and JUnit have the English title. */
  readonly chinese?: string;
  /** Commands that help to find the cause of a failure. */
  readonly lookAt: string;
  /** Whether the test needs an external service. Its failure does not fail a first boot. */
  readonly needsOthers?: true;
  /** Returns why the test does not apply to a target; undefined when it does. */
  notFor?(target: SmokeTarget): string | undefined | Promise<string | undefined>;
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

/** Returns why a test that needs the inside of the server cannot run; undefined when it can. */
export function insideOnly({ inside }: SmokeTarget): string | undefined {
  return inside ? undefined : 'runs on the server only';
}

/** Returns the inside of a target. Use {@link insideOnly} in `notFor` first. */
export function insideOf({ inside }: SmokeTarget): NonNullable<SmokeTarget['inside']> {
  if (!inside) throw new Error('this test runs on the server only');
  return inside;
}
