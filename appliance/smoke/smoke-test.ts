import type { Target } from './target.ts';

/** One thing that has to work on a server that is up. */
export interface SmokeTest {
  /** Short and lasting, for reports of programs: `ui-sign-in`. */
  readonly name: string;
  /** What holds when it passes: `the administrator can sign in`. */
  readonly title: string;
  /** What to look at when it does not. */
  readonly lookAt: string;
  /** Whether it needs somebody else's service: that this is down keeps no first boot from ending. */
  readonly needsOthers?: true;
  /** Why it makes no sense for this target; nothing when it does. */
  notFor?(target: Target): string | undefined | Promise<string | undefined>;
  /**
   * @param note takes what people should know although it passes
   * @throws Error that says what was found instead; LandfallError SERVER_UNFIT when the
   * server is too small for what was asked of it
   */
  run(target: Target, note: (text: string) => void): Promise<void>;
}

export interface SmokeResult {
  readonly name: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  readonly took: number;
  readonly needsOthers?: true;
  /** Whether the server is too small for what was asked of it: that keeps no first boot from ending. */
  readonly beyondServer?: true;
  /** Why it was skipped, what was found instead, or what to know although it passed. */
  readonly detail?: string;
  readonly lookAt?: string;
}

/** For tests that only the server itself can run. */
export function insideOnly({ inside }: Target): string | undefined {
  return inside ? undefined : 'only on the server itself';
}

/** What a test of the inside relies on; {@link insideOnly} has already turned the others away. */
export function insideOf({ inside }: Target): NonNullable<Target['inside']> {
  if (!inside) throw new Error('this test runs on the server only');
  return inside;
}
