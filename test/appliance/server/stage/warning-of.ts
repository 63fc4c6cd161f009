import { inBoth } from '#contract/text/language.ts';
import type { BilingualWarning, Warning } from '../../../../appliance/server/stage/reporter.ts';

/** Returns a warning with this text and default kind and subject. */
export function warningOf(text: string, rest: Partial<Warning> = {}): Warning {
  return { kind: 'swap', subject: 'zfs', text, ...rest };
}

/** Returns a warning as a stage reports it, alike in each language. */
export function foundWarning(text: string): BilingualWarning {
  return { ...warningOf(text), text: inBoth(text) };
}
